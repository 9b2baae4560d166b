"""What a reporter is: one format that a report can be written in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from grader.model.errors import ExitCode
from grader.model.report import Report


class Reporter(Protocol):
    """A format, named by `--format`. A name and `render` are enough; what follows is there for whoever needs it.

    `Placed`, `TellsOfFailure`: further methods. Attributes, taken to be false or empty where they are not there:
    shows_all: it is given hidden steps and a secret seed too; else `render` gets what a student may see.
    in_parts: its file is written anew after each step, so that a time limit takes no more than the steps to come.
    beside: reporters that are written to their own places together with it.
    """

    @property
    def name(self) -> str: ...

    def render(self, report: Report) -> str:
        """The whole report as text, with a newline at its end."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """Where a format is written. is_shared: others write to that file too, so it is added to and never replaced."""

    file: Path
    is_shared: bool = False


@runtime_checkable
class Placed(Protocol):
    """A reporter that knows where its platform looks."""

    def place(self, environment: Mapping[str, str]) -> Place | None:
        """Where to write where `--format` names no file; None away from the platform: then to standard output.

        environment: the variables of the process.
        """
        ...


@runtime_checkable
class TellsOfFailure(Protocol):
    """A reporter that a platform reads a grade from, and which says it there if nothing could be graded."""

    def failed(self, why: str, code: ExitCode) -> str:
        """What to write then, "" for nothing: nobody's points are lost by it.

        why: sentences. code: NOTHING_TO_GRADE where the submission was empty, else it is the grader's own trouble.
        """
        ...


def place_of(reporter: Reporter, environment: Mapping[str, str]) -> Place | None:
    """Where a reporter's platform looks; None where it has none, or is not here."""
    return reporter.place(environment) if isinstance(reporter, Placed) else None


def shows_all(reporter: Reporter) -> bool:
    """Whether a reporter is for those who teach, or keeps apart by itself what students may see."""
    return bool(getattr(reporter, "shows_all", False))


def is_in_parts(reporter: Reporter) -> bool:
    """Whether a reporter is to be written after each step."""
    return bool(getattr(reporter, "in_parts", False))


def beside(reporter: Reporter) -> tuple[Reporter, ...]:
    """The reporters that are written together with this one."""
    return tuple(getattr(reporter, "beside", ()))
