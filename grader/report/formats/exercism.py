"""The format `exercism`: results.json of a test runner of Exercism, version 3.

Source: https://exercism.org/docs/building/tooling/test-runners/interface. There are no points: a step is right or not.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.model.errors import ExitCode
from grader.model.report import ERRORS, Report, Status, Verdict
from grader.model.reporter import Place
from grader.report.formats.told import explanation, title
from grader.report.json import document
from grader.words import say

# https://exercism.org/docs/building/tooling/test-runners/interface: messages longer than this are cut there.
MOST_CHARACTERS = 65_535


class Exercism:
    """out/results.json. What no device here can grade is left out, as there is no word for it."""

    name = "exercism"

    def place(self, environment: Mapping[str, str]) -> Place | None:
        folder = Path("out")
        return Place(folder / "results.json") if folder.is_dir() else None

    def render(self, report: Report) -> str:
        tests = [
            _test(step, result.number, report)
            for result in report.exercises
            for step in result.steps
            if step.status is not Status.UNAVAILABLE
        ]
        if not tests:
            return self.failed(say("report.nothing-here"), ExitCode.DEVICE_ABSENT)
        is_right = all(test["status"] == "pass" for test in tests)
        return document({"version": 3, "status": "pass" if is_right else "fail", "tests": tests})

    def failed(self, why: str, code: ExitCode) -> str:
        return document({"version": 3, "status": "error", "message": why, "tests": []})


def _test(step: Verdict, task: int, report: Report) -> dict[str, Any]:
    if step.status is Status.PASSED:
        return {"name": title(step), "status": "pass", "task_id": task}
    said = "\n".join(explanation(step, report.sources)) or say(f"status.{step.status}")
    status = "error" if step.status in ERRORS else "fail"
    return {"name": title(step), "status": status, "message": said[:MOST_CHARACTERS], "task_id": task}
