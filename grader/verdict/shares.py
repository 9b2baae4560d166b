"""Sets what softmax makes of several stages beside each other: unscaled scores beside scaled ones, say, and one's own.

Of public cases alone, and never of fresh ones, like every picture.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.diagnosis.picture import LARGEST, matrix
from grader.diagnosis.stages import Stages
from grader.diagnosis.workbench import Workbench
from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.model.case import Case
from grader.model.check import Question
from grader.model.errors import FixtureError
from grader.model.observation import Observation
from grader.model.pack import Exercise, Step
from grader.model.report import Shares
from grader.model.run import World


def shares(
    bench: Workbench,
    asker: Asker,
    exercise: Exercise,
    step: Step,
    world: World,
    *,
    own: Mapping[Case, Observation] | None,
) -> Shares | None:
    """What softmax makes of the stages that a step's rubric names; None where it names none or they are not known.

    None too where the solution's result is wrong and cannot stand beside them.

    own: the solution's answers as far as they are known, for its result to stand beside them; None where it is right,
    and nothing would be said by that.
    """
    wanted = step.softmax
    cases = bench.cases(exercise, step, world) if wanted is not None else ()
    case = next((each for each in cases if wanted and each.template.name == wanted.case and each.is_public), None)
    if wanted is None or case is None:
        return None
    question = asker.question(exercise, step, case)
    known = _known(bench, question, world)
    if known is None or any(np.size(known.values[name]) == 0 for name in wanted.stages):
        return None
    drawn = [_first(known.values[name]) for name in wanted.stages]
    if len({each.shape for each in drawn}) > 1 or max(drawn[0].shape) > LARGEST:
        return None
    matrices = tuple(matrix(softmax(each)) for each in drawn)
    if own is None:
        return Shares(case.name, wanted.stages, matrices)
    got = _result(own.get(case) or asker.answer(question, world))
    if got is None or got.shape != known.values[wanted.stages[-1]].shape:  # such as a list: it is not its numbers
        return None
    return Shares(case.name, wanted.stages, matrices, matrix(softmax(_first(got))))


def softmax(scores: Any) -> Any:
    """Each row as shares of 1, in float64. https://pytorch.org/docs/stable/generated/torch.softmax.html"""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def _known(bench: Workbench, question: Question, world: World) -> Stages | None:
    """The right stages. Where the fixtures lack them `grade fixtures check` says so; no picture stops the grading."""
    try:
        return bench.stages(question, world)
    except FixtureError:
        return None


def _result(seen: Observation) -> Any | None:
    """The numbers that were answered; None where it is none."""
    got = compare.tensor(seen, RESULT)
    return got if got is not None and got.dtype.kind in "fiu" else None


def _first(array: Any) -> Any:
    """The first matrix of an array."""
    found = np.atleast_2d(np.asarray(array, np.float64))
    return found.reshape(-1, *found.shape[-2:])[0]
