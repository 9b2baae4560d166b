"""What can happen at the desk. Threads put these into one queue, and one thread deals with them in turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.report import Matrix, Report


@dataclass(frozen=True, slots=True)
class Saved:
    """Something in the student's folder may have changed."""


@dataclass(frozen=True, slots=True)
class Typed:
    """The student typed. text: a key, or what was typed before Enter."""

    text: str


@dataclass(frozen=True, slots=True)
class Resized:
    """The terminal has another size, or was left and came back: it has to be drawn anew."""


@dataclass(frozen=True, slots=True)
class Lasting:
    """What is awaited has not come for a while."""


@dataclass(frozen=True, slots=True)
class Polling:
    """From now on the folder is looked at now and then. why: to follow "polling: "."""

    why: str


@dataclass(frozen=True, slots=True)
class Graded:
    """number: of the request. report: of what was asked for."""

    number: int
    report: Report


@dataclass(frozen=True, slots=True)
class Drawn:
    """The student's own attention. tokens: of their sentence. heads: what a head looks for, and its weights (T, T)."""

    number: int
    tokens: tuple[str, ...]
    heads: Mapping[str, Matrix]


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The grader could not do what the request was for."""

    number: int
    error: BaseException


Event = Saved | Typed | Resized | Lasting | Polling | Graded | Drawn | Unanswered
