"""What is said of two gradings of one submission."""

from __future__ import annotations

from dataclasses import replace

from grader.model.report import ExerciseResult, Status
from grader.report.changes import change, lines

from .hand_made import FAILED, MIXED, REPORT

MENDED = replace(FAILED, status=Status.PASSED, score=5.0, summary="", diagnosis=())
NOW = replace(
    REPORT,
    exercises=(*REPORT.exercises[:2], replace(MIXED, steps=(MIXED.steps[0], MENDED, *MIXED.steps[2:]))),
    submission={**REPORT.submission, "sha256": "2" * 64},
)


def test_the_same_report_has_not_changed_whatever_time_it_took() -> None:
    assert not change(REPORT, replace(REPORT, seconds=9.0))


def test_a_mended_step_says_what_it_was() -> None:
    found = change(replace(REPORT, exercises=REPORT.exercises[:3]), NOW)

    assert [*lines(found)] == [
        "ada  7 → 12 / 20 (other code)",
        "    ex10.output         failed → passed, 0 → 5; was: mask-discarded",
    ]


def test_a_broken_step_says_why() -> None:
    found = change(NOW, replace(REPORT, exercises=REPORT.exercises[:3]))

    assert [*lines(found)][1] == "    ex10.output         passed → failed, 5 → 0; mask-discarded"


def test_a_status_alone_is_a_change_and_so_is_a_step_that_is_gone() -> None:
    late = replace(FAILED, status=Status.TIMEOUT, diagnosis=(), summary="It was still running.")
    old = replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (FAILED, MIXED.steps[0])),))
    new = replace(
        REPORT,
        exercises=(ExerciseResult("ex10_mask", "Mask", (late,)),),
        pack={**REPORT.pack, "sha256": "3" * 64},
        environment={**REPORT.environment, "seed": 8},
    )

    assert [*lines(change(old, new))] == [
        "ada  1 → 0 / 5 (another pack, another seed)",
        "    ex10.output         failed → timeout, 0 → 0; It was still running.",
        "    ex10.params         passed → not graded, 1 → –",
    ]


def test_another_mistake_for_the_same_points_is_a_change() -> None:
    (mistake,) = FAILED.diagnosis
    other = replace(FAILED, diagnosis=(replace(mistake, id="mask-inverted"),))
    new = replace(REPORT, exercises=(replace(MIXED, steps=(MIXED.steps[0], other, *MIXED.steps[2:])),))
    old = replace(REPORT, exercises=(MIXED,))

    _, *told = lines(change(old, new))

    assert told == ["    ex10.output         failed → failed, 0 → 0; mask-inverted; was: mask-discarded"]


def test_what_a_report_of_others_calls_its_steps_is_printed_on_one_line() -> None:
    odd = replace(FAILED, id="ex10.\x1b[2J\n::error::\u202e")
    new = replace(REPORT, exercises=(replace(MIXED, steps=(odd,)),))

    (told,) = [line for line in lines(change(REPORT, new)) if "::error::" in line]

    assert told.isprintable()
    assert told.startswith("    ex10.[2J ::error:: ")
