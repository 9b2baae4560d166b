"""Why a step is not right is told as far as it is known, at the line that is nearest to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.diagnosis.changes.passing import Passing
from grader.diagnosis.changes.trials import Trials
from grader.diagnosis.diagnose import Diagnostician
from grader.diagnosis.evidence import Mistake
from grader.judge.ask import Asker
from grader.model.check import Question
from grader.model.report import Picture, Stage, Status
from grader.model.run import OWN
from grader.verdict.examined import Examined
from grader.verdict.tutor import Tutor

from ..judge.hand_made import EXERCISE, FUNCTION, answer, exercise, function, step
from .test_examine import NAMING, HandMadeBench, case, doubled, twice

STEP = step(stages=("scores", "scaled", "masked", "weights"), credit={"scaled": 2})
OURS = exercise(STEP)
FILE = f"{EXERCISE}.py"
CASE = case(1)
QUESTION = Question(OURS, STEP, CASE, "cpu", "float32", NAMING)
STAGE = Stage("scaled", "masked", FILE, 3)
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
    diagnostician = Diagnostician(bench, asker, follower, Passing(bench, asker))  # type: ignore[arg-type]
    tutor = Tutor(bench, diagnostician, follower, Trials(bench, asker, follower))  # type: ignore[arg-type]
    return tutor.explained(OURS, STEP, OWN, replace(examined, mistakes=tuple(known)))


def test_a_wrong_result_is_told_at_the_statement_that_makes_it() -> None:
    found = explained(FAILED, function("y = x * 2", "z = y + 1", "return z"))

    assert (found.file, found.line) == (FILE, 3)


def test_arguments_in_another_order_are_the_one_thing_that_is_told() -> None:
    written = f"def {FUNCTION}(p, x):\n    return x\n"

    found = explained(FAILED, written, known=[Mistake("mask-missing")])

    assert (found.mistakes, found.stage, found.line) == ((), None, 1)
    assert found.remark and found.remark in found.notes
