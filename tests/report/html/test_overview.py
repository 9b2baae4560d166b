"""The page of a class says what the stored results say of all of them together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import html5lib

from grader.model.handed import Identity
from grader.model.pack import Pack, Visibility
from grader.model.report import Diagnosis, ExerciseResult, Report, Status
from grader.report.changes import Previous
from grader.report.html.overview import overview, row
from grader.report.html.student import student_page
from grader.report.outcome import Outcome
from grader.report.summary import Entry

from ..hand_made import REPORT, verdict


def one(pack: Pack, name: str, status: Status, mistakes: tuple[str, ...] = (), **parts: object) -> Entry:
    """A result of the first exercise, all of whose steps have one status."""
    exercise = pack.exercises[0]
    found = tuple(Diagnosis(mistake, "") for mistake in mistakes)
    steps = tuple(
        verdict(
            step.id, status, step.points * (status is Status.PASSED), step.points, diagnosis=found, summary="It is off."
        )
        for step in exercise.steps
    )
    report: Report = replace(
        REPORT,
        submission={**REPORT.submission, "id": name},
        exercises=(ExerciseResult(exercise.id, exercise.title, steps),),
        notes=("The archive cannot be read.",),
    )
    settings = {"outcome": Outcome.PARTIAL, **parts}
    return Entry(Identity(name.title()), report, **settings)  # type: ignore[arg-type]


def words(pack: Pack, *results: Entry, is_compared: bool = False, left_over: Sequence[str] = ()) -> str:
    """The text of the page, tags as bars."""
    steps = [step.id for step in pack.exercises[0].steps]
    rows = [row(each, steps, f"students/{each.report.submission['id']}.html") for each in results]
    pieces = overview(pack, pack.exercises[:1], rows, seed=5, is_compared=is_compared, left_over=left_over)
    html = "".join(pieces).split("<body>")[1].split("<script>")[0]
    return re.sub(r"[|\s]*\|[|\s]*", "|", re.sub(r"<[^>]+>", "|", html))


def test_numbers_on_all_and_the_share_that_passed(pack: Pack) -> None:
    said = words(
        pack,
        one(pack, "ada", Status.PASSED, outcome=Outcome.FULL),
        one(pack, "bob", Status.FAILED, outcome=Outcome.FAILED),
        one(pack, "eve", Status.ERROR, outcome=Outcome.REFUSED),
        left_over=("kim", "<b>lou"),
    )

    assert "|3|submissions" in said
    assert "2 of earlier runs, not handed in this time, left out|kim, &lt;b&gt;lou|" in said
    assert "|median|2.5|of 5 points|" in said
    assert "|full marks|1|of 3|" in said
    assert "|nothing to grade|1|of 3|" in said
    assert "|query|50 %|" in said  # of those who handed in something that could be graded


def test_two_of_one_name_are_told_apart_by_their_ids_and_nobody_else_is(pack: Pack) -> None:
    first, second = (one(pack, name, Status.PASSED) for name in ("ada_1", "ada_2"))
    same = [replace(each, identity=Identity("Ada")) for each in (first, second)]

    said = words(pack, *same, one(pack, "bob", Status.PASSED))

    assert "|Ada|ada_1|" in said and "|Ada|ada_2|" in said
    assert "|Bob|bob|" not in said


def test_what_is_said_of_what_was_handed_in_is_listed_with_who_handed_it_in(pack: Pack) -> None:
    said = words(pack, one(pack, "ada", Status.PASSED), one(pack, "eve", Status.ERROR, outcome=Outcome.REFUSED))

    assert "|What is said of what 1 student handed in|Student|Note|Ada|The archive cannot be read.|" in said


def test_mistakes_are_listed_by_how_many_made_them_with_who_did(pack: Pack) -> None:
    common, rare = sorted(pack.exercises[0].mistakes)[:2]

    said = words(
        pack,
        one(pack, "ada", Status.FAILED, (rare, common)),
        one(pack, "bob", Status.FAILED, (common,)),
    )

    assert said.index(f"|{common}|2|") < said.index(f"|{rare}|1|")
    assert f"|{common}|2|" in said
    assert "|who|Ada|,|Bob|" in said


def test_a_mistake_that_several_exercises_have_is_told_as_each_of_them_tells_it(pack: Pack) -> None:
    own = {exercise.short: exercise for exercise in pack.exercises}
    made = [own["ex06"], own["ex12"]]
    found = (Diagnosis("scale-wrong-width", ""),)
    results = [
        ExerciseResult(each.id, each.title, (verdict(each.steps[0].id, Status.FAILED, 0, 1, diagnosis=found),))
        for each in made
    ]
    entries = [one(pack, "ada", Status.FAILED), one(pack, "bob", Status.FAILED)]
    entries = [
        replace(each, report=replace(each.report, exercises=(result,)))
        for each, result in zip(entries, results, strict=True)
    ]
    steps = [step.id for exercise in pack.exercises for step in exercise.steps]
    rows = [row(each, steps, "students/a.html") for each in entries]

    html = "".join(overview(pack, pack.exercises, rows, seed=5, is_compared=False, left_over=()))

    said = re.sub(r"<[^>]+>", "", html)
    for exercise in made:
        assert f"{exercise.short}: The square root is of another number." in said
    assert "head's keys are d_out wide here" not in said  # which ex13 has


def test_crashes_and_what_could_not_be_graded_stand_apart(pack: Pack) -> None:
    said = words(
        pack,
        one(pack, "ada", Status.TIMEOUT, outcome=Outcome.CRASHED),
        one(pack, "bob", Status.ERROR, outcome=Outcome.REFUSED),
    )

    apart = said.split("|Crashes, time-outs and what could not be graded|")[1]
    assert "|Ada|ex01.query|,|ex01.all|timeout|timeout|It is off.|" in apart
    assert "|Bob|all|refused|The archive cannot be read.|" in apart
    assert "|Nothing crashed, nothing ran out of time, and everything could be graded.|" in words(
        pack, one(pack, "eve", Status.PASSED)
    )


def test_what_raised_or_could_not_be_read_is_counted_and_not_said_to_have_been_graded(pack: Pack) -> None:
    told = words(pack, one(pack, "ada", Status.ERROR), one(pack, "bob", Status.PASSED))
    beside = words(
        pack, one(pack, "ada", Status.ERROR), one(pack, "bob", Status.CRASHED), one(pack, "eve", Status.ERROR)
    )

    assert "|Nothing crashed, and nothing ran out of time.|" in told
    assert "everything could be graded" not in told
    counted = "|Steps with the status error, such as of a module that cannot be read, or a call that raised: of {}.|"
    assert counted.format("1 student") in told
    assert counted.format("2 students") in beside  # below the table
    assert "Steps with the status error" not in words(pack, one(pack, "eve", Status.ERROR, outcome=Outcome.REFUSED))


def test_what_has_changed_is_told_with_the_steps_and_what_has_not_is_left_out(pack: Pack) -> None:
    before = Previous("failed", 0.0, 5.0, {"ex01.query": "failed", "ex01.all": "passed"})
    same = Previous("partial", 5.0, 5.0, {"ex01.query": "passed", "ex01.all": "passed"})

    said = words(
        pack,
        one(pack, "ada", Status.PASSED, previous=before, is_news=True),
        one(pack, "bob", Status.PASSED, previous=before),
        one(pack, "eve", Status.PASSED, previous=same, is_news=True),
        one(pack, "new", Status.PASSED, is_news=True),
        is_compared=True,
    )

    changes = said.split("|Since the grading before|")[1]
    assert "|Ada|0 · failed|5 · partial|ex01.query failed → passed|" in changes
    assert "|New|was not there|5 · partial|" in changes
    assert "|Bob|" not in changes and "|Eve|" not in changes
    assert "|Ada|5|+5|partial|" in said
    unchanged = words(pack, one(pack, "bob", Status.PASSED, previous=before), is_compared=True)
    assert "The last grading changed nobody's result." in unchanged


def test_a_class_without_anybody_graded_is_a_page_too(pack: Pack) -> None:
    said = words(pack, one(pack, "ada", Status.ERROR, outcome=Outcome.UNGRADED))

    assert "|failed by the grader|1|of 1|" in said
    assert "|query|0 %|" in said


def test_the_page_of_a_class_is_html_without_a_mistake_and_marks_hidden_steps(pack: Pack) -> None:
    exercise = pack.exercises[0]
    hidden = replace(exercise, steps=(exercise.steps[0], replace(exercise.steps[1], visibility=Visibility.HIDDEN)))
    results = [one(pack, "ada", Status.PASSED), one(pack, "<b> & Co", Status.CRASHED, outcome=Outcome.CRASHED)]
    rows = [row(each, [step.id for step in exercise.steps], "students/a.html") for each in results]

    html = "".join(overview(pack, [hidden], rows, seed=5, is_compared=True))

    assert html5lib.HTMLParser(strict=True).parse(html) is not None
    assert html.count("(hidden)") == 2
    assert f'title="ex01.all: {exercise.steps[1].title} (hidden)"' in html


def test_numbers_on_all_are_over_the_same_students_and_say_so(pack: Pack) -> None:
    refused = one(pack, "eve", Status.ERROR, outcome=Outcome.REFUSED)
    graded = [one(pack, "ada", Status.PASSED, outcome=Outcome.FULL), one(pack, "bob", Status.FAILED)]

    assert "|Points of the 2 submissions that could be graded, as are median and mean|" in words(pack, *graded, refused)
    assert "0–0.5 points: 1;" in words(pack, *graded, refused)
    assert "|Points of all submissions|" in words(pack, *graded)


def test_what_is_so_of_the_machine_is_said_once(pack: Pack) -> None:
    note = "no cuda on this machine; the rest counts for everything"
    said = "No cuda on this machine; the rest counts for everything."
    each = [one(pack, name, Status.PASSED) for name in ("ada", "bob")]
    told = [replace(result, report=replace(result.report, notes=(note, "A link was left out."))) for result in each]

    assert words(pack, *told).count(said) == 1
    assert said not in student_page(told[0].report, back="../index.html")
    assert "A link was left out." in student_page(told[0].report, back="../index.html")
    assert said in student_page(told[0].report)
