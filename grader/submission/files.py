"""A file of a submission, wherever it lies: its name, and a way to its bytes that follows no link and never waits."""

from __future__ import annotations

import os
import stat
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


def on_disk(path: Path, name: str) -> File:
    """A file of this machine."""
    return File(name, lambda limit: read_regular(path, limit))


def walk(folder: Path) -> Iterator[File]:
    """The files below a folder, the outer ones first; a linked folder is not entered. At most MAX_WALKED."""
    count = 0
    waiting = deque([(folder, "")])
    while waiting:
        here, prefix = waiting.popleft()
        try:
            entries = sorted(here.iterdir(), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            name = f"{prefix}{entry.name}"
            if is_noise(name):
                continue
            if entry.is_dir() and not entry.is_symlink():
                waiting.append((entry, f"{name}/"))
                continue
            count += 1
            if count > MAX_WALKED:
                return
            yield on_disk(entry, name)


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
