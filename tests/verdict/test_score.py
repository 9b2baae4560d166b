"""Points follow from what became of a step on each device."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.diagnosis.evidence import Mistake
from grader.model.report import Diagnosis, Shares, Status, Target, Verdict
from grader.verdict.examined import Examined
from grader.verdict.score import blocked, verdict

from ..judge.hand_made import EXERCISE, exercise, step

STEP = step(hints=("one", "two", "three"))
OURS = exercise(STEP, mistakes={"mask-missing": "The mask is never used."})
PASSED = Examined(Status.PASSED, notes=("W_q for W_query; accepted",))
ABSENT = Examined(Status.UNAVAILABLE)
FAILED = Examined(Status.FAILED, "3 of 6 values are off.", f"{EXERCISE}.py", 31, 5, mistakes=(Mistake("mask-missing"),))


def test_a_step_that_passes_everywhere_has_its_points() -> None:
    decided = verdict(OURS, STEP, [("cpu", "float32", PASSED), ("cuda", "float32", PASSED)])

    assert (decided.status, decided.score, decided.max_score) == (Status.PASSED, 4, 4)
    assert (decided.summary, decided.file, decided.line, decided.diagnosis) == ("", "", 0, ())
    assert decided.notes == ("W_q for W_query; accepted",)


@pytest.mark.parametrize(
    ("line", "near", "told"), [(7, False, (7, False)), (7, True, (7, True)), (0, True, (31, True))]
)
def test_of_a_statement_that_is_lacking_the_line_is_one_near_it(line: int, near: bool, told: tuple[int, bool]) -> None:
    failed = replace(FAILED, mistakes=(Mistake("mask-missing", line, near=near),))

    (found,) = verdict(OURS, STEP, [("cpu", "float32", failed)]).diagnosis

    assert (found.line, found.near) == told


def test_a_step_that_passes_nowhere_has_none_and_says_why() -> None:
    decided = verdict(OURS, STEP, [("cpu", "float32", FAILED)], hints=("one",), extra_notes=("a note",))

    assert (decided.status, decided.score, decided.max_score) == (Status.FAILED, 0, 4)
    assert decided.summary == "3 of 6 values are off."
    assert (decided.file, decided.line, decided.column) == (f"{EXERCISE}.py", 31, 5)
    assert decided.diagnosis == (Diagnosis("mask-missing", "The mask is never used.", f"{EXERCISE}.py", 31, near=True),)
    assert (decided.hints, decided.notes) == (("one",), ("a note",))


def test_what_is_drawn_is_of_the_device_that_fails_and_else_of_the_first() -> None:
    right, wrong = (Shares("lesson", names, ()) for names in (("scores",), ("scores", "result")))
    passed, failed = replace(PASSED, shares=right), replace(FAILED, shares=wrong)

    on_one = verdict(OURS, STEP, [("cpu", "float32", passed), ("cuda", "float32", failed)])
    on_both = verdict(OURS, STEP, [("tpu", "float32", ABSENT), ("cpu", "float32", passed)])

    assert (on_one.shares, on_both.shares) == (wrong, right)
    assert verdict(OURS, STEP, [("cuda", "float32", ABSENT)]).shares is None


def test_right_on_the_cpu_alone_earns_the_cpus_half() -> None:
    decided = verdict(OURS, STEP, [("cpu", "float32", PASSED), ("cuda", "float32", FAILED)])

    assert (decided.status, decided.score, decided.max_score) == (Status.PARTIAL, 2, 4)
    assert decided.summary == "On cuda: 3 of 6 values are off."
    assert decided.targets == (
        Target("cpu", "float32", Status.PASSED),
        Target("cuda", "float32", Status.FAILED),
    )


def test_a_device_that_is_not_here_costs_nothing() -> None:
    passed = verdict(OURS, STEP, [("cpu", "float32", PASSED), ("cuda", "float32", ABSENT)])
    failed = verdict(OURS, STEP, [("cpu", "float32", FAILED), ("cuda", "float32", ABSENT)])

    assert (passed.status, passed.score, passed.max_score) == (Status.PASSED, 4, 4)
    assert (failed.status, failed.summary) == (Status.FAILED, "3 of 6 values are off.")
    assert passed.targets[1] == Target("cuda", "float32", Status.UNAVAILABLE)


def test_a_step_that_no_device_can_be_asked_lowers_the_maximum() -> None:
    decided = verdict(OURS, STEP, [("cuda", "float32", ABSENT)])

    assert (decided.status, decided.score, decided.max_score) == (Status.UNAVAILABLE, 0, 0)


@pytest.mark.parametrize("status", [Status.ERROR, Status.TIMEOUT, Status.CRASHED, Status.UNSTARTED, Status.FAILED])
def test_what_is_not_passed_keeps_its_own_status(status: Status) -> None:
    decided = verdict(OURS, STEP, [("cpu", "float32", Examined(status, "Something."))])

    assert (decided.status, decided.score) == (status, 0)


def test_a_mistake_that_the_rubric_has_no_words_for_is_named_all_the_same() -> None:
    found = Examined(Status.FAILED, "Off.", mistakes=(Mistake("input-mutated"),))

    decided = verdict(OURS, STEP, [("cpu", "float32", found)])

    assert decided.diagnosis == (Diagnosis("input-mutated", ""),)


def test_a_note_that_two_devices_share_stands_once() -> None:
    decided = verdict(OURS, STEP, [("cpu", "float32", PASSED), ("cuda", "float32", PASSED)], extra_notes=PASSED.notes)

    assert decided.notes == PASSED.notes


def test_a_step_that_waits_says_for_what() -> None:
    missing = Verdict("ex10.output", "Context vectors", Status.FAILED, score=0, max_score=4)

    waiting = blocked(STEP, missing, [Target("cpu", "float32", Status.BLOCKED)], ("one",))

    assert (waiting.status, waiting.score, waiting.max_score) == (Status.BLOCKED, 0, 4)
    assert waiting.summary == "Waits for ex10.output (context vectors)."
    assert waiting.hints == ("one",)


def test_a_note_in_a_students_words_is_cleaned() -> None:
    odd = Examined(Status.PASSED, notes=("a \x1b[2J\u202ex for a tuple; accepted",))

    assert verdict(OURS, STEP, [("cpu", "float32", odd)]).notes == ("a [2Jx for a tuple; accepted",)
