"""A file of a submission, wherever it lies: its name, and a way to its bytes that follows no link and never waits."""

from __future__ import annotations

import os
import stat
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from grader.words import say

MODULE, NOTEBOOK = ".py", ".ipynb"
# What systems and tools leave in a folder. None of it was written by a student, so nothing is said of it.
NOISE = frozenset({
    "__MACOSX", ".DS_Store", ".ipynb_checkpoints", "__pycache__", ".git", ".venv", "venv", "node_modules", "Thumbs.db",
})  # fmt: skip
MAX_WALKED = 10_000


class Unreadable(Exception):
    """Why a file is not taken, to follow its name in a sentence."""


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


def is_noise(name: str) -> bool:
    """Whether a path is nobody's work."""
    parts = name.split("/")
    return any(part in NOISE for part in parts) or parts[-1].startswith("._")


@dataclass(frozen=True, slots=True)
class _OnDisk:
    """How a file of this machine is read. A large class has a hundred thousand, whose folders and names are shared."""

    folder: str
    name: str

    def __call__(self, limit: int) -> bytes:
        return read_regular(Path(self.folder, self.name), limit)


def on_disk(path: Path, name: str) -> File:
    """A file of this machine."""
    return File(name, _OnDisk(str(path.parent), path.name))


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
    """The files below a folder, the outer ones first; a linked folder is not entered. At most MAX_WALKED."""
    count = 0
    waiting = deque([(str(folder), "")])
    while waiting:
        here, prefix = waiting.popleft()
        try:
            found = entries(here)
        except OSError:
            continue
        for entry in found:
            name = f"{prefix}{entry.name}"
            if is_folder(entry):
                waiting.append((entry.path, f"{name}/"))
                continue
            count += 1
            if count > MAX_WALKED:
                return
            yield File(name, _OnDisk(here, sys.intern(entry.name)))


def read_regular(path: Path, limit: int) -> bytes:
    """A regular file's bytes, by a descriptor that follows no link and waits for no pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        file = os.fdopen(descriptor, "rb")
    except (OSError, ValueError) as error:
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
    """Raises Unreadable where a file is larger than is read."""
    if size > limit:
        raise Unreadable(say("submission.too-large", size=f"{size:,}", most=f"{limit:,}"))
