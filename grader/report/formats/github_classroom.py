"""The format `github-classroom`: what the actions of GitHub Classroom, which has ended, hand to their reporter.

Source: https://github.com/classroom-resources/autograding-grading-reporter. It counts in two ways: its table shows the
share of the tests that passed, its notice the sum of their scores. Only where each test is worth one point do both say
the same, so every point is a test.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.model.errors import ExitCode
from grader.model.report import Report, Verdict
from grader.model.reporter import Place
from grader.report.formats.told import sentences, title
from grader.report.formats.whole import Points, Whole, whole
from grader.report.shown import is_shown
from grader.words import say

OUTPUT = "GITHUB_OUTPUT"


class GitHubClassroom:
    """A line `result=` for $GITHUB_OUTPUT: JSON in base64, which no text of a student's can break."""

    name = "github-classroom"
    shows_all = True

    def place(self, environment: Mapping[str, str]) -> Place | None:
        file = environment.get(OUTPUT)
        return Place(Path(file), is_shared=True) if file else None

    def render(self, report: Report) -> str:
        points = whole(report)
        tests = [test for step in filter(is_shown, report.steps) for test in _tests(step, points)]
        tests += _points(say("report.steps-not-shown"), points.not_shown, "")
        if not tests:
            return self.failed(say("report.nothing-here"), ExitCode.DEVICE_ABSENT)
        status = "pass" if points.total.score == points.total.max_score else "fail"
        return _line({"version": 1, "status": status, "max_score": points.total.max_score, "tests": tests})

    def failed(self, why: str, code: ExitCode) -> str:
        """Nothing of nothing: without a test its reporter breaks, and without a score it shows NaN."""
        test = _test(say("report.not-graded"), "error", 0, why)
        return _line({"version": 1, "status": "error", "max_score": 0, "tests": [test]})


def _tests(step: Verdict, points: Whole) -> Iterator[dict[str, Any]]:
    return _points(title(step), points.of(step), "\n".join(sentences(step)))


def _points(name: str, points: Points, said: str) -> Iterator[dict[str, Any]]:
    """A test for each point; what is to be said stands at the first that is lost."""
    for number in range(1, points.max_score + 1):
        is_gained = number <= points.score
        named = say("report.part", name=name, number=number, total=points.max_score) if points.max_score > 1 else name
        yield _test(named, "pass" if is_gained else "fail", int(is_gained), said if number == points.score + 1 else "")


def _test(name: str, status: str, score: int, message: str) -> dict[str, Any]:
    return {"name": name, "status": status, "score": score, "message": message, "line_no": 0}


def _line(result: Mapping[str, Any]) -> str:
    return f"result={base64.b64encode(json.dumps(result).encode()).decode()}\n"
