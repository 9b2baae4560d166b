"""What another public case shows is told beside the one that fails, and what a fresh one shows is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from grader.diagnosis.other_cases import beside_misshapen, beside_tied, divided_elsewhere, is_right_on_one
from grader.diagnosis.source.joined import Joined
from grader.diagnosis.source.tree import parsed
from grader.model.case import FRESH, PUBLIC, Case, Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.pack import CaseTemplate, Draw, Exercise, Step
from grader.model.run import OWN, World
from grader.words import say
from tests.judge.hand_made import answer, exercise, function, step

X = np.ones((2, 3), np.float32)
DIVIDING = function("return x / p").replace("(x)", "(x, p)")
TIED = Finding(False, say("check.tied", one="W_query", other="W_key"), about="W_key")
MISSHAPEN = wrong(say("check.slot-shape", slot="W_query", shape=(3, 4), expected=(4, 3)))


@dataclass(frozen=True)
class Saying:
    """A check that says of each case what it is told to."""

    said: Mapping[str, Finding]
    compares = False

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        return self.said[question.case.name]


@dataclass
class Asked:
    """A bench and an asker in one, whose solution gives one array on every case."""

    drawn: Sequence[Case]
    said: Mapping[str, Finding] = field(default_factory=dict)
    gives: Any = field(default_factory=lambda: X)

    @property
    def bench(self) -> Asked:
        return self

    @property
    def checks(self) -> Mapping[str, Saying]:
        return {"output": Saying(self.said)}

    def cases(self, exercise: Exercise, step: Step, world: World) -> Sequence[Case]:
        return self.drawn

    def question(self, exercise: Exercise, step: Step, case: Case) -> Question:
        return Question(exercise, step, case)

    def answer(self, question: Question, world: World) -> Observation:
        return answer({"result": self.gives})


def case(name: str, p: float = 0.5, origin: str = PUBLIC) -> Case:
    return Case(CaseTemplate(name, inputs={"x": Draw("normal", (2, 3)), "p": p}), origin, {"x": X})


def asked(**said: Finding) -> Any:
    """Who is asked cases of these names, of which this is found."""
    return Asked([case(name, origin=FRESH if name == "fresh" else PUBLIC) for name in said], said)


@pytest.mark.parametrize(
    ("said", "is_right"),
    [
        ({"one": wrong("off"), "other": RIGHT}, True),
        ({"one": wrong("off"), "other": wrong("off")}, False),
        ({"one": wrong("off"), "fresh": RIGHT}, False),
    ],
)
def test_a_step_is_right_somewhere_where_a_public_case_is(said: Mapping[str, Finding], is_right: bool) -> None:
    assert is_right_on_one(asked(**said), exercise(step()), step(), OWN) is is_right


def test_what_other_cases_show_is_named_beside_parameters_that_are_one() -> None:
    asker = asked(one=TIED, other=wrong("off", "bias-ignored"))

    assert beside_tied(asker, exercise(step()), step(), TIED, OWN) == ["projection-reused", "bias-ignored"]
    assert beside_tied(asker, exercise(step()), step(), MISSHAPEN, OWN) == []
    assert beside_tied(asked(one=TIED, other=RIGHT), exercise(step()), step(), TIED, OWN) == []


def test_beside_a_parameter_of_another_shape_a_missing_bias_alone_is_named() -> None:
    asker = asked(one=MISSHAPEN, other=wrong("off", "bias-ignored"), third=wrong("off", "projection-reused"))

    assert beside_misshapen(asker, exercise(step()), step(), MISSHAPEN, OWN) == ["bias-ignored"]
    assert beside_misshapen(asker, exercise(step()), step(), TIED, OWN) == []


@pytest.mark.parametrize(
    ("other", "gives", "is_told"),
    [
        (case("other", p=0.0), np.full_like(X, np.inf), True),
        (case("other", p=0.0), X, False),
        (case("other", p=0.5), np.full_like(X, np.inf), False),
        (case("other", p=0.0, origin=FRESH), np.full_like(X, np.inf), False),
    ],
)
def test_a_division_by_zero_is_told_of_another_public_case_whose_result_it_spoils(
    other: Case, gives: Any, is_told: bool
) -> None:
    source = DIVIDING.replace("x / p", "x / (1 - 1 + p)")
    asker: Any = Asked([case("one"), other], gives=gives)
    question = asker.question(exercise(step()), step(), asker.drawn[0])

    notes = divided_elsewhere(question, asker, parsed(source), Joined(source, source), OWN)

    assert [note.startswith("in the case other, ") for note in notes] == ([True] if is_told else []), notes
