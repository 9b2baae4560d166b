"""Why a step is not right is told as far as it is known: what it earns by its stages, and how far it is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from grader.diagnosis.diagnose import Diagnostician
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.trials import Trials
from grader.judge.ask import Asker
from grader.model.check import Question
from grader.model.report import Picture, Stage, Status
from grader.model.run import OWN
from grader.verdict.examined import Examined
from grader.verdict.tutor import Tutor
from grader.words import say

from ..judge.hand_made import EXERCISE, FUNCTION, answer, exercise, function, step
from .test_examine import NAMING, HandMadeBench, case, doubled, twice

STEP = step(stages=("scores", "scaled", "masked", "weights"), credit={"scaled": 2})
OURS = exercise(STEP)
FILE = f"{EXERCISE}.py"
CASE = case(1)
QUESTION = Question(OURS, STEP, CASE, "cpu", "float32", NAMING)
STAGE = Stage("scaled", "masked", FILE, 3)
EARNED = {"step": STEP.name, "count": 2, "stage": "scaled"}
ANSWERS = {CASE: answer({"result": CASE.inputs["x"]})}
FAILED = Examined(Status.FAILED, "3 of 6 values are off.", FILE, 1, question=QUESTION, answers=ANSWERS)


@dataclass
class HandMadeFollower:
    """What is known of how far a solution is right."""

    earned: tuple[int, str] = (0, "")
    reached: Stage | None = STAGE
    as_result: str = ""
    drawn: Picture | None = None
    until: int = 0

    def credit(self, *_: Any) -> tuple[int, str]:
        return self.earned

    def stage(self, *_: Any) -> Stage | None:
        return self.reached

    def returned(self, *_: Any) -> str:
        return self.as_result

    def picture(self, *_: Any) -> Picture | None:
        return self.drawn

    def right_until(self, *_: Any) -> int:
        return self.until


def explained(examined: Examined, written: str = "", *, known: Sequence[Mistake] = (), **of: Any) -> Examined:
    bench = HandMadeBench(doubled, twice, [CASE], written=written or function("return x"))
    asker, follower = Asker(bench), HandMadeFollower(**of)  # type: ignore[arg-type]
    diagnostician = Diagnostician(bench, asker, follower)  # type: ignore[arg-type]
    tutor = Tutor(bench, diagnostician, follower, Trials(bench, asker, follower))  # type: ignore[arg-type]
    return tutor.explained(OURS, STEP, OWN, replace(examined, mistakes=tuple(known)))


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


def test_a_wrong_result_is_told_at_the_statement_that_makes_it() -> None:
    found = explained(FAILED, function("y = x * 2", "z = y + 1", "return z"))

    assert (found.file, found.line) == (FILE, 3)


def test_a_line_that_is_known_stays_also_for_the_stage_that_goes_wrong_there() -> None:
    placed = replace(FAILED, line=2, is_placed=True)

    found = explained(placed, function("y = x * 2", "return y"))

    assert found.line == 2
    assert found.stage == replace(STAGE, line=2)


def test_arguments_in_another_order_are_the_one_thing_that_is_told() -> None:
    written = f"def {FUNCTION}(p, x):\n    return x\n"

    found = explained(FAILED, written, known=[Mistake("mask-missing")])

    assert (found.mistakes, found.stage, found.line) == ((), None, 1)
    assert found.remark and found.remark in found.notes
