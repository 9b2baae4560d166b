"""Where each format of a run goes: to a file, to where its platform looks, or to standard output."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import ExitCode, NotWritten
from grader.model.report import Report
from grader.model.reporter import Place, Reporter, TellsOfFailure, beside, is_in_parts, place_of
from grader.model.write import add_whole, remove, telling, write_whole
from grader.report.shown import rendered


@dataclass(frozen=True, slots=True)
class Output:
    """A format and where it goes. place: None for standard output. is_default: whether nobody named the place."""

    reporter: Reporter
    place: Place | None = None
    is_default: bool = False

    @property
    def is_a_grade(self) -> bool:
        """Whether a platform takes what lies there for a grade."""
        return isinstance(self.reporter, TellsOfFailure) and self.place is not None and not self.place.is_shared


def output(reporter: Reporter, file: str, environment: Mapping[str, str]) -> list[Output]:
    """Where a format goes, and those that are written beside it. file: "" where none is named."""
    if file:
        return [Output(reporter, Place(Path(file)))]
    others = [(other, place_of(other, environment)) for other in beside(reporter)]
    return [
        Output(reporter, place_of(reporter, environment), is_default=True),
        *(Output(other, place, is_default=True) for other, place in others if place is not None),
    ]


def clear(outputs: Iterable[Output]) -> None:
    """Remove what lies where a platform will look for a grade: a student may have put it there. Raises NotWritten."""
    for each in outputs:
        if each.is_a_grade and each.place is not None:
            remove(each.place.file)


def write(outputs: Iterable[Output], report: Report) -> None:
    """Write every format that goes to a file. Raises NotWritten for the first that cannot be, after all others."""
    failed: list[NotWritten] = []
    for each in outputs:
        if each.place is not None:
            try:
                put(each.place, rendered(each.reporter, report))
            except NotWritten as error:
                failed.append(error)
    if failed:
        raise failed[0]


def put(place: Place, text: str) -> None:
    """Write a text to its place, whole or not at all. Raises NotWritten."""
    if place.is_shared:
        add_whole(place.file, text)
        return
    with telling(place.file):
        place.file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(place.file, text)


def write_failure(outputs: Iterable[Output], why: str, code: ExitCode) -> Iterator[str]:
    """Say at each place that nothing was graded. Gives what is to be said on standard output.

    A place that cannot be written is left: why nothing was graded is the error that counts.
    """
    for each in outputs:
        text = each.reporter.failed(why, code) if isinstance(each.reporter, TellsOfFailure) else ""
        if each.place is None:
            yield text
            continue
        with contextlib.suppress(NotWritten):
            if text:
                put(each.place, text)
            elif not each.place.is_shared:  # half a grade, or one of an earlier run, or put there by a student
                remove(each.place.file)


def in_parts(outputs: Iterable[Output]) -> list[Output]:
    """Those that are written after each step."""
    return [each for each in outputs if each.place is not None and is_in_parts(each.reporter)]
