"""A student who reads a gradebook alone is told in a few words what keeps an exercise from being graded at all."""

from __future__ import annotations

from dataclasses import replace

from grader.model.handed import Identity
from grader.model.pack import Visibility
from grader.model.report import ExerciseResult, Report, Status
from grader.report.gradebook import grade_of
from grader.report.outcome import Outcome
from grader.report.summary import Entry

from .hand_made import BROKEN, MIXED, PASSED, REPORT, verdict


def told(*exercises: ExerciseResult, **parts: object) -> str:
    report: Report = replace(REPORT, exercises=exercises)
    return grade_of(Entry(Identity("Ada"), report, Outcome.PARTIAL, **parts)).told  # type: ignore[arg-type]


def broken(name: str, summary: str, count: int = 2, **parts: object) -> ExerciseResult:
    parts = {"file": f"{name}_more.py", **parts}
    steps = (verdict(f"{name}.{at}", Status.ERROR, 0, 1, summary=summary, **parts) for at in "abc"[:count])
    return ExerciseResult(f"{name}_more", "More", tuple(steps))


def test_why_a_module_cannot_be_read_is_told_with_its_exercise() -> None:
    assert told(PASSED, BROKEN) == "2 of 4 steps passed; ex11: Python cannot read line 1: invalid syntax"
    assert told(PASSED, broken("ex12", "It is a Word file.", 1)) == "2 of 3 steps passed; ex12: It is a Word file"


def test_what_is_so_of_several_exercises_is_told_once_and_of_all_without_their_names() -> None:
    two = broken("ex12", "It is a Word file."), broken("ex13", "It is a Word file.")

    assert told(PASSED, *two) == "2 of 6 steps passed; ex12, ex13: It is a Word file"
    assert told(*two) == "0 of 4 steps passed; It is a Word file"


def test_what_a_step_alone_says_is_left_to_the_report() -> None:
    raised = broken("ex12", "ValueError: no", 1, line=3)

    assert told(PASSED, raised) == "2 of 3 steps passed"
    assert told(MIXED) == "1 of 6 steps passed; mask-discarded"
    assert told(PASSED) == "2 of 2 steps passed"


def test_a_few_words_are_told_of_many_and_none_of_what_is_hidden() -> None:
    each = [broken(f"ex{number}", f"Line {number}: {'long ' * 100}") for number in range(20, 30)]

    assert len(told(*each)) < 600
    hidden = broken("ex12", "It is a secret.", visibility=Visibility.HIDDEN)
    assert "secret" not in told(PASSED, hidden)


def test_what_could_not_be_graded_is_told_as_a_sentence() -> None:
    report = replace(REPORT, notes=("nothing was handed in",))

    assert grade_of(Entry(Identity("Ada"), report, Outcome.REFUSED)).told == "Nothing was handed in."
