"""Each format goes to its file, to where its platform looks, or to standard output, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.cli.options import find_outputs
from grader.model.errors import ExitCode, NotWritten, UsageError
from grader.model.pack import Exercise, Pack, Step, Visibility
from grader.model.report import Report
from grader.model.reporter import Place
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.report.formats.gradescope import Gradescope
from grader.report.formats.junit import JUnit
from grader.report.formats.prairielearn import PrairieLearn
from grader.report.html.student import Html
from grader.report.outputs import Output, clear, put, write, write_failure
from grader.report.parts import Parts
from grader.report.shown import for_student, rendered
from grader.words import say

from .awkward import AWKWARD, HIDDEN_TITLE, SECRET
from .hand_made import PASSED, REPORT


class OneMethod:
    """A third party's reporter, as small as there can be."""

    name = "one-method"

    def render(self, report: Report) -> str:
        return f"{report.environment.get('seed')} {[step.title for each in report.exercises for step in each.steps]}"


def test_a_third_partys_reporter_gets_what_a_student_may_see() -> None:
    text = rendered(OneMethod(), AWKWARD)

    assert HIDDEN_TITLE not in text
    assert str(SECRET) not in text
    assert "All of one" in text


def test_a_report_without_secrets_is_the_same_for_a_student() -> None:
    assert for_student(REPORT) == REPORT


def test_what_nobody_names_a_file_for_goes_where_its_platform_looks(
    plugins: Plugins, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "output"))

    formats = ["github", "classroom50", "github-classroom", f"json={tmp_path}/report.json"]
    found = {each.reporter.name: each.place for each in find_outputs(plugins.reporters, formats)}

    assert found == {
        "github": None,
        "github-summary": Place(tmp_path / "summary.md", is_shared=True),
        "classroom50": Place(Path("result.json")),
        "github-classroom": Place(tmp_path / "output", is_shared=True),
        "json": Place(tmp_path / "report.json"),
    }


def test_two_formats_of_one_file_are_refused(plugins: Plugins, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Two formats would go to .*; name another file for one of them"):
        find_outputs(plugins.reporters, [f"json={tmp_path}/a", f"html={tmp_path}/./a"])


def test_what_others_write_to_is_added_to(tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    file.write_text("theirs", "utf-8")

    put(Place(file, is_shared=True), "ours\n")
    put(Place(file, is_shared=True), "ours again\n")

    assert file.read_text("utf-8") == "theirs\nours\nours again\n"


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")

    for place in (Place(tmp_path, is_shared=True), Place(tmp_path / "file" / "results.json")):
        with pytest.raises(NotWritten, match="cannot be written"):
            put(place, "text")


def test_a_grade_that_a_student_brings_along_is_gone_before_anything_is_graded(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    forged = tmp_path / "results" / "results.json"
    forged.write_text('{"score": 100}', "utf-8")

    clear([Output(Gradescope(tmp_path), Gradescope(tmp_path).place({}), is_default=True)])

    assert not forged.exists()


def test_a_place_that_somebody_named_is_cleared_too(tmp_path: Path) -> None:
    forged, page = tmp_path / "junit.xml", tmp_path / "page.html"
    for file in (forged, page):
        file.write_text("mine", "utf-8")

    clear([Output(JUnit(), Place(forged)), Output(Html(), Place(page))])

    assert not forged.exists()
    assert page.exists()  # nobody takes a page for a grade


def test_one_place_that_cannot_be_written_keeps_no_other_from_it(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    outputs = [Output(Gradescope(), Place(tmp_path / "taken")), Output(JUnit(), Place(tmp_path / "junit.xml"))]

    with pytest.raises(NotWritten, match="taken"):
        write(outputs, AWKWARD)
    written = (tmp_path / "junit.xml").read_text("utf-8")
    assert list(write_failure(outputs, "The worker died.", ExitCode.INTERNAL)) == []

    assert "<testsuites" in written
    assert "The worker died." in (tmp_path / "junit.xml").read_text("utf-8")


@pytest.mark.parametrize("reporter", [Gradescope(), PrairieLearn()])
def test_half_a_grade_gives_way_where_the_grader_fails(reporter: Gradescope | PrairieLearn, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    output = Output(reporter, Place(file))
    write([output], AWKWARD)

    said = list(write_failure([output], "The worker died.", ExitCode.INTERNAL))

    result = json.loads(file.read_text("utf-8"))
    assert said == []
    assert "score" not in result
    assert "The worker died." in result.values()


def test_a_report_in_parts_holds_every_step_at_any_time(pack: Pack, tmp_path: Path) -> None:
    exercise = pack.exercises[0]
    file = tmp_path / "results.json"
    parts = Parts([Output(Gradescope(), Place(file))])
    ids = [step.id for step in exercise.steps]

    parts.grader_submission_started(pack, Submission("ada", tmp_path, "0" * 64), (exercise,))
    before = json.loads(file.read_text("utf-8"))
    parts.grader_step_graded(exercise.steps[0], PASSED.steps[0])
    after = json.loads(file.read_text("utf-8"))

    assert [test["name"].split(":")[0] for test in before["tests"]] == ids
    assert {test["output"] for test in before["tests"]} == {say("report.not-yet")}
    assert [test["output"] for test in after["tests"]] == ["", say("report.not-yet")]
    assert (before["score"], after["score"]) == (0, PASSED.steps[0].score)
    assert "Graded so far: 1 of 2 steps." in after["output"]


def test_a_report_in_parts_keeps_hidden_steps_hidden(pack: Pack, tmp_path: Path) -> None:
    own = pack.exercises[0]
    hidden = Step("ex01.x", own.id, HIDDEN_TITLE, 3, "f", "output", visibility=Visibility.HIDDEN)
    exercise = Exercise(own.id, own.title, own.task, (hidden,), {}, {}, {})
    file = tmp_path / "results.json"

    Parts([Output(Gradescope(), Place(file))]).grader_submission_started(
        pack, Submission("ada", tmp_path, "0" * 64), (exercise,)
    )

    assert [test["visibility"] for test in json.loads(file.read_text("utf-8"))["tests"]] == ["hidden"]
