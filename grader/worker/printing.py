"""What a solution prints is counted and dropped: it may print what it likes, and nobody reads it as a result."""

from __future__ import annotations

import io
import os
import sys
from typing import Any


class Dropped(io.RawIOBase):
    """A stream of bytes that keeps nothing."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        return len(data)


class Counter(io.TextIOBase):
    """A text stream that keeps nothing but the number of bytes written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def buffer(self) -> Dropped:
        """Another one each time, so that nobody who is done with theirs closes it for others."""
        return Dropped()

    def reconfigure(self, **settings: Any) -> None:
        """Take whatever a program wants of its output."""

    def fileno(self) -> int:
        return 1

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        self.bytes += len(text.encode("utf-8", "surrogatepass"))
        return len(text)

    def reset(self) -> None:
        self.bytes = 0


def silence() -> Counter:
    """Point every standard stream away from the parent's, and give the counter of what Python code prints."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    counter = Counter()
    sys.stdout = sys.stderr = counter
    return counter
