"""The format `gradescope`: a test for each step, with Gradescope's own hidden and after_due_date.

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/. The score on top is what counts, whatever the
tests add up to. Where one test is hidden, Gradescope does not show students their total.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.errors import ExitCode
from grader.model.report import Report, Status, Verdict
from grader.model.reporter import Place
from grader.model.text import clean
from grader.report.formats.told import LONGEST, explanation, title, total
from grader.report.json import document, number
from grader.report.notes import sentence_of
from grader.report.shown import for_student


@dataclass(frozen=True, slots=True)
class Gradescope:
    """results.json, written anew after each step: a time limit leaves what was graded by then."""

    home: Path = Path("/autograder")
    name = "gradescope"
    shows_all = True
    in_parts = True

    def place(self, environment: Mapping[str, str]) -> Place | None:
        return Place(self.home / "results" / "results.json") if self.home.is_dir() else None

    def render(self, report: Report) -> str:
        shown = for_student(report)
        tests = [
            _test(step, f"{result.number}.{position}", report)
            for result in report.exercises
            for position, step in enumerate(result.steps, 1)
        ]
        said = [total(shown), *(clean(sentence_of(note), LONGEST) for note in shown.notes)]
        return document(
            {
                "score": number(report.score),
                "execution_time": round(report.seconds),
                "output": "\n".join(said),
                "output_format": "text",
                "visibility": "visible",
                "stdout_visibility": "hidden",
                "tests": tests,
            },
            indent=1,
        )

    def failed(self, why: str, code: ExitCode) -> str:
        """Without a score Gradescope says that the autograder failed, and gives no grade."""
        score = {"score": 0} if code is ExitCode.NOTHING_TO_GRADE else {}
        return document({**score, "output": why, "output_format": "text", "stdout_visibility": "hidden"}, indent=1)


def _test(step: Verdict, position: str, report: Report) -> dict[str, Any]:
    test: dict[str, Any] = {
        "name": title(step),
        "number": position,
        "score": number(step.score),
        "max_score": number(step.max_score),
        "output": "\n".join(explanation(step, report.sources)),
        "output_format": "text",
        "tags": [found.id for found in step.diagnosis],
        "visibility": step.visibility.value,
    }
    if step.status is not Status.UNAVAILABLE:
        test["status"] = "passed" if step.status is Status.PASSED else "failed"
    return test
