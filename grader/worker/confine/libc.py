"""The C library's door to what Python has no name for. Linux."""

from __future__ import annotations

import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38


def prctl(option: int, first: int = 0, second: object = 0) -> None:
    """https://man7.org/linux/man-pages/man2/prctl.2.html Raises OSError."""
    _checked(_LIBC.prctl(option, ctypes.c_ulong(first), second, 0, 0))


def syscall(number: int, *arguments: object) -> int:
    """A system call by its number; what it returns. Raises OSError."""
    return _checked(_LIBC.syscall(ctypes.c_long(number), *arguments))


def madvise(start: int, size: int, advice: int) -> None:
    """https://man7.org/linux/man-pages/man2/madvise.2.html Raises OSError."""
    _checked(_LIBC.madvise(ctypes.c_void_p(start), ctypes.c_size_t(size), advice))


def _checked(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
