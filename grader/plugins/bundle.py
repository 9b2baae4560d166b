"""What a platform's bundle is: the files that an instructor gives to it, and how it runs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from grader.model.pack import Exercise, Pack


@dataclass(frozen=True, slots=True)
class Course:
    """What goes into a bundle, and how it is to grade.

    exercises: those that count, in the pack's order. is_whole: they are all of the pack. solutions: folders of the
    packages that bring the reference. names: distribution files that announce the plugins, each with its text. seconds:
    of each step. sandbox: options of `grade run`, None for the platform's own default. image: what a container registry
    calls the image, where the platform wants one.
    """

    pack: Pack
    exercises: tuple[Exercise, ...]
    is_whole: bool
    solutions: tuple[Path, ...]
    names: Mapping[str, str]
    seconds: float
    sandbox: tuple[str, ...] | None = None
    image: str = ""


@dataclass(frozen=True, slots=True)
class Ran:
    """A command of a bundle that has ended. output: all that it printed, both streams in one."""

    code: int
    output: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What a platform reads of a graded submission. score and of: points; None where it has none to show."""

    score: float | None
    of: float | None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Ground:
    """A bundle laid out as the platform does it.

    submission: the folder that a student's files come to. setup: the command that is run once. run: the command that
    grades. folder: where they start. environment: what the platform sets. result: the file that the platform reads.
    archive: what a handin is called where the platform takes one file, a zip here.
    """

    submission: Path
    setup: tuple[str, ...]
    run: tuple[str, ...]
    folder: Path
    result: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    archive: str = ""


class Platform(Protocol):
    """A platform that bundles are made for. suffix: of the archive that it takes, "" where it takes a folder.

    mark: the file by which a bundle of its kind is told from others.
    """

    @property
    def name(self) -> str: ...

    @property
    def suffix(self) -> str: ...

    @property
    def mark(self) -> str: ...

    def write(self, folder: Path, course: Course) -> None:
        """Write every file of a bundle into an empty folder. Raises OSError."""

    def lay_out(self, bundle: Path, root: Path) -> Ground:
        """Put an unpacked bundle below `root` as the platform puts it below `/`."""

    def read(self, ground: Ground, ran: Ran) -> Seen:
        """What the platform would show of a run. Raises ValueError where the result is not what it takes."""
