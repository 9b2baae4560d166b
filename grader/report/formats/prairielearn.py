"""The format `prairielearn`: results.json of PrairieLearn's external graders.

Source: https://prairielearn.readthedocs.io/en/latest/externalGrading/. Points must stand in every test, or it shows
none at all; it takes a megabyte; it renders colours of a terminal, of which none are left here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.model.errors import ExitCode
from grader.model.report import Report
from grader.model.reporter import Place
from grader.model.text import clean
from grader.report.formats.told import LONGEST, explanation, fitting, total
from grader.report.json import document, number
from grader.report.notes import sentence_of
from grader.report.shown import for_student
from grader.words import say

# https://prairielearn.readthedocs.io/en/latest/externalGrading/: results of more than one megabyte are refused.
MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class PrairieLearn:
    """results.json, a share of all points; hidden steps count in it and are not listed."""

    home: Path = Path("/grade")
    name = "prairielearn"
    shows_all = True

    def place(self, environment: Mapping[str, str]) -> Place | None:
        return Place(self.home / "results" / "results.json") if self.home.is_dir() else None

    def render(self, report: Report) -> str:
        if not report.max_score:  # every step is for a device that is not here
            return _not_gradable(say("report.nothing-here"))
        return fitting(partial(_rendered, report), MOST_BYTES)

    def failed(self, why: str, code: ExitCode) -> str:
        """Not gradable: PrairieLearn counts no attempt."""
        return _not_gradable(why)


def _rendered(report: Report, limit: int) -> str:
    shown = for_student(report)
    result = {
        "gradable": True,
        "score": round(report.score / report.max_score, 6),
        "message": total(shown),
        "output": "\n".join(clean(sentence_of(note), LONGEST) for note in shown.notes),
        "tests": [
            {
                "name": clean(step.title),
                "description": step.id,
                "points": number(step.score),
                "max_points": number(step.max_score),
                "message": say(f"status.{step.status}"),
                "output": "\n".join(explanation(step, report.sources, limit)),
            }
            for step in shown.steps
        ],
    }
    return document(result, indent=None)


def _not_gradable(why: str) -> str:
    return document({"gradable": False, "message": why, "format_errors": [why]}, indent=None)
