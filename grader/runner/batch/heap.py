"""Memory that was freed in the middle of the heap, which glibc keeps rather than give it back by itself.

Submissions leave reports of all sizes behind them for a moment, and holes between what stays: over thousands of them
as much again as the grader holds.
"""

from __future__ import annotations

import contextlib
import ctypes

# So many submissions later, which takes a tenth of one at most.
GIVEN_BACK_AFTER = 50


def give_back() -> None:
    """Give the holes back to the system. Does nothing where another library allocates."""
    with contextlib.suppress(AttributeError, OSError, TypeError):  # musl, macOS and Windows have no such function
        ctypes.CDLL(None).malloc_trim(0)


def give_back_after(done: int) -> None:
    """The same, once in so many submissions. done: how many there were."""
    if done % GIVEN_BACK_AFTER == 0:
        give_back()
