"""The page of one student says what the report says, once, and shows the lines."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from grader.model.report import ExerciseResult, Report, Shares, Stage, Status
from grader.report.html.student import Html, student_page
from grader.words import speaking

from ..hand_made import FAILED, MIXED, PASSED, REPORT, saying
from .made import HOSTILE, PICTURE


def page(report: Report) -> str:
    """What the page shows, without its head."""
    return Html().render(report).split("<body>")[1]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_every_step_is_there_with_its_status_and_points() -> None:
    shown = page(REPORT)

    for exercise in REPORT.exercises:
        for step in exercise.steps:
            assert f'<li id="{step.id}" class="{step.status}">' in shown
    assert "7 of 24 points" in words(shown)


def test_a_mistake_is_named_with_the_line_marked_between_its_neighbours() -> None:
    shown = page(REPORT)

    assert "mask-discarded masked_fill returns a new tensor; yours is dropped." in words(shown)
    assert "<mark><i>5</i>    scores.masked_fill(mask, -torch.inf)  # and dropped</mark>" in shown
    assert "<span><i>6</i>    return scores</span>" in shown


def test_what_is_right_is_shown_in_whatever_language_is_spoken_though_it_is_drawn_once() -> None:
    shown = []
    for code in ("en", "de", "en", "de"):
        with speaking(code):
            shown.append(page(REPORT).partition('<section aria-labelledby="ex01_scores"')[2].partition("</section>")[0])

    assert shown[:2] == shown[2:]
    assert [("passed</span>" in each, "bestanden</span>" in each) for each in shown[:2]] == [
        (True, False),
        (False, True),
    ]


def test_nothing_is_said_twice() -> None:
    again = replace(FAILED, id="ex10.again")
    shown = page(replace(REPORT, exercises=(replace(MIXED, steps=(FAILED, again)),)))

    assert shown.count("<mark>") == 1
    assert shown.count("masked_fill returns a new tensor") == 1
    assert words(shown).count("As above.") == 2


def test_an_exception_is_shown_with_its_line_though_another_step_has_shown_it() -> None:
    raised = replace(FAILED, id="ex10.raises", status=Status.ERROR, diagnosis=(), summary="RuntimeError.")
    again = replace(raised, id="ex10.again")
    shown = page(replace(REPORT, exercises=(replace(MIXED, steps=(FAILED, raised, again)),)))

    assert shown.count("<mark>") == 2


def test_an_exception_that_a_mistake_above_names_is_not_shown_again_beside_another_one() -> None:
    (known,) = FAILED.diagnosis
    raised = replace(FAILED, status=Status.ERROR, summary="Raised.")
    new = replace(known, id="scale-missing", message="Not scaled.", line=4)
    again = replace(raised, id="ex10.again", diagnosis=(new, known), summary="Raised of other sizes.")
    shown = page(replace(REPORT, exercises=(replace(MIXED, steps=(raised, again)),)))

    assert shown.count("<mark>") == 2


def test_what_was_raised_stands_below_the_line_that_raised_it() -> None:
    (known,) = FAILED.diagnosis
    behind = replace(known, id="scale-missing", message="Not scaled.", line=6)
    raised = replace(FAILED, status=Status.ERROR, diagnosis=(known, behind), summary="Raised so.")
    shown = words(page(replace(REPORT, exercises=(replace(MIXED, steps=(raised,)),))))

    assert shown.index("mask-discarded") < shown.index("Raised so.") < shown.index("scale-missing")
    assert shown.count("Raised so.") == 1


def test_a_mistake_that_was_told_of_in_several_lines_is_referred_to_once() -> None:
    (known,) = FAILED.diagnosis
    twice = replace(FAILED, diagnosis=(known, replace(known, line=4)))
    shown = page(replace(REPORT, exercises=(replace(MIXED, steps=(twice, replace(twice, id="ex10.again"))),)))

    assert words(shown.partition("ex10.again")[2]).count("mask-discarded") == 1


def test_a_note_stands_with_the_step_that_is_wrong_and_once() -> None:
    noted = replace(FAILED, notes=("Nothing was drawn.",))
    passed = replace(MIXED.steps[0], id="ex10.after")
    shown = words(
        page(replace(REPORT, exercises=(replace(MIXED, steps=(noted, passed, replace(noted, id="ex10.b"))),)))
    )

    assert shown.count("Nothing was drawn.") == 1
    assert shown.index("ex10.output") < shown.index("Nothing was drawn.") < shown.index("ex10.after")
    assert shown.index("ex10.b") < shown.index("W_q for W_query; accepted")  # it is right, and has nothing else to say


def test_what_a_note_has_between_backticks_is_code_as_elsewhere() -> None:
    noted = replace(FAILED, notes=("output: 1 point, for what is right up to `scaled`",))
    shown = page(replace(REPORT, exercises=(replace(MIXED, steps=(noted,)),), notes=("Nothing of `extra` is read.",)))

    assert "for what is right up to <code>scaled</code>" in shown
    assert "Nothing of <code>extra</code> is read." in shown


def test_how_far_it_is_right_is_said_where_no_mistake_is_named() -> None:
    lost = replace(FAILED, diagnosis=(), stage=Stage("scores", "weights", "ex10_mask.py", 6))
    shown = page(replace(REPORT, exercises=(ExerciseResult("ex10_mask", "Mask", (lost,)),)))

    assert "Right up to <code>scores</code>; it goes wrong where <code>weights</code> should be:" in shown
    assert "near ex10_mask.py:6" in shown


def test_a_picture_is_two_maps_and_a_table() -> None:
    shown = page(replace(REPORT, exercises=(replace(MIXED, steps=(replace(FAILED, picture=PICTURE),)),)))

    assert shown.count('<svg role="img"') == 2 * len(PICTURE.slices)
    assert shown.count('class="wrong"') == 1
    assert "0.50 (expected 1.00)" in shown


def test_what_softmax_makes_is_shown_of_a_wrong_step_and_of_a_passed_one() -> None:
    shares = Shares("lesson", ("scores", "scaled"), (((1.0, 0.0),), ((0.75, 0.25),)))
    passed = replace(PASSED.steps[0], shares=shares)
    shown = page(replace(REPORT, exercises=(replace(MIXED, steps=(passed, replace(FAILED, shares=shares))),)))

    assert shown.count('aria-label="softmax(scaled), 1 × 2. A row&#39;s largest share is 0.75 on average."') == 2
    assert shown.count("<caption>softmax(scaled)</caption>") == 2
    assert "What softmax makes of each, on the public case <code>lesson</code>" in shown


def test_a_page_alone_leads_nowhere_and_one_of_a_class_back() -> None:
    assert "All students" not in Html().render(REPORT)
    assert '<a href="../index.html">← All students</a>' in student_page(REPORT, back="../index.html")


def test_a_name_stands_above_the_id() -> None:
    assert words(page(REPORT)).startswith("ada 7 of 24")
    assert "Ada Lovelace <small>ada</small>" in student_page(REPORT, name="Ada Lovelace")


def test_what_was_handed_in_late_is_told_beside_the_name() -> None:
    assert words(student_page(REPORT, late=True).split("<body>")[1]).startswith("ada handed in late 7 of 24")
    assert "handed in late" not in student_page(REPORT)


@pytest.mark.parametrize("text", [*HOSTILE, "\x1b[31m", "\x00", "\ud800"])
def test_whatever_a_student_writes_the_page_has_the_same_tags(text: str) -> None:
    def tags(report: Report) -> list[str]:
        return re.findall(r"<(?:[a-z/][^>\s]*|!--)", Html().render(report))

    shown = Html().render(saying(text))

    assert tags(saying(text)) == tags(saying("x"))
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e\u2066\ud800]", shown)
