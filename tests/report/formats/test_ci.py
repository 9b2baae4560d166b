"""GitHub, JUnit, TAP and Markdown: read by parsers that are not ours, with every trap that they are known for."""

from __future__ import annotations

import base64
import io
import json
import re
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import html5lib
import junitparser
import pytest
import yaml
from markdown_it import MarkdownIt
from tap.parser import Parser

from grader.model.errors import ExitCode
from grader.model.report import Cause, Diagnosis, ExerciseResult, Report, Status
from grader.report.formats.github import MOST_BYTES, GitHub, Summary
from grader.report.formats.github_classroom import GitHubClassroom
from grader.report.formats.junit import JUnit
from grader.report.formats.markdown import Markdown, escaped
from grader.report.formats.tap import Tap
from grader.report.html.student import Html
from grader.report.shown import rendered

from ..awkward import AWKWARD, COMMANDS, FULL, MARKUP, verdict

COMMAND = re.compile(r"^::(?P<kind>[\w-]+)(?: (?P<properties>[^:]*))?::(?P<message>.*)$")


@pytest.fixture(scope="module")
def jenkins() -> Any:
    """Of Jenkins' xUnit plugin, https://github.com/jenkinsci/xunit-plugin, as pytest's own sources carry it."""
    import xmlschema  # takes half a second, and nobody else needs it

    return xmlschema.XMLSchema(Path(__file__).with_name("junit-10.xsd"))


def obeyed(log: str) -> list[re.Match[str]]:
    """The commands in a log as a runner finds them: not while they are stopped."""
    found, token = [], ""
    for line in log.splitlines():
        match = COMMAND.match(line.lstrip())
        if token:
            token = "" if line == f"::{token}::" else token
        elif match and match["kind"] == "stop-commands":
            token = match["message"]
        elif match:
            found.append(match)
        assert "##[" not in line
    assert not token
    return found


def properties(match: re.Match[str]) -> dict[str, str]:
    pairs = (each.split("=", 1) for each in match["properties"].split(","))
    return {key: value.replace("%3A", ":").replace("%2C", ",").replace("%25", "%") for key, value in pairs}


def failing(count: int, **parts: Any) -> ExerciseResult:
    steps = [
        verdict(
            f"ex01.s{i}", Status.FAILED, 0, 1 + i, summary=f"Wrong {i}.", file="ex01_scores.py", line=1 + i, **parts
        )
        for i in range(count)
    ]
    return ExerciseResult("ex01_scores", "Scores", tuple(steps))


def at(folder: Path, **parts: Any) -> Report:
    return replace(AWKWARD, submission={**AWKWARD.submission, "path": str(folder)}, **parts)


def test_github_obeys_nothing_but_our_annotations() -> None:
    found = obeyed(rendered(GitHub(), AWKWARD))

    assert {match["kind"] for match in found} == {"error", "warning", "notice"}
    assert all(set(properties(match)) <= {"file", "line", "title"} for match in found)
    assert not any("\r" in match["message"] for match in found)


def test_github_draws_another_token_each_time() -> None:
    first, second = (rendered(GitHub(), AWKWARD).splitlines()[0] for _ in range(2))

    assert re.fullmatch(r"::stop-commands::[0-9a-f]{32}", first)
    assert first != second


@pytest.mark.parametrize("inside", ["", "exercises"])
def test_github_marks_the_line_of_the_mistake_by_its_path_in_the_repository(
    inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "work, 1"
    (folder / inside).mkdir(parents=True)
    (folder / inside / "ex01_scores.py").write_text("x\n" * 40, "utf-8")
    known = (Diagnosis("mask-missing", "There is no mask.", "ex01_scores.py", 31),)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))

    report = at(folder, exercises=(failing(1, diagnosis=known),))
    found = obeyed(rendered(GitHub(), report))

    path = "/".join(part for part in ("work, 1", inside, "ex01_scores.py") if part)
    assert properties(found[0]) == {"file": path, "line": "31", "title": "ex01.s0: All of s0"}
    assert found[0]["message"].startswith("mask-missing, line 31: There is no mask.%0A")


