"""The format `terminal`: plain text for people; on a terminal, the same with colours and a live line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from grader.model.commands import Ask, hint_command, hint_command_here
from grader.model.report import ExerciseResult, Report, Status, Verdict
from grader.model.text import printable
from grader.plugins import hookimpl
from grader.report import lines
from grader.report.colours import SHADES, has_shades
from grader.report.drawing import pictures_of
from grader.report.exercise import in_a_row, in_lines
from grader.report.following import said_of_all
from grader.report.shown import for_student, is_shown
from grader.words import say

if TYPE_CHECKING:
    from rich.text import Text

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
ASCII = str.maketrans(dict(zip("✓✗·–◐…›⁹→−∞", "+x.-~~>9>-8", strict=True)))


class Terminal:
    """Plain text in eighty columns."""

    name = "terminal"

    def __init__(self, ask: Ask | None = hint_command) -> None:
        """ask: what shows the next hint; None where nobody asks for one."""
        self._ask = ask

    def render(self, report: Report) -> str:
        with lines.laid_out_for_a_file():
            return "".join(f"{lines.text(line)}\n" for line in report_lines(report, self._ask))


def report_lines(report: Report, ask: Ask | None = hint_command) -> Iterable[lines.Line]:
    yield lines.header(report.submission)
    of_all = said_of_all(report)
    for result in report.exercises:
        # What is said of everything is said once, below.
        yield from in_a_row(result) if of_all else in_lines(result, report.sources)
    yield from drawn_of_one(report, coloured=False)
    if of_all and of_all not in report.notes:
        yield from lines.sentence(of_all)
    yield from lines.footer(report, ask=ask)


def drawn_of_one(report: Report, *, coloured: bool) -> Iterable[lines.Line]:
    """What is drawn of a report on one exercise, of the first step that is not passed and has something, or of any.

    Nothing of a longer report, which would be pictures above all.
    """
    steps = report.exercises[0].steps if len(report.exercises) == 1 else ()
    wrong = [step for step in steps if step.status is not Status.PASSED]
    drawn = next((step for step in wrong or steps if step.picture or step.shares), None)
    return pictures_of(drawn, coloured=coloured) if drawn is not None else ()


def encodable(text: str, stream: TextIO) -> str:
    """The text as this stream can show it."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    if encoding.replace("-", "").startswith("utf"):
        return text
    return text.translate(ASCII).encode(encoding, "replace").decode(encoding)


def styled(line: lines.Line, stream: TextIO, shades: Mapping[str, str] | None = None) -> Text:
    """A line as rich prints it to this stream. shades: styles of a heat map's cells; plain without."""
    from rich.text import Text

    styles = {**STYLES, **(shades or {})}
    return Text.assemble(*((encodable(printable(piece), stream), styles.get(style, "")) for piece, style in line))


class Live:
    """A plugin that prints each exercise as soon as it is graded, and below it what is being checked.

    Used instead of `Terminal` where the output is a terminal; rich is imported there only.
    """

    def __init__(self, stream: TextIO = sys.stdout) -> None:
        from rich.console import Console

        self._console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
        lines.lay_out_within(self._console.width)
        self._status: Any = None
        self._pending: list[Verdict] = []
        self._sources: dict[str, bytes] = {}

    @hookimpl
    def grader_submission_started(self, pack: Pack, submission: Submission, exercises: tuple[Exercise, ...]) -> None:
        self._sources = dict(submission.sources)
        self._print(lines.header({"id": submission.id}))
        self._status = self._console.status(say("report.checking"), spinner="dots")
        self._status.start()

    @hookimpl
    def grader_step_graded(self, exercise: Exercise, step: Step, verdict: Verdict) -> None:
        if is_shown(verdict):
            self._pending.append(verdict)
        self._status.update(say("report.checking-what", what=f"{exercise.short} {exercise.title}"))
        if step is exercise.steps[-1]:
            result = ExerciseResult(exercise.id, exercise.title, tuple(self._pending))
            self._pending = []
            for line in in_lines(result, self._sources) if result.steps else ():
                self._print(line)

    @hookimpl
    def grader_submission_graded(self, report: Report) -> None:
        self.stop()
        told = for_student(report)
        for line in drawn_of_one(told, coloured=has_shades(self._console)):
            self._print(line)
        for line in lines.footer(told, ask=hint_command_here):
            self._print(line)

    def stop(self) -> None:
        """Take the live line away."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _print(self, line: lines.Line) -> None:
        self._console.print(styled(line, self._console.file, SHADES), crop=False)  # type: ignore[arg-type]
