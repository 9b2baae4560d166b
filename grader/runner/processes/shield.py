"""Keeps the parent's memory, environment and descriptors from other processes of the same user.

The parent holds the expected answers. A process that is not dumpable cannot be traced, and its memory, environment and
descriptors in /proc belong to root: https://man7.org/linux/man-pages/man2/PR_SET_DUMPABLE.2const.html
"""

from __future__ import annotations

import ctypes
import sys

PR_SET_DUMPABLE = 4


def shield() -> None:
    """Make this process not dumpable, for as long as it lives. Does nothing where there is no such thing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
