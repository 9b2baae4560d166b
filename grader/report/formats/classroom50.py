"""The format `classroom50`: result.json of Classroom 50, in whole points.

Source: https://github.com/foundation50/classroom50/blob/main/schemas/result-v1.schema.json. Its runner says what was
submitted in variables, and adds `owner`, `assignment_type` and the true `datetime` itself. It takes an exit code other
than 0 for a failure of the autograder: use `--min-score 0`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.model.errors import ExitCode
from grader.model.report import Report, Status
from grader.model.reporter import Place
from grader.report.formats.told import explanation, title
from grader.report.formats.whole import Points, whole
from grader.report.json import document
from grader.report.shown import is_shown
from grader.words import say

SCHEMA = "classroom50/result/v1"
# Where there is no runner: the form is kept, and nothing will collect it.
NOWHERE = "unknown"


class Classroom50:
    """result.json in the working folder. All hidden steps are one test, as it needs their points."""

    name = "classroom50"
    shows_all = True

    def place(self, environment: Mapping[str, str]) -> Place | None:
        return Place(Path("result.json"))

    def render(self, report: Report) -> str:
        points = whole(report)
        tests = [
            _test(title(step), step.status is Status.PASSED, points.of(step), list(explanation(step, report.sources)))
            for step in filter(is_shown, report.steps)
        ]
        rest = points.not_shown
        if rest.max_score:
            tests.append(_test(say("report.steps-not-shown"), rest.score == rest.max_score, rest, []))
        result = {
            "schema": SCHEMA,
            **_submitted(os.environ),
            "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "score": points.total.score,
            "max-score": points.total.max_score,
            "tests": tests,
        }
        return document(result)

    def failed(self, why: str, code: ExitCode) -> str:
        """Without a result the runner says itself that the autograder failed."""
        return ""


def _test(name: str, passed: bool, points: Points, said: list[str]) -> dict[str, Any]:
    test = {"test-name": name, "passed": passed, "score": points.score, "max-score": points.max_score}
    return {**test, "output": "\n".join(said)} if said else test


def _submitted(environment: Mapping[str, str]) -> dict[str, str]:
    commit = environment.get("COMMIT_URL") or NOWHERE
    return {
        "classroom": environment.get("CLASSROOM") or NOWHERE,
        "assignment": environment.get("ASSIGNMENT") or NOWHERE,
        "submission": environment.get("SUBMISSION_TAG") or f"submit/{NOWHERE}",
        "commit": commit,
        "release": environment.get("RELEASE_URL") or NOWHERE,
        "review": environment.get("REVIEW_URL") or commit,
    }
