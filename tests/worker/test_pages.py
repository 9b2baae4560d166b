"""Tests of `grader.worker.pages`."""

from __future__ import annotations

import mmap
import os
import re
import sys
from pathlib import Path

import pytest

from grader.worker import pages

LARGE = 2 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="Linux only")
def test_memory_lies_in_large_pages_and_holds_what_it_held() -> None:
    with mmap.mmap(-1, 4 * LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        memory[:] = bytes(range(256)) * (len(memory) // 256)
        before = _in_large_pages()

        pages.join()

        if _can_join():
            assert _in_large_pages() > before
        assert memory[:] == bytes(range(256)) * (len(memory) // 256)


def _in_large_pages() -> int:
    """How many kilobytes of this process's."""
    found = re.search(r"AnonHugePages: +(\d+) kB", Path("/proc/self/smaps_rollup").read_text("ascii"))
    return int(found[1]) if found else 0


def _can_join() -> bool:
    """Whether this kernel is 6.1 or newer, and has large pages at all."""
    major, minor = map(int, re.findall(r"\d+", os.uname().release)[:2])
    return (major, minor) >= (6, 1) and Path("/sys/kernel/mm/transparent_hugepage").is_dir()
