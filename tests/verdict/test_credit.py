"""How far a step is right is told by its stages, and earns what the rubric says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.diagnosis.evidence import Mistake
from grader.model.report import Picture, Status
from grader.verdict.examined import Examined
from grader.words import say

from ..judge.hand_made import function
from .test_tutor import FAILED, FILE, STAGE, STEP, explained

EARNED = {"step": STEP.name, "count": 2, "stage": "scaled"}


def test_how_far_a_step_is_right_is_told_where_no_mistake_is_known() -> None:
    assert explained(FAILED).stage == STAGE
    assert explained(FAILED, known=[Mistake("mask-missing")]).stage is None


def test_an_intermediate_result_that_is_returned_is_told_first_and_in_place_of_a_stage() -> None:
    found = explained(FAILED, function("y = x * 2", "return y"), as_result="scores")

    said = say("judge.returned-stage", stage="scores")
    assert (found.stage, found.remark) == (None, said)
    assert said in found.notes
    assert found.line == 2  # the statement that makes it


@pytest.mark.parametrize(
    ("mistakes", "notes", "right", "said"),
    [
        ((), (), "scaled", say("judge.credit", **EARNED)),
        (("mask-missing",), (), "scaled", say("judge.credit", **EARNED)),
        # of a stage that the mistake says is missing, it was made and let go
        (("scale-missing",), (), "scaled", say("judge.credit-let-go", **EARNED)),
        # whose numbers are right on their side
        (("query-key-swapped",), (), "scaled", say("judge.credit-turned", **EARNED)),
        ((), (say("judge.nearly", error="0.1", allowed="0.01"),), "scaled", say("judge.credit-nearly", **EARNED)),
    ],
)
def test_what_a_step_earns_by_its_stages_is_told_as_what_it_is(
    mistakes: tuple[str, ...], notes: tuple[str, ...], right: str, said: str
) -> None:
    found = explained(replace(FAILED, notes=notes), known=[Mistake(name) for name in mistakes], earned=(2, right))

    assert found.credit == 2
    assert [note for note in found.notes if note.startswith(STEP.name)] == [said]


def test_a_stage_that_is_right_only_because_its_scores_are_symmetric_earns_nothing() -> None:
    mistaken = [Mistake("softmax-wrong-axis")]

    assert explained(FAILED, known=mistaken, earned=(2, "weights")).credit == 0
    assert explained(FAILED, known=mistaken, earned=(2, "scaled")).credit == 2


@pytest.mark.parametrize("status", [Status.ERROR, Status.UNSTARTED, Status.CRASHED])
def test_what_did_not_come_to_an_end_earns_nothing_by_its_stages(status: Status) -> None:
    ended = Examined(status, "ValueError: no.", FILE, 2)

    found = explained(ended, earned=(2, "scaled"))

    assert (found.credit, found.stage) == (0, None)


def test_a_picture_of_the_stage_that_goes_wrong_takes_the_place_of_the_result_s() -> None:
    whole = Picture("seed-1", "result", ("",), (((1.0,),),), (((2.0,),),), 0, 0)
    of_stage = replace(whole, name="scaled")

    assert explained(replace(FAILED, picture=whole), drawn=of_stage).picture == of_stage
    assert explained(replace(FAILED, picture=whole)).picture == whole
    assert explained(FAILED, drawn=of_stage).picture is None  # of what nobody is to see


def test_a_line_that_is_known_stays_also_for_the_stage_that_goes_wrong_there() -> None:
    placed = replace(FAILED, line=2, is_placed=True)

    found = explained(placed, function("y = x * 2", "return y"))

    assert found.line == 2
    assert found.stage == replace(STAGE, line=2)
