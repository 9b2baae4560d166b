"""Every definition of the kit is asked twice at one size by what decides, so that kept state shows."""

from __future__ import annotations

import pytest

from grader.judge.checks.asking import RESULT
from grader.judge.checks.output import AGAIN
from grader.judge.deciding import deciding, planned
from grader.model.check import Question
from grader.model.pack import Pack
from grader.model.run import Call
from grader.pack.fixtures import Fixtures
from grader.plugins.registry import Plugins
from grader.runner.cases import Cases

RESULTS = {"output", "copies"}  # checks of what is computed on a case's own tensors


@pytest.mark.parametrize("seed", [1, 2])
def test_each_function_and_class_is_asked_twice_at_one_size(seed: int, pack: Pack, plugins: Plugins) -> None:
    cases = Cases(pack, Fixtures(pack), seed)
    twice: dict[str, int] = {}
    for exercise in pack.exercises:
        for step in exercise.steps:
            questions = [Question(exercise, step, case) for case in cases.asked(exercise, step, fresh=True)]
            some = planned(questions, plugins.checks[step.check].plan)
            decides = deciding(some, plugins.checks)
            fresh = {question.case.name for question, _ in decides if not question.case.is_public}
            key = f"{exercise.id} {step.of}"
            if exercise.definitions[step.of].is_class and step.check == "output":
                calls = [{a.name for a in run.actions if isinstance(a, Call)} for _, run in decides]
                twice[key] = int(all({RESULT, AGAIN} <= names for names in calls))
            else:
                both = (question.case.is_public and question.case.name in fresh for question, _ in decides)
                twice[key] = twice.get(key, 0) + sum(both)

    compared = {f"{e.id} {s.of}" for e in pack.exercises for s in e.steps if s.check in RESULTS}
    assert {name: count for name, count in twice.items() if name in compared} == dict.fromkeys(compared, 1)


def test_a_case_of_the_lessons_that_gives_another_number_decides_too(pack: Pack, plugins: Plugins) -> None:
    exercise = pack.exercise("ex08_causal_mask")
    step = next(each for each in exercise.steps if each.id == "ex08.weights")
    cases = Cases(pack, Fixtures(pack), 1).asked(exercise, step, fresh=True)
    some = planned((Question(exercise, step, case) for case in cases), plugins.checks[step.check].plan)

    asked = [question.case for question, _ in deciding(some, plugins.checks)]

    assert {case.template.inputs["d_k"] for case in asked} == {case.template.inputs["d_k"] for case in cases}
