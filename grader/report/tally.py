"""How far a batch is: a bar where a person watches, plain lines now and then where nobody does."""

from __future__ import annotations

import sys
import time
from collections import Counter
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, TextIO

from grader.report.outcome import Outcome, counts, duration
from grader.report.terminal import encodable

# Between two plain lines: a log of some hours stays readable.
LINE_SECONDS = 5.0


class Tally(AbstractContextManager["Tally"]):
    """Counts results as they come. total: how many there will be. Writes to standard error, so that output stays."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.outcomes: Counter[Outcome] = Counter()
        self.total, self.kept = total, 0
        self._stream = stream or sys.stderr
        self._started = self._told = time.monotonic()
        self._bar: Any = _bar(total, self._stream) if self._stream.isatty() else None

    @property
    def done(self) -> int:
        return self.outcomes.total()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    @property
    def rate(self) -> float:
        """Submissions a second that were really graded."""
        return (self.done - self.kept) / self.seconds if self.seconds else 0.0

    def __enter__(self) -> Tally:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or self.done:  # else what is to be said is why there is nothing
            self.tick(is_last=True)
        if self._bar is not None:
            self._bar.stop()

    def add(self, outcome: Outcome, *, is_kept: bool) -> None:
        """Count a result. is_kept: of an earlier run."""
        self.outcomes[outcome] += 1
        self.kept += is_kept
        self.tick()

    def say(self, sentence: str) -> None:
        if self._bar is not None:
            self._bar.console.print(encodable(sentence, self._stream))
        else:
            print(encodable(sentence, self._stream), file=self._stream, flush=True)

    def line(self) -> str:
        """ "12 of 40, 1.8/s, 16 s left: 4 full · 6 partial · 1 failed · 1 crashed"."""
        left = self.total - self.done
        speed = f", {self.rate:.1f}/s, {duration(left / self.rate)} left" if left and self.rate else ""
        return f"{self.done} of {self.total}{speed}: {counts(self.outcomes)}"

    def tick(self, *, is_last: bool = False) -> None:
        """Show how far it is, as time goes by."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self.done, told=encodable(self.line(), self._stream))
        elif is_last or (self.done and time.monotonic() - self._told >= LINE_SECONDS):
            self._told = time.monotonic()
            self.say(self.line())


def _bar(total: int, stream: TextIO) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    bar = Bar(BarColumn(), TextColumn("{task.fields[told]}", markup=False), console=console, refresh_per_second=5)
    bar.add_task("", total=total, told="")
    return bar
