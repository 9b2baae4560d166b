"""Sets what softmax makes of several stages beside each other: unscaled scores beside scaled ones, say, and one's own.

Of public cases alone, and never of fresh ones, like every picture.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.bench import Bench
from grader.judge.checks.asking import RESULT
from grader.judge.picture import LARGEST, matrix
from grader.model.check import Question
from grader.model.pack import Exercise, Step
from grader.model.report import Shares
from grader.model.run import World


def shares(
    bench: Bench, asker: Asker, exercise: Exercise, step: Step, world: World, *, with_own: bool
) -> Shares | None:
    """What softmax makes of the stages that a step's rubric names; None where it names none or they are not known.

    with_own: whether the solution's own result stands beside them, which says nothing where it is right.
    """
    wanted = step.softmax
    cases = bench.cases(exercise, step, world) if wanted is not None else ()
    case = next((each for each in cases if wanted and each.template.name == wanted.case and each.is_public), None)
    if wanted is None or case is None:
        return None
    question = asker.question(exercise, step, case)
    known = bench.stages(question, bench.plan(question), world)
    if known is None:
        return None
    drawn = {name: _first(known.values[name]) for name in wanted.stages}
    if len({each.shape for each in drawn.values()}) > 1 or max(next(iter(drawn.values())).shape) > LARGEST:
        return None
    own = _own(bench, asker, question, world) if with_own else None
    if own is not None and own.shape == known.values[wanted.stages[-1]].shape:
        drawn[RESULT] = _first(own)
    return Shares(case.name, tuple(drawn), tuple(matrix(softmax(each)) for each in drawn.values()))


def softmax(scores: Any) -> Any:
    """Each row as shares of 1, in float64. https://pytorch.org/docs/stable/generated/torch.softmax.html"""
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def _own(bench: Bench, asker: Asker, question: Question, world: World) -> Any | None:
    """What the solution answers to the case; None where that is no numbers."""
    ways = asker.bound(question, bench.plan(question), world)
    if not isinstance(ways, list):
        return None
    got = compare.tensor(asker.observe(ways[0].run, world), RESULT)
    return got if got is not None and got.dtype.kind in "fiu" else None


def _first(array: Any) -> Any:
    """The first matrix of an array."""
    found = np.atleast_2d(np.asarray(array, np.float64))
    return found.reshape(-1, *found.shape[-2:])[0]
