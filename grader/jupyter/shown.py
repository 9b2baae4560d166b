"""What is shown below a cell: the report as HTML, and as text where there is none."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.model.pack import Pack
from grader.model.report import FINE, ExerciseResult, Report, Status
from grader.model.text import clean, points
from grader.report.following import next_hint
from grader.report.html.student import cell_report
from grader.report.lines import word_of
from grader.report.terminal import Terminal
from grader.words import say

HINT = "%grade_hint"


def ask(step: str, _: Path) -> str:
    """The magic that shows the next hint of a step: of a notebook there is one folder alone."""
    return f"{HINT} {step}"


class Below:
    """The place below the cell that is run. What is shown there replaces what was, where the notebook can do that."""

    def __init__(self, shell: Any) -> None:
        self._publish = shell.display_pub.publish
        self._id = secrets.token_hex(8)
        self._is_first = True

    def text(self, said: str) -> None:
        self._show({"text/plain": said})

    def report(self, report: Report) -> None:
        """Show a report; HTML never runs or fetches anything."""
        html = cell_report(report, cell=f"grade-{self._id}", following=next_hint(report, ask))
        self._show({"text/html": html, "text/plain": Terminal(ask).render(report).rstrip("\n")})

    def _show(self, data: Mapping[str, str]) -> None:
        # Published, not returned: what a magic returns would be kept in the namespace, as `_` and in `Out`.
        self._publish(dict(data), transient={"display_id": self._id}, update=not self._is_first)
        self._is_first = False


def status(pack: Pack, results: Mapping[str, ExerciseResult]) -> Iterator[str]:
    """A line for each exercise: its points and the steps that have not passed, as far as it was graded here."""
    for exercise in pack.exercises:
        result = results.get(exercise.id)
        gained = f"{points(result.score)} / {points(result.max_score)}" if result else f"– / {exercise.points}"
        said = _left(result) if result else say("jupyter.not-graded-yet")
        yield f"{exercise.short}  {clean(exercise.title, 34):<34}{gained:>8}  {said}"
    score = sum(result.score for result in results.values())
    yield f"{'':<6}{say('report.score'):<34}{f'{points(score)} / {pack.points}':>8}"


def _left(result: ExerciseResult) -> str:
    steps = [step for step in result.steps if step.status not in (*FINE, Status.BLOCKED)]
    waiting = sum(step.status is Status.BLOCKED for step in result.steps)
    names = [f"{step.name}{f' ({word})' if (word := word_of(step.status)) else ''}" for step in steps]
    rest = [say("jupyter.waiting", count=waiting)] if waiting else []
    return ", ".join([*names, *rest]) or say("jupyter.all-passed")
