"""Every format of the kit makes the same of the same report, and none tells a student what is not for students."""

from __future__ import annotations

import base64
import re

import pytest

from grader.model.errors import ExitCode
from grader.model.reporter import Reporter, TellsOfFailure
from grader.report.shown import rendered

from ..awkward import AWKWARD, HIDDEN_TITLE, LATER_TITLE, SECRET
from .golden import file_of, golden, reporters

ALL = list(reporters())
# Gradescope keeps hidden tests hidden itself; the JSON is for those who teach.
KEEP_APART = ("json", "gradescope")
STRANGE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe]")


@pytest.fixture(autouse=True)
def _nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_WORKSPACE", "CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("reporter", ALL, ids=lambda reporter: reporter.name)
def test_a_format_is_as_its_golden_file(reporter: Reporter) -> None:
    written = file_of(reporter).read_text("utf-8")

    assert golden(reporter) == written, "look, then: python -m tests.report.formats.golden"


@pytest.mark.parametrize("reporter", ALL, ids=lambda reporter: reporter.name)
def test_students_are_told_of_no_hidden_step_and_no_secret_seed(reporter: Reporter) -> None:
    text = read(rendered(reporter, AWKWARD))

    if reporter.name not in KEEP_APART:
        for secret in (HIDDEN_TITLE, LATER_TITLE, "ex01.secret", "ex02.due", "ex04.all", "A secret sentence"):
            assert secret not in text
    if reporter.name != "json":
        assert str(SECRET) not in text


@pytest.mark.parametrize("reporter", ALL, ids=lambda reporter: reporter.name)
def test_nothing_strange_is_left_of_what_a_student_wrote(reporter: Reporter) -> None:
    text = read(rendered(reporter, AWKWARD))

    if reporter.name != "json":  # which holds everything, escaped
        assert not STRANGE.search(text)
        assert "##[" not in text
        assert reporter.name == "github" or not re.search(r"^\s*::", text, re.MULTILINE)  # it has a test of its own
        assert len(text) < 100_000


@pytest.mark.parametrize(
    "reporter", [each for each in ALL if isinstance(each, TellsOfFailure)], ids=lambda reporter: reporter.name
)
def test_a_failure_of_the_grader_is_written_on_one_road_and_is_no_students(reporter: TellsOfFailure) -> None:
    text = read(reporter.failed("The pack is broken. `grade verify` proves it.", ExitCode.BROKEN_PACK))

    assert not text or "The pack is broken" in text.replace("&#96;", "`")
    assert "not ok" not in text
    assert '"score": 0,' not in text.replace('"max_score": 0', "") or '"status": "error"' in text


def read(text: str) -> str:
    """A text as its platform reads it."""
    found = re.fullmatch(r"result=(\S+)\n", text)
    return base64.b64decode(found[1]).decode() if found else text
