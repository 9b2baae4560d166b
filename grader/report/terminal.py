"""The format `terminal`: plain text for people; on a terminal, the same with colours and a live line."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from grader.model.report import ExerciseResult, Report, Verdict
from grader.model.text import printable
from grader.plugins import hookimpl
from grader.report import lines

if TYPE_CHECKING:
    from grader.model.pack import Exercise, Pack, Step
    from grader.model.submission import Submission

STYLES = {
    lines.GOOD: "green",
    lines.BAD: "red",
    lines.HALF: "yellow",
    lines.DIM: "dim",
    lines.STRONG: "bold",
    lines.PLAIN: "",
}
# What a terminal without Unicode shows instead.
ASCII = str.maketrans({"✓": "+", "✗": "x", "·": ".", "–": "-", "◐": "~", "…": "~", "›": ">", "⁹": "9", "→": ">"})


class Terminal:
    """Plain text in eighty columns."""

    name = "terminal"

    def render(self, report: Report) -> str:
        return "".join(f"{lines.text(line)}\n" for line in report_lines(report))


def report_lines(report: Report) -> Iterable[lines.Line]:
    """Every line of a report."""
    yield lines.header(report.submission)
    for result in report.exercises:
        yield from lines.exercise_lines(result, report.sources)
    yield from lines.footer(report)


def encodable(text: str, stream: TextIO) -> str:
    """The text as this stream can show it."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    if encoding.replace("-", "").startswith("utf"):
        return text
    return text.translate(ASCII).encode(encoding, "replace").decode(encoding)


class Live:
    """A plugin that prints each exercise as soon as it is graded, and below it what is being checked.

    Used instead of `Terminal` where the output is a terminal; rich is imported there only.
    """

    def __init__(self, stream: TextIO = sys.stdout) -> None:
        from rich.console import Console

        self._console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
        self._status: Any = None
        self._pending: list[Verdict] = []
        self._sources: dict[str, bytes] = {}

    @hookimpl
    def grader_submission_started(self, pack: Pack, submission: Submission, exercises: tuple[Exercise, ...]) -> None:
        self._sources = dict(submission.sources)
        self._print(lines.header({"id": submission.id}))
        self._status = self._console.status("checking …", spinner="dots")
        self._status.start()

    @hookimpl
    def grader_step_graded(self, exercise: Exercise, step: Step, verdict: Verdict) -> None:
        self._pending.append(verdict)
        self._status.update(f"checking {exercise.short} {exercise.title} …")
        if step is exercise.steps[-1]:
            result = ExerciseResult(exercise.id, exercise.title, tuple(self._pending))
            self._pending = []
            for line in lines.exercise_lines(result, self._sources):
                self._print(line)

    @hookimpl
    def grader_submission_graded(self, report: Report) -> None:
        self.stop()
        for line in lines.footer(report):
            self._print(line)

    def stop(self) -> None:
        """Take the live line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _print(self, line: lines.Line) -> None:
        from rich.text import Text

        pieces = [(encodable(printable(piece), self._console.file), STYLES[style]) for piece, style in line]  # type: ignore[arg-type]
        self._console.print(Text.assemble(*pieces), crop=False)
