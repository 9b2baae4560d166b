"""Gradescope, Classroom 50, PrairieLearn, Exercism, Autolab and CodeGrade: each one's fields, and the traps of each."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.model.errors import ExitCode
from grader.model.report import Report, Status
from grader.report.formats.autolab import Autolab
from grader.report.formats.classroom50 import Classroom50
from grader.report.formats.codegrade import CodeGrade
from grader.report.formats.exercism import Exercism
from grader.report.formats.github_classroom import GitHubClassroom
from grader.report.formats.gradescope import Gradescope
from grader.report.formats.prairielearn import MOST_BYTES, PrairieLearn
from grader.report.formats.whole import whole
from grader.report.shown import rendered
from grader.words import say

from ..awkward import AWKWARD, FULL, SCORES, verdict
from ..hand_made import PASSED, REPORT

# By hand from what each platform documents; formats.md of the docs says where.
NAMED = ("classroom", "assignment", "commit", "release", "review")
CLASSROOM50 = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime", "score",
        "max-score", "tests",
    ],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        **{key: {"type": "string", "minLength": 1} for key in NAMED},
        "submission": {"type": "string", "pattern": "^submit/"},
        "datetime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "score": {"type": "integer", "minimum": 0},
        "max-score": {"type": "integer", "minimum": 0},
        "tests": {"type": "array", "items": {
            "type": "object",
            "required": ["test-name", "passed", "score", "max-score"],
            "properties": {
                "test-name": {"type": "string", "minLength": 1},
                "passed": {"type": "boolean"},
                "score": {"type": "integer", "minimum": 0},
                "max-score": {"type": "integer", "minimum": 0},
            },
        }},
    },
}  # fmt: skip
GRADESCOPE_KEYS = {"score", "max_score", "status", "name", "number", "output", "output_format", "tags", "visibility"}
THIRDS = replace(REPORT, exercises=(replace(PASSED, steps=(verdict("ex01.a", Status.PARTIAL, 1 / 3, 1, targets=()),)),))


def written(reporter: Any, report: Report = AWKWARD) -> Any:
    return json.loads(rendered(reporter, report))


def test_gradescope_is_given_the_score_on_top_hidden_steps_and_all() -> None:
    result = written(Gradescope())

    assert result["score"] == AWKWARD.score == sum(test["score"] for test in result["tests"])
    assert result["stdout_visibility"] == "hidden"
    hidden = {test["name"].split(":")[0]: test["visibility"] for test in result["tests"]}
    assert {name: seen for name, seen in hidden.items() if seen != "visible"} == {
        "ex01.secret": "hidden", "ex02.due": "after_due_date", "ex04.all": "hidden",
    }  # fmt: skip
    assert "3.5 of 18 points" in result["output"]  # of what students see


def test_gradescope_knows_every_word_that_it_is_given() -> None:
    for test in written(Gradescope())["tests"]:
        assert set(test) <= GRADESCOPE_KEYS
        assert test.get("status", "passed") in ("passed", "failed")
        assert test["output_format"] == "text"  # markup of a student's stays text
        assert 0 <= test["score"] <= test["max_score"]


def test_gradescope_gives_no_grade_where_the_grader_failed_and_none_for_nothing() -> None:
    failed = json.loads(Gradescope().failed("The worker died.", ExitCode.INTERNAL))
    empty = json.loads(Gradescope().failed("There is no module.", ExitCode.NOTHING_TO_GRADE))

    assert "score" not in failed and "tests" not in failed
    assert failed["output"] == "The worker died."
    assert (empty["score"], empty["output"]) == (0, "There is no module.")


def test_classroom50_gets_its_fields_with_whole_points_that_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    variables = {
        "CLASSROOM": "nlp", "ASSIGNMENT": "attention", "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
        "COMMIT_URL": "https://example.org/c", "RELEASE_URL": "https://example.org/r", "REVIEW_URL": "",
    }  # fmt: skip
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    result = written(Classroom50())

    jsonschema.validate(result, CLASSROOM50)
    assert (result["classroom"], result["review"]) == ("nlp", "https://example.org/c")
    assert (result["score"], result["max-score"]) == (22, 58)  # 11 of 29, in halves
    assert sum(test["score"] for test in result["tests"]) == 22
    assert sum(test["max-score"] for test in result["tests"]) == 58
    assert all(test["passed"] is (test["score"] == test["max-score"]) for test in result["tests"][:-2])


def test_classroom50_outside_its_runner_still_gets_its_form(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLASSROOM", "ASSIGNMENT", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "REVIEW_URL"):
        monkeypatch.delenv(name, raising=False)

    jsonschema.validate(written(Classroom50()), CLASSROOM50)


@pytest.mark.parametrize(
    ("report", "points"),
    [(AWKWARD, (22, 58, 2)), (FULL, (58, 58, 2)), (REPORT, (7, 24, 1)), (THIRDS, (1, 3, 3))],
    ids=["two devices", "full", "one device", "thirds"],
)
def test_points_are_multiplied_until_they_are_whole_and_no_further(
    report: Report, points: tuple[int, int, int]
) -> None:
    made = whole(report)

    assert (made.total.score, made.total.max_score, made.times) == points
    assert math.isclose(made.total.score / made.times, report.score)


def test_everybody_on_one_machine_gets_points_of_the_same_size() -> None:
    assert whole(FULL).times == whole(AWKWARD).times


def test_prairielearn_gets_a_share_and_points_in_every_test() -> None:
    result = written(PrairieLearn())

    assert result["gradable"] is True
    assert result["score"] == pytest.approx(11 / 29, abs=1e-6)
    assert all({"name", "points", "max_points"} <= set(test) for test in result["tests"])


@pytest.mark.no_cover
def test_prairielearn_is_never_given_more_than_it_takes() -> None:
    long = "注" * 1000
    steps = tuple(verdict(f"ex01.s{i}", Status.FAILED, 0, 1, summary=long, notes=(long,) * 9) for i in range(60))

    text = rendered(PrairieLearn(), replace(AWKWARD, exercises=(replace(PASSED, steps=steps),)))

    assert len(text.encode()) <= MOST_BYTES
    assert len(json.loads(text)["tests"]) == 60


@pytest.mark.parametrize("code", [ExitCode.BROKEN_PACK, ExitCode.INTERNAL, ExitCode.DEVICE_ABSENT])
def test_prairielearn_counts_no_attempt_where_the_grader_failed(code: ExitCode) -> None:
    result = json.loads(PrairieLearn().failed("It failed.", code))

    assert result["gradable"] is False
    assert "score" not in result


def test_exercism_gets_a_word_and_a_message_for_each_step() -> None:
    result = written(Exercism())

    assert (result["version"], result["status"]) == (3, "fail")
    assert {test["status"] for test in result["tests"]} == {"pass", "fail", "error"}
    assert all(test["message"] for test in result["tests"] if test["status"] != "pass")
    assert all(isinstance(test["task_id"], int) for test in result["tests"])
    assert written(Exercism(), FULL)["status"] == "pass"


def test_exercism_is_told_why_nothing_was_graded() -> None:
    assert json.loads(Exercism().failed("It failed.", ExitCode.INTERNAL)) == {
        "version": 3, "status": "error", "message": "It failed.", "tests": [],
    }  # fmt: skip


def test_autolab_finds_its_scores_in_the_last_line_whatever_a_student_wrote() -> None:
    lines = rendered(Autolab(), AWKWARD).splitlines()

    assert json.loads(lines[-1]) == {"scores": {"ex01": 4, "ex02": 2, "ex03": 0, "ex04": 5}}
    assert any(SCORES in line for line in lines[:-1])
    assert "{" not in Autolab().failed("It failed.", ExitCode.INTERNAL)


def test_codegrade_gets_a_share_of_whole_numbers() -> None:
    result = json.loads(rendered(CodeGrade(), AWKWARD))

    assert result["tag"] == "points"
    assert re.fullmatch(r"22/58", result["points"])
    assert CodeGrade().failed("It failed.", ExitCode.INTERNAL) == ""


def test_each_finds_its_place_on_its_platform_and_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    away = [reporter.place({}) for reporter in (Gradescope(tmp_path / "no"), PrairieLearn(tmp_path / "no"), Exercism())]
    (tmp_path / "out").mkdir()

    here = [
        reporter.place({}) for reporter in (Gradescope(tmp_path), PrairieLearn(tmp_path), Exercism(), Classroom50())
    ]

    assert away == [None, None, None]
    results = tmp_path / "results" / "results.json"
    assert [place and place.file for place in here] == [results, results, Path("out/results.json"), Path("result.json")]


def test_where_no_step_can_be_graded_there_is_no_grade() -> None:
    absent = replace(AWKWARD, exercises=(replace(PASSED, steps=(verdict("ex01.a", Status.UNAVAILABLE, 0, 0),)),))

    assert written(PrairieLearn(), absent)["gradable"] is False
    assert written(Exercism(), absent)["status"] == "error"
    assert rendered(GitHubClassroom(), absent) == GitHubClassroom().failed(
        say("report.nothing-here"), ExitCode.DEVICE_ABSENT
    )
