"""The format `codegrade`: the points as CodeGrade's AutoTest V2 takes them from a custom test, a line of JSON.

Source: https://help.codegrade.com/ (AutoTest V2, custom test). The share is of whole numbers.
"""

from __future__ import annotations

import json

from grader.model.errors import ExitCode
from grader.model.report import Report
from grader.report.formats.whole import whole


class CodeGrade:
    """One line for all points, hidden ones among them; what a student reads is another format's."""

    name = "codegrade"
    shows_all = True

    def render(self, report: Report) -> str:
        points = whole(report).total
        return json.dumps({"tag": "points", "points": f"{points.score}/{points.max_score}"}) + "\n"

    def failed(self, why: str, code: ExitCode) -> str:
        """No points at all: the test fails by its exit code."""
        return ""
