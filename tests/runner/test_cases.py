"""The cases of a step: the public ones as they were built, and fresh ones from the run's seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.judge.checks import BUILT_IN
from grader.model.check import Question
from grader.model.errors import SolutionError
from grader.model.pack import Exercise, Generator, Pack, Step
from grader.model.run import OWN
from grader.pack.fixtures import Fixtures
from grader.runner.cases import Cases
from grader.runner.reference import Reference, asked_stages

from .asking import sources
from .conftest import Ask


@pytest.fixture
def exercise(pack: Pack) -> Exercise:
    return pack.exercises[0]


@pytest.fixture
def step(exercise: Exercise) -> Step:
    return exercise.steps[0]


@pytest.fixture
def fixtures(pack: Pack) -> Fixtures:
    return Fixtures(pack)


def test_public_cases_come_in_the_rubrics_order(pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step) -> None:
    public = Cases(pack, fixtures, 1).public(exercise, step)

    assert [case.name for case in public] == list(step.cases)
    assert all(case.is_public for case in public)


def test_one_seed_gives_the_same_fresh_cases_and_another_gives_others(
    pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step
) -> None:
    first, same, other = (Cases(pack, fixtures, seed).fresh(exercise, step) for seed in (1, 1, 2))

    assert first
    for a, b, c in zip(first, same, other, strict=True):
        assert not a.is_public
        assert all(np.array_equal(a.inputs[name], b.inputs[name]) for name in a.inputs)
        assert any(not np.array_equal(a.inputs[name], c.inputs[name]) for name in a.inputs)


def test_a_fresh_case_is_never_a_public_one(pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step) -> None:
    cases = Cases(pack, fixtures, pack.seed)
    public = {case.name: case for case in cases.public(exercise, step)}

    for fresh in cases.fresh(exercise, step):
        assert any(not np.array_equal(fresh.inputs[n], public[fresh.name].inputs[n]) for n in fresh.inputs)


def test_a_case_of_the_lessons_own_numbers_has_no_fresh_one(
    pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step
) -> None:
    cases = Cases(pack, fixtures, 1)

    drawn = ["query", "wide-query", "one-input"]
    assert [case.name for case in cases.public(exercise, step)] == ["lesson", "lesson-keys", *drawn]
    assert [case.name for case in cases.fresh(exercise, step)] == drawn


def test_each_step_has_numbers_of_its_own(pack: Pack, fixtures: Fixtures) -> None:
    exercise = pack.exercise("ex02_softmax_weights")
    steps = [step for step in exercise.steps if "vector" in step.cases]
    cases = Cases(pack, fixtures, 1)

    drawn = [case.inputs["scores"].tobytes() for step in steps for case in cases.fresh(exercise, step)]

    assert len(steps) > 1
    assert len(set(drawn)) == len(drawn)


def test_a_case_with_a_generator_alone_has_a_fresh_one_that_begins_elsewhere(pack: Pack, fixtures: Fixtures) -> None:
    exercise = pack.exercise("ex05_scaled_scores")
    step = next(each for each in exercise.steps if each.id == "ex05.variance")
    drawn = [Cases(pack, fixtures, seed).fresh(exercise, step) for seed in (1, 1, 2)]
    first, same, other = ([case.template.inputs["generator"] for case in cases] for cases in drawn)

    assert first == same
    assert len({each.seed for each in (*first, *other) if isinstance(each, Generator)}) == 2 * len(step.cases)
    for fresh, public in zip(drawn[0], Cases(pack, fixtures, 1).public(exercise, step), strict=True):
        assert not fresh.is_public
        assert fresh.template == replace(public.template, inputs=fresh.template.inputs)
        assert {**fresh.template.inputs, "generator": 0} == {**public.template.inputs, "generator": 0}


def test_a_case_is_drawn_once(pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step) -> None:
    cases = Cases(pack, fixtures, 1)

    first, again = cases.fresh(exercise, step), cases.fresh(exercise, step)

    assert all(a is b for a, b in zip(first, again, strict=True))


def asked(pack: Pack, exercise: Exercise, step: Step, fixtures: Fixtures, *, fresh: bool) -> Question:
    cases = Cases(pack, fixtures, 1)
    case = (cases.fresh if fresh else cases.public)(exercise, step)[0]
    return Question(exercise, step, case, naming=pack.naming)


CHECKS = {check.name: check for check in BUILT_IN}


def test_without_a_solver_the_reference_knows_the_public_cases(
    pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step
) -> None:
    reference = Reference(fixtures, None)
    question = asked(pack, exercise, step, fixtures, fresh=False)

    expected = reference.expected(question, CHECKS[step.check].plan(question), OWN)
    reference.close()

    assert not reference.knows_fresh_cases
    assert expected.observation.tensors["result"].dtype == np.float64
    assert set(expected.floors) == {"result"}


def test_a_reference_that_fails_a_fresh_case_is_a_broken_pack(
    pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step, solve: Ask
) -> None:
    solver = solve(sources((exercise.id, f"def {step.of}(*a):\n    raise ValueError('broken')\n")), dtype="float64")
    reference = Reference(fixtures, solver)
    question = asked(pack, exercise, step, fixtures, fresh=True)

    with pytest.raises(
        SolutionError, match=rf"The reference fails {step.id}, case \S+, at {exercise.file}:2: ValueError: broken"
    ):
        reference.expected(question, CHECKS[step.check].plan(question), OWN)
    reference.close()


def test_a_module_that_the_reference_lacks_is_named(
    pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step, solve: Ask
) -> None:
    reference = Reference(fixtures, solve(sources(("another", "x = 1\n")), dtype="float64"))
    question = asked(pack, exercise, step, fixtures, fresh=True)

    with pytest.raises(SolutionError, match=rf"^The reference has no {exercise.file}\.$"):
        reference.expected(question, CHECKS[step.check].plan(question), OWN)
    reference.close()


@pytest.mark.parametrize("given", ["torch.arange(3)", "3.0"])
def test_a_stage_that_is_no_tensor_of_floats_is_named_with_what_to_do(
    pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step, solve: Ask, given: str
) -> None:
    source = f"import torch\n\ndef {step.of}(*a):\n    {step.stages[0]} = {given}\n    return a[0] * 2\n"
    solver = solve(sources((exercise.id, source)), dtype="float64")
    question = asked(pack, exercise, step, fixtures, fresh=True)

    with pytest.raises(SolutionError, match="gives no tensor of floating-point numbers to a name") as raised:
        asked_stages(solver, question, CHECKS[step.check].plan(question))
    assert repr(step.stages[0]) in str(raised.value)
    assert "grade verify" not in raised.value.remedy
    assert "`stages:`" in raised.value.remedy


def test_a_reference_answers_a_fresh_case_in_double_precision(
    pack: Pack, fixtures: Fixtures, exercise: Exercise, step: Step, solve: Ask
) -> None:
    reference = Reference(
        fixtures, solve(sources((exercise.id, f"def {step.of}(*a):\n    return a[0] * 2\n")), dtype="float64")
    )
    question = asked(pack, exercise, step, fixtures, fresh=True)
    run = CHECKS[step.check].plan(question)

    reference.prepare(question, run)
    answer = reference.expected(question, run, OWN).observation
    reference.close()

    first = next(iter(question.case.inputs.values()))
    assert answer.tensors["result"].tolist() == (2 * first.astype(np.float64)).tolist()
    assert answer.tensors["result"].dtype == np.float64
