"""CSV for spreadsheets and gradebooks: no formula, no thousands, nobody who cannot be told apart."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.handed import Identity
from grader.model.pack import Visibility
from grader.report.cells import FORMULA, SIGNS, rows
from grader.report.gradebook import Grade, grade_of, gradebook
from grader.report.outcome import Outcome, outcome
from grader.report.summary import Entry, summary

from .awkward import AWKWARD
from .hand_made import PASSED, REPORT

STEPS = ["ex01.one", "ex01.all", "ex02.rows", "ex10.output", "ex99.other"]
ADA = Identity("Ada Lovelace", "7", "ada@example.org")
GRADES = [
    Grade(ADA, 1234.5, 2000, "2 of 3 steps"),
    Grade(Identity("=HYPERLINK()", "8", "+eve@example.org", late=True), 0.0, 2000),
    Grade(Identity("Bob, Jr.", "9", "bob@example.org"), None, 2000),
    Grade(Identity("anonymous"), 3.0, 2000),
]
TOGETHER = Grade(Identity("Ada, Bob, Eve", "1, 2", "ada@example.org, , eve@example.org"), 5.0, 2000, "all steps")


@pytest.mark.parametrize("sign", FORMULA)
def test_a_cell_that_would_be_a_formula_is_text(sign: str) -> None:
    (line,) = rows([[f"{sign}1+1", "a=b", -1.5]])

    first, *others = next(csv.reader([line]))
    assert first.startswith("'")
    assert others == ["a=b", "-1.5"]


@pytest.mark.parametrize("between", ["", " ", '"', ' ""'])
@pytest.mark.parametrize("sign", SIGNS)
def test_no_cell_is_a_formula_where_cells_are_parted_by_semicolons(sign: str, between: str) -> None:
    (line,) = rows([["a", f"x;{between}{sign}1+1", f";;{sign}1", "a; b = 1"]])

    assert not any(cell.strip(' "').startswith(FORMULA) for cell in line.split(";"))
    assert next(csv.reader([line]))[3] == "a; b = 1"


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_whatever_is_written_is_read_back_as_one_row_of_harmless_cells(texts: list[str]) -> None:
    (line,) = rows([texts])

    (cells,) = csv.reader([line])
    assert len(cells) == len(texts)
    assert not any(cell.startswith(FORMULA) for cell in cells)


def test_canvas_gets_its_columns_in_its_order_and_plain_numbers() -> None:
    text, missing = gradebook("canvas", "Attention", GRADES, "canvas")

    assert text.splitlines() == [
        "Student,ID,SIS Login ID,Section,Attention",
        "    Points Possible,,,,2000",
        "Ada Lovelace,7,ada@example.org,,1234.5",
        "'=HYPERLINK(),8,'+eve@example.org,,0",
        '"Bob, Jr.",9,bob@example.org,,',
    ]
    assert missing == 1


def test_moodle_gets_addresses_and_a_dash_for_no_grade() -> None:
    text, missing = gradebook("moodle", "Attention", GRADES, "gradescope")

    assert text.splitlines() == [
        "Email address,Attention,Feedback",
        "ada@example.org,1234.5,2 of 3 steps",
        "'+eve@example.org,0,",
        "bob@example.org,-,",
    ]
    assert missing == 1


def test_moodle_gets_the_worksheet_of_its_assignment_where_no_address_is_known() -> None:
    grades = [replace(grade, identity=replace(grade.identity, email="")) for grade in GRADES]

    text, missing = gradebook("moodle", "Attention", grades, "moodle")

    assert text.splitlines() == [
        "Identifier,Full name,Grade,Last modified (grade),Feedback comments",
        "Participant 7,Ada Lovelace,1234.5,-,2 of 3 steps",
        "Participant 8,'=HYPERLINK(),0,-,",
        'Participant 9,"Bob, Jr.",,-,',  # there a dash would be read as 0, and an empty cell is passed over
    ]
    assert missing == 1


@pytest.mark.parametrize(
    ("platform", "layout"),
    [("moodle", "canvas"), ("moodle", "github"), ("canvas", "moodle"), ("canvas", "gradescope"), ("canvas", "github")],
)
def test_nobody_gets_the_points_of_who_has_that_number_on_another_platform(platform: str, layout: str) -> None:
    grades = [replace(grade, identity=replace(grade.identity, email="")) for grade in GRADES]

    text, missing = gradebook(platform, "Attention", grades, layout)

    headings = {"Student", "    Points Possible", "Identifier"}
    assert {line.split(",")[0] for line in text.splitlines()} <= headings
    assert missing == len(grades)


@pytest.mark.parametrize("platform", ["canvas", "moodle"])
def test_of_two_who_claim_one_number_nobody_gets_the_points_of_the_other(platform: str) -> None:
    grades = [replace(grade, identity=replace(grade.identity, email="")) for grade in GRADES]
    eve = replace(grades[1], identity=replace(grades[1].identity, name="eve", user_id="7"))

    text, missing = gradebook(platform, "Attention", [*grades, eve], platform)

    assert "Ada" not in text
    assert "eve" not in text
    assert "Bob, Jr." in text
    assert missing == 3


@pytest.mark.parametrize("address", ["ada@example.org", "Ada@Example.ORG", "eve@example.org, ada@example.org"])
def test_of_two_who_claim_one_address_nobody_gets_the_points_of_the_other(address: str) -> None:
    eve = Grade(Identity("Eve", "4", address), 2000.0, 2000)

    text, missing = gradebook("moodle", "Attention", [GRADES[0], eve, GRADES[2]], "gradescope")

    assert "ada@" not in text.lower()
    assert "bob@example.org" in text
    assert ("eve@example.org,2000" in text) == ("eve@" in address)
    assert missing == 2


def test_an_address_that_is_its_students_number_as_well_is_claimed_once() -> None:
    grades = [replace(GRADES[0], identity=replace(ADA, user_id=ADA.email)), GRADES[2]]

    assert gradebook("moodle", "Attention", grades, "gradescope")[1] == 0


def test_who_handed_in_together_gets_a_row_each_where_an_address_is_known() -> None:
    text, missing = gradebook("moodle", "Attention", [TOGETHER, GRADES[2]], "gradescope")

    assert text.splitlines() == [
        "Email address,Attention,Feedback",
        "ada@example.org,5,all steps",
        "eve@example.org,5,all steps",
        "bob@example.org,-,",
    ]
    assert missing == 1
    assert gradebook("canvas", "Attention", [TOGETHER], "gradescope")[1] == 3


def test_a_student_is_told_how_many_steps_passed_and_which_mistakes_are_in_the_others() -> None:
    refused = replace(REPORT, notes=("There is nothing in it.",))

    told = grade_of(Entry(ADA, REPORT, Outcome.CRASHED)).told
    assert told == "3 of 11 steps passed; mask-discarded; ex11: Python cannot read line 1: invalid syntax"
    assert grade_of(Entry(ADA, refused, Outcome.REFUSED)).told == "There is nothing in it."
    assert grade_of(Entry(ADA, refused, Outcome.UNGRADED)).score is None


def test_the_summary_has_points_of_each_step_statuses_and_mistakes() -> None:
    graded = [
        Entry(replace(ADA, late=True), REPORT, Outcome.CRASHED, ("first.zip",)),
        Entry(Identity(), replace(REPORT, notes=()), Outcome.UNGRADED),
    ]

    first, second = csv.DictReader(summary(dict.fromkeys(STEPS, Visibility.VISIBLE), graded))

    told = ("id", "name", "e-mail", "late", "outcome", "score", "ex01.all", "ex10.output", "ex99.other")
    assert [first[name] for name in told] == [
        "ada", "Ada Lovelace", "ada@example.org", "yes", "crashed", "7", "3", "0", "",
    ]  # fmt: skip
    assert (first["passed"], first["error"], first["timeout"]) == ("3", "2", "1")
    assert (first["mistakes"], first["earlier"]) == ("mask-discarded", "first.zip")
    assert (second["score"], second["ex01.all"], second["late"]) == ("", "", "")


def test_the_summary_has_the_addresses_that_are_known() -> None:
    graded = Entry(TOGETHER.identity, REPORT, Outcome.CRASHED)

    (line,) = csv.DictReader(summary(dict.fromkeys(STEPS, Visibility.VISIBLE), [graded]))

    assert line["e-mail"] == "ada@example.org, eve@example.org"


def test_a_report_has_one_outcome() -> None:
    assert outcome(replace(REPORT, exercises=(PASSED,))) is Outcome.FULL
    assert outcome(REPORT) is Outcome.CRASHED  # a step of it ran out of time
    assert outcome(replace(REPORT, exercises=(PASSED, REPORT.exercises[1]))) is Outcome.PARTIAL
    assert outcome(replace(REPORT, exercises=(REPORT.exercises[1],))) is Outcome.FAILED


def test_hidden_steps_are_marked_in_the_summary() -> None:
    (line,) = summary({"ex01.all": Visibility.VISIBLE, "ex01.own": Visibility.HIDDEN}, [])

    assert ",ex01.all,ex01.own (hidden),passed," in line


def test_a_gradebook_tells_a_student_of_no_hidden_step() -> None:
    told = grade_of(Entry(Identity("Ada"), AWKWARD, Outcome.CRASHED))

    assert told.score == AWKWARD.score
    assert told.told == "1 of 13 steps passed; softmax-missing"
