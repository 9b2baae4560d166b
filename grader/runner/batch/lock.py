"""One batch at a time on one output folder. The system lets go of the lock when its process ends, however it ends."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.model.errors import NotWritten, UsageError

NAME = ".lock"
# Through no link, which would make a file elsewhere.
FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder, which is made where there is none. Raises UsageError where another process holds it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(folder / NAME, FLAGS, 0o666), "a+b")
    except FileExistsError:
        raise UsageError(f"{folder} is a file; name a folder with --out.") from None
    except OSError as error:
        if not folder.exists() and error.errno not in (errno.ENOSPC, errno.EDQUOT):
            why = error.strerror
            raise UsageError(f"No folder can be made at {folder}: {why}. Name another place with --out.") from None
        raise NotWritten(f"{folder} cannot be written: {error.strerror}.") from None
    with file:
        try:
            _lock(file.fileno())
        except OSError:
            raise UsageError(f"Another `grade batch` is at work on {folder}; let it finish, or name another.") from None
        yield


def _lock(descriptor: int) -> None:
    """Raises OSError where another process has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