def test_github_tells_a_cause_before_what_comes_of_it_which_takes_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ex01_scores.py").write_text("x\n" * 40, "utf-8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    cause, other = (replace(failing(1).steps[0], id=f"ex01.{name}", line=line) for name, line in (("a", 7), ("b", 9)))
    follows = replace(
        cause, id="ex01.c", summary="Off.", line=2, max_score=8.0, cause=Cause("ex01.a", "Begin with ex01.a.")
    )

    steps = (follows, cause, replace(other, summary="No.", max_score=4.0))
    found = obeyed(rendered(GitHub(), at(tmp_path, exercises=(ExerciseResult("ex01_scores", "Scores", steps),))))

    told = [(properties(each)["title"].split(":")[0], properties(each)["line"]) for each in found[:3]]
    assert told == [("ex01.b", "9"), ("ex01.a", "7"), ("ex01.c", "7")]


def test_github_marks_a_line_where_the_repository_is_a_folder_of_the_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "workspace" / "student"
    for folder in (tmp_path / ".git", repository / ".git", repository / "exercises"):
        folder.mkdir(parents=True)
    (repository / "exercises" / "ex01_scores.py").write_text("x\n", "utf-8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "workspace"))

    found = obeyed(rendered(GitHub(), at(repository / "exercises", exercises=(failing(1),))))

    assert properties(found[0])["file"] == "exercises/ex01_scores.py"


def test_github_marks_a_notebook_and_names_the_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = tmp_path / "attention.ipynb"
    book.write_text("{}", "utf-8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    step = verdict("ex01.a", Status.FAILED, 0, 1, summary="No.", file="attention.ipynb, cell 4", line=3)

    found = obeyed(rendered(GitHub(), at(book, exercises=(ExerciseResult("ex01_scores", "Scores", (step,)),))))

    assert "line" not in properties(found[0])
    assert properties(found[0])["file"] == "attention.ipynb"
    assert found[0]["message"] == "attention.ipynb, cell 4, line 3: No."


@pytest.mark.parametrize("name", ["\x1b[2Jz.ipynb", "\u202eevil.ipynb", "a\u2028##[error]b.ipynb", "##[error]c.ipynb"])
def test_github_names_no_file_whose_name_a_terminal_or_a_runner_might_obey(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text("{}", "utf-8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))

    found = obeyed(rendered(GitHub(), at(tmp_path / name, exercises=(failing(1),))))

    assert "file" not in properties(found[0])


def test_github_says_nothing_of_places_outside_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ex01_scores.py").write_text("x\n" * 40, "utf-8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "repository"))

    assert "file" not in properties(obeyed(rendered(GitHub(), at(tmp_path, exercises=(failing(1),))))[0])


def test_github_shows_the_ten_that_cost_most_and_counts_the_others() -> None:
    found = obeyed(rendered(GitHub(), replace(AWKWARD, exercises=(failing(25),))))

    assert [match["kind"] for match in found] == ["error"] * 10 + ["notice"]
    assert [properties(match)["title"].split(":")[0] for match in found[:2]] == ["ex01.s24", "ex01.s23"]
    assert "15 further annotations left out" in found[-1]["message"]


def test_github_tells_once_what_keeps_several_steps_from_being_right() -> None:
    same = [verdict(f"ex01.s{i}", Status.ERROR, 0, 1, summary="Python cannot read line 1.") for i in range(5)]

    found = obeyed(rendered(GitHub(), replace(AWKWARD, exercises=(ExerciseResult("ex01_a", "A", tuple(same)),))))

    assert [properties(match)["title"] for match in found] == ["ex01.s0: All of s0 and 4 further steps", "Graded"]


@pytest.mark.no_cover
def test_the_summary_of_a_job_is_never_more_than_github_takes() -> None:
    long = "注" * 1000
    result = failing(100, notes=(long,) * 4)

    assert len(rendered(Summary(), replace(AWKWARD, exercises=(result,))).encode()) <= MOST_BYTES


def test_github_classroom_counts_the_same_in_its_table_and_in_its_notice() -> None:
    for report in (AWKWARD, FULL):
        line = rendered(GitHubClassroom(), report)
        result = json.loads(base64.b64decode(line.removeprefix("result=")))
        tests, most = result["tests"], result["max_score"]

        passed = sum(test["status"] == "pass" for test in tests)
        assert passed / len(tests) * most == sum(test["score"] for test in tests)
        assert all(isinstance(test["score"], int) and test["line_no"] == 0 for test in tests)
        assert line.count("\n") == 1


def test_github_classrooms_reporter_gets_a_test_with_a_score_where_the_grader_failed() -> None:
    line = GitHubClassroom().failed("It failed.", ExitCode.INTERNAL)

    result = json.loads(base64.b64decode(line.removeprefix("result=")))

    assert (result["status"], result["max_score"]) == ("error", 0)
    assert [(test["status"], test["score"]) for test in result["tests"]] == [("error", 0)]


def test_junit_is_read_by_others(tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    file.write_text(rendered(JUnit(), AWKWARD), "utf-8")

    read = junitparser.JUnitXml.fromfile(str(file))

    assert (read.tests, read.failures, read.errors) == (13, 6, 5)
    assert [suite.name for suite in read][1] == "ex02_softmax: Softmax"


def test_junit_says_why_in_the_attribute_and_in_the_text() -> None:
    root = ElementTree.fromstring(rendered(JUnit(), AWKWARD).encode("utf-8"))
    told = [case[0] for case in root.iter("testcase") if len(case) and case[0].tag != "skipped"]

    assert len(told) == 11
    assert all(each.get("message") and each.text and each.get("message") in each.text for each in told)


def test_junit_has_no_two_equal_names_and_one_dot_in_a_classname() -> None:
    root = ElementTree.fromstring(rendered(JUnit(), AWKWARD).encode("utf-8"))
    cases = [(case.get("classname", ""), case.get("name")) for case in root.iter("testcase")]

    assert len(set(cases)) == len({name for _, name in cases}) == 13
    assert all(classname.count(".") == 1 for classname, _ in cases)


@pytest.mark.parametrize("text", [rendered(JUnit(), AWKWARD), JUnit().failed("It failed.", ExitCode.INTERNAL)])
def test_junit_is_what_jenkins_schema_says(text: str, jenkins: Any) -> None:
    jenkins.validate(text)


def test_jenkins_schema_refuses_what_it_does_not_name(jenkins: Any) -> None:
    text = rendered(JUnit(), AWKWARD).replace("<testcase ", '<testcase score="1" ', 1)

    assert not jenkins.is_valid(text)


def test_junit_can_hold_what_xml_cannot() -> None:
    text = JUnit().failed("nul \x00, \x1b[31m, \ufffe and \ud800", ExitCode.INTERNAL)

    (case,) = ElementTree.fromstring(text.encode("utf-8")).iter("testcase")

    assert case[0].text == "nul , [31m,  and "


def test_tap_is_read_by_others() -> None:
    lines = list(Parser().parse(io.StringIO(rendered(Tap(), AWKWARD))))

    tests = [line for line in lines if line.category == "test"]
    assert [line.category for line in lines if line.category not in ("test", "unknown")] == ["version", "plan"]
    assert [test.ok for test in tests] == [True, *[False] * 11, True]
    assert [test.number for test in tests if test.skip] == [13]
    assert not any(test.todo for test in tests)


@pytest.mark.parametrize("loader", [yaml.SafeLoader, yaml.CSafeLoader])
def test_what_tap_says_of_a_step_is_yaml_to_every_parser(loader: type[yaml.SafeLoader]) -> None:
    blocks = re.findall(r"(?ms)^  ---\n(.*?)^  \.\.\.$", rendered(Tap(), AWKWARD))

    said = [yaml.load(textwrap.dedent(block), loader)["said"] for block in blocks]

    assert any("got 注意 → 🙂" in line for lines in said for line in lines)


def test_tap_bails_out_where_the_grader_failed() -> None:
    lines = list(Parser().parse(io.StringIO(Tap().failed("It failed.", ExitCode.INTERNAL))))

    assert [line.category for line in lines] == ["version", "bail"]


def test_markdown_shows_what_a_student_wrote_as_text() -> None:
    shown = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .render(rendered(Markdown(), AWKWARD))
    )
    tags = set(re.findall(r"<(\w+)", shown))

    assert tags <= {"h2", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "strong", "pre", "code"}
    assert shown.count("<tr>") == 4
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


@pytest.mark.parametrize(
    "text", [MARKUP, COMMANDS, "@ada", "#1", ":tada:", "$x$", "www.evil.example", "1. a", "- a", "a | b", "~~a~~"]
)
def test_a_line_of_markdown_reads_as_it_was_written(text: str) -> None:
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

    (_, inline, _) = parser.parse(escaped(text))

    assert "".join(child.content for child in inline.children or ()) == " ".join(text.split()).replace("##[", "## [")
    assert {child.type for child in inline.children or ()} <= {"text", "text_special"}
    assert not re.search(r"www\.|://", escaped(text))  # of which GitHub's flavour makes links


def test_the_page_of_a_student_is_html_without_a_mistake() -> None:
    parser = html5lib.HTMLParser(strict=True)

    document = parser.parse(rendered(Html(), AWKWARD))

    assert document is not None
