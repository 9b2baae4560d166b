"""One thing that keeps a whole exercise from being asked is told once, and no hint is offered there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.report import ExerciseResult, Status, Verdict
from grader.report.following import fail_alike, next_step, said_at_once
from grader.words import say, speaking

from .hand_made import BROKEN, BROKEN_SUMMARY, MIXED, PASSED, REPORT, UNSTARTED, verdict

FILE = "ex12_more.py"


def of(*steps: Verdict) -> ExerciseResult:
    return ExerciseResult("ex12_more", "More", steps)


def failing(summary: str, name: str = "one", status: Status = Status.ERROR, line: int = 1) -> Verdict:
    return verdict(f"ex12.{name}", status, 0, 1, summary=summary, file=FILE, line=line)


def undefined(name: str) -> Verdict:
    return failing(say("judge.nothing-defined", of=name, file=FILE), name, Status.FAILED, 0)


WAITING = verdict("ex12.later", Status.BLOCKED, 0, 1, summary="Waits for ex12.one (one).")


def kept_from_loading() -> list[Verdict]:
    """The step of an exercise that has one alone, whose module does not load."""
    outside = say("judge.outside-functions", said="NameError: name 'y' is not defined")
    what = say("judge.while-imported", file=FILE)
    return [
        failing(BROKEN_SUMMARY),
        failing(say("judge.cannot-read-imported", place="line 1", file="helpers.py", message="invalid syntax")),
        failing(outside),
        failing(say("judge.with-more", said=outside, more="did you mean `x`?")),
        failing(say("judge.timeout", what=what, seconds="10"), status=Status.TIMEOUT),
        failing(say("judge.crashed", what=what, why="the process ended by itself"), status=Status.CRASHED),
        failing("ex12_more.py is a Word file.", line=0),
    ]


@pytest.mark.parametrize("language", ["en", "de", "es"])
def test_of_an_only_step_whose_module_does_not_load_no_hint_is_offered(language: str) -> None:
    with speaking(language):
        for step in kept_from_loading():
            assert fail_alike(of(step)), step.summary
            assert next_step(replace(REPORT, exercises=(of(step),))) is None


def test_of_an_only_step_that_was_asked_the_hint_is_offered() -> None:
    asked = [
        failing("ValueError: no"),
        failing(say("judge.timeout", what="`f`", seconds="10"), status=Status.TIMEOUT),
        failing("3 of 6 values are off.", status=Status.FAILED),
    ]
    for step in asked:
        assert not fail_alike(of(step)), step.summary
        assert next_step(replace(REPORT, exercises=(of(step),))) is step


def test_a_module_that_defines_nothing_is_told_at_once_and_its_first_hint_is_offered() -> None:
    one, two = undefined("one"), undefined("two")

    assert said_at_once(of(one, two)) is one and not fail_alike(of(one, two))
    assert said_at_once(of(WAITING, one, two)) is one
    assert said_at_once(of(one, failing("ValueError: no"))) is None
    assert said_at_once(of(WAITING)) is None
    assert next_step(replace(REPORT, exercises=(of(one, two),))) is one


def test_steps_that_fail_by_one_thing_are_no_work_of_a_hint_nor_is_what_is_not_begun_behind_them() -> None:
    assert fail_alike(BROKEN)
    assert not any(fail_alike(each) for each in (PASSED, UNSTARTED, MIXED))
    assert next_step(replace(REPORT, exercises=(BROKEN, UNSTARTED))) is None
    assert next_step(replace(REPORT, exercises=(UNSTARTED, BROKEN))) is UNSTARTED.steps[0]
