"""What was freed in the middle of the heap is given back."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from grader.runner.batch.heap import give_back

MIB = 1 << 20
BLOCK = 4_000  # too large for Python's own allocator, too small for a mapping of its own


def held() -> int:
    """The bytes of memory that this process takes."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another library allocates here")
def test_holes_between_what_stays_are_given_back() -> None:
    give_back()
    before = held()
    blocks = [bytes(BLOCK) for _ in range(64 * MIB // BLOCK)]
    kept = blocks[::100]
    del blocks
    with_holes = held()

    give_back()

    assert with_holes - before > 48 * MIB
    assert held() - before < 16 * MIB
    assert len(kept) > 100
