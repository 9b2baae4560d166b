"""The format `autolab`: what a student reads, and in the last line the scores, by Autolab's problems.

Source: https://docs.autolabproject.com/lab/. Each exercise is a problem, called by its number, such as `ex10`; the
assessment must have problems of these names.
"""

from __future__ import annotations

import json

from grader.model.errors import ExitCode
from grader.model.report import Report
from grader.report.json import number
from grader.report.shown import for_student
from grader.report.terminal import Terminal
from grader.words import say


class Autolab:
    """The terminal's text and a line of JSON. An exercise's hidden steps count in its score."""

    name = "autolab"
    shows_all = True

    def render(self, report: Report) -> str:
        scores = {result.short: number(result.score) for result in report.exercises}
        return Terminal().render(for_student(report)) + json.dumps({"scores": scores}) + "\n"

    def failed(self, why: str, code: ExitCode) -> str:
        """Without a line of scores Autolab gives none, and shows what was printed."""
        return f"{say('report.not-graded')}. {why}\n"
