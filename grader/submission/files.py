"""A file of a submission, wherever it lies: its name, and a way to its bytes that follows no link and never waits."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import overload

from grader.submission.encodings import as_utf_8
from grader.words import say

MODULE, NOTEBOOK = ".py", ".ipynb"
# The package that a submission is while it is graded; its modules may lie in a folder of that name.
FOLDER = "exercises"
# What is read: a module may have been saved as a text, or be spelt with large letters.
READ = (MODULE, NOTEBOOK, ".txt")
# What systems, tools and this kit leave in a folder. None of it was written by a student, so nothing is said of it.
NOISE = frozenset({
    "__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", ".ipynb_checkpoints", "__pycache__", ".git", ".github",
    ".venv", "venv", "site-packages", "node_modules", "stand_ins",
})  # fmt: skip
# How what macOS notes of a file begins, and what this kit notes of hints and progress.
NOTES = ("._", ".grade-")
MAX_WALKED = 10_000
# Of a module; nobody writes more.
MAX_BYTES = 1 << 20
# Of a processor's time, for all files of one student: thirty notebooks with the whole course in each take two.
MAX_SECONDS = 15.0


class Unreadable(Exception):
    """Why a file is not taken, to follow its name in a sentence."""


class TooLarge(Unreadable):
    """It has more bytes than are read."""


@dataclass(frozen=True, slots=True)
class File:
    """One file. name: its path inside of what was handed in, with slashes.

    read: gives its bytes, of which there may be so many. Raises Unreadable.
    """

    name: str
    read: Callable[[int], bytes]

    @property
    def path(self) -> PurePosixPath:
        return PurePosixPath(self.name)

    @property
    def folder(self) -> str:
        """The folder it lies in, "" for the outermost."""
        return "" if "/" not in self.name else self.name.rpartition("/")[0]


def source_of(file: File) -> bytes:
    """A module in UTF-8, if it is in another encoding that editors write; as it is where nobody can read it.

    Raises Unreadable.
    """
    return as_utf_8(file.read(MAX_BYTES))


def is_noise(name: str) -> bool:
    """Whether a path is nobody's work."""
    parts = name.split("/")
    return any(part in NOISE for part in parts) or parts[-1].startswith(NOTES)


def beside(path: Path, name: str) -> Path:
    """Where a file of that name lies beside what is graded. path: the student's folder, or a file in it."""
    return (path if path.is_dir() else path.parent) / name


def without_noise(name: str) -> str:
    """The folder that noise lies in, however deep it lies in noise itself; "" for the outermost."""
    while name and is_noise(name):
        name = name.rpartition("/")[0]
    return name


@dataclass(frozen=True, slots=True)
class _OnDisk:
    """How a file of this machine is read."""

    folder: str
    name: str

    def __call__(self, limit: int) -> bytes:
        return read_regular(Path(self.folder, self.name), limit)

    def above(self, name: str) -> str:
        """The folder below which the file has this name; "" where its path does not end so."""
        folder, _, inner = f"{self.folder}/{self.name}".rpartition(f"/{name}")
        return "" if inner else folder


class Budget:
    """How long the files of one student may still be read, and what is made of them: there are sources over which
    Python's own parser takes long. A busy machine reads as many as an idle one.
    """

    def __init__(self) -> None:
        self._until = time.thread_time() + MAX_SECONDS
        self.was_short = False

    def of(self, file: File) -> File:
        """The file, which is not read once the time is over."""
        return File(file.name, partial(self._read, file))

    def _read(self, file: File, limit: int) -> bytes:
        if time.thread_time() > self._until:
            self.was_short = True
            raise Unreadable(say("submission.out-of-time"))
        return file.read(limit)


def on_disk(path: Path, name: str) -> File:
    """A file of this machine."""
    return File(name, _OnDisk(str(path.parent), path.name))


class Files(Sequence[File]):
    """Files in the order in which they were met.

    A large class has a hundred thousand, so those below one folder of this machine are kept by their names alone.
    """

    __slots__ = ("_all", "_folder", "_names")

    def __init__(self, files: Iterable[File] = ()) -> None:
        self._folder = ""
        self._names: list[str] = []
        self._all: list[File] | None = None  # where they do not lie below one folder
        for file in files:
            self.append(file)

    def append(self, file: File) -> None:
        folder = file.read.above(file.name) if isinstance(file.read, _OnDisk) else ""
        if self._all is None and (not folder or (self._names and folder != self._folder)):
            self._all, self._names = list(self), []
        if self._all is not None:
            self._all.append(file)
        else:
            self._folder = folder
            self._names.append(sys.intern(file.name))  # most of a class call theirs the same

    def __len__(self) -> int:
        return len(self._names if self._all is None else self._all)

    @overload
    def __getitem__(self, index: int) -> File: ...
    @overload
    def __getitem__(self, index: slice) -> list[File]: ...
    def __getitem__(self, index: int | slice) -> File | list[File]:
        if self._all is not None:
            return self._all[index]
        if isinstance(index, slice):
            return [self._named(name) for name in self._names[index]]
        return self._named(self._names[index])

    def _named(self, name: str) -> File:
        return File(name, _OnDisk(self._folder, name))


def entries(folder: str | Path) -> list[os.DirEntry[str]]:
    """What lies in a folder, by name, without what is nobody's work. Raises OSError."""
    with os.scandir(folder) as found:
        return sorted((entry for entry in found if not is_noise(entry.name)), key=lambda entry: entry.name)


def is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder, and no link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def walk(folder: Path) -> Iterator[File]:
    """The files below a folder, the outer ones first; a linked folder is not entered. At most MAX_WALKED.

    A folder that cannot be looked into is there as a file with a slash at its end, which says why when it is read.
    """
    count = 0
    waiting = deque([(str(folder), "")])
    while waiting:
        here, prefix = waiting.popleft()
        try:
            found = entries(here)
        except OSError as error:
            yield File(prefix, partial(_refuse, error))
            continue
        for entry in found:
            name = f"{prefix}{entry.name}"
            if is_folder(entry):
                waiting.append((entry.path, f"{name}/"))
                continue
            count += 1
            if count > MAX_WALKED:
                return
            yield File(name, _OnDisk(here, entry.name))


def _refuse(error: OSError, _limit: int) -> bytes:
    raise Unreadable(say("submission.not-readable", why=error.strerror))


def read_regular(path: Path, limit: int) -> bytes:
    """A regular file's bytes, by a descriptor that follows no link and waits for no pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        file = os.fdopen(descriptor, "rb")
    except (OSError, ValueError) as error:
        with contextlib.suppress(OSError):  # below a closed folder nothing can even be looked at
            if path.is_symlink():
                raise Unreadable(say("submission.link")) from None
            if path.is_dir():
                raise Unreadable(say("submission.no-file")) from None
        raise Unreadable(say("submission.not-readable", why=getattr(error, "strerror", None) or error)) from None
    with file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable(say("submission.no-file"))
        check_size(facts.st_size, limit)
        return file.read(limit)


def check_size(size: int, limit: int) -> None:
    """Raises TooLarge where a file is larger than is read."""
    if size > limit:
        raise TooLarge(say("submission.too-large", size=f"{size:,}", most=f"{limit:,}"))
