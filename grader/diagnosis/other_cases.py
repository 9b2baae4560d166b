"""What the public cases of a step show beside the one that is told of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import numpy as np

from grader.diagnosis.changes.told import line_of
from grader.diagnosis.clues.arguments import numbers_given
from grader.diagnosis.clues.zeros import divided_by_zero
from grader.diagnosis.explain import Explanations
from grader.diagnosis.source.joined import Joined
from grader.diagnosis.workbench import Workbench
from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.judge.summaries import MISSHAPEN, TIED, is_said
from grader.model.check import Finding, Question
from grader.model.pack import Exercise, Step
from grader.model.run import World
from grader.model.text import clean
from grader.words import heard, say


def asked_of(bench: Workbench, asker: Asker, exercise: Exercise, known: Explanations, world: World) -> list[Question]:
    """The public cases that known mistakes were asked, as a solution is asked them."""
    steps = {step.id: step for step in exercise.steps}
    questions = []
    for name, case_name in known.cases:
        case = next(each for each in bench.cases(exercise, steps[name], world) if each.name == case_name)
        questions.append(asker.question(exercise, steps[name], case))
    return questions


def is_right_on_one(asker: Asker, exercise: Exercise, step: Step, world: World) -> bool:
    """Whether any public case of a step is right, so that what another lacks is not missing altogether."""
    return any(finding.right for finding in _findings(asker, exercise, step, world))


def beside_tied(asker: Asker, exercise: Exercise, step: Step, finding: Finding, world: World) -> list[str]:
    """Where two parameters are one: that, and the mistakes that other cases show besides, such as a missing bias."""
    if not finding.about or not is_said(TIED, finding.summary):
        return []
    found = [name for each in _findings(asker, exercise, step, world) for name in each.mistakes]
    return ["projection-reused", *found] if found else []


def beside_misshapen(asker: Asker, exercise: Exercise, step: Step, finding: Finding, world: World) -> list[str]:
    """Where a parameter has another shape, a bias that other cases show to be missing."""
    if not is_said(MISSHAPEN, finding.summary):
        return []
    found = (name for each in _findings(asker, exercise, step, world) for name in each.mistakes)
    return [name for name in found if name == "bias-ignored"]


def raises(asker: Asker, exercise: Exercise, step: Step, world: World) -> bool:
    """Whether any public case of a step ends in an exception, whatever is told of the first that is wrong."""
    return any(asker.answer(question, world).fault is not None for question in _public(asker, exercise, step, world))


def divided_elsewhere(
    question: Question, asker: Asker, tree: ast.Module, source: Joined, world: World
) -> tuple[str, ...]:
    """What to note of a division by 0 in another public case of a step, which spoils the result there."""
    for other in _public(asker, question.exercise, question.step, world):
        found = divided_by_zero(tree, question.step.of, numbers_given(other, tree))
        parts = heard("judge.divided-by-zero", found[0]) if found is not None else None
        if found is None or parts is None or other.case.name == question.case.name:
            continue
        seen = asker.answer(other, world)
        result = compare.tensor(seen, RESULT) if seen.is_whole else None
        if result is not None and compare.are_floats(result) and not np.isfinite(result).all():
            at = line_of(found[1], source)
            return (say("judge.divided-elsewhere", case=clean(other.case.name, 60), line=at, **parts),)
    return ()


def _findings(asker: Asker, exercise: Exercise, step: Step, world: World) -> Iterator[Finding]:
    """What a step's check finds of each public case that is answered."""
    check = asker.bench.checks[step.check]
    for question in _public(asker, exercise, step, world):
        seen = asker.answer(question, world)
        if seen.is_whole:
            yield check.judge(question, seen, asker.bench.expected(question, world) if check.compares else None)


def _public(asker: Asker, exercise: Exercise, step: Step, world: World) -> Iterator[Question]:
    """A step on each of its public cases."""
    cases = (each for each in asker.bench.cases(exercise, step, world) if each.is_public)
    return (asker.question(exercise, step, case) for case in cases)
