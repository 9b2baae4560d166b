"""Has the zygote's memory lie in large pages, so that a fork is quick. Linux.

A fork makes an entry for each page that the child then shares, and its end takes each of them back: of a hundred
megabytes in pages of 4 KiB this takes two thirds of what a process costs that does nothing. What a child writes to is
copied in small pages all the same, and what it takes anew comes in those.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from grader.worker.confine import libc

# MADV_COLLAPSE: https://man7.org/linux/man-pages/man2/madvise.2.html
COLLAPSE = 25


def join() -> None:
    """Join what this process holds to large pages, as far as that can be done here: Linux 6.1 or newer."""
    for start, size in _own():
        with suppress(OSError):  # where there are none, or not enough in one piece
            libc.madvise(start, size, COLLAPSE)


def _own() -> Iterator[tuple[int, int]]:
    """Where memory lies that is no file's, and how large it is.

    https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html
    """
    for line in Path("/proc/self/maps").read_text("utf-8", "replace").splitlines():
        span, rights, _, _, inode, *name = line.split()
        if rights == "rw-p" and inode == "0" and name in ([], ["[heap]"]):
            start, end = (int(each, 16) for each in span.split("-"))
            yield start, end - start
