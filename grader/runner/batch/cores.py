"""Which core a job slot keeps to, where there are as many slots as cores.

A slot's grader and the process of its submission mostly take turns, by many short messages. A kernel that is free to
choose spreads them over the cores, and does not move what waits on a busy one to a core that is idle for less than half
a millisecond: with a slot for each core a class took a tenth longer. Where there are more slots than cores something
always waits for an idle one, and where there are fewer, a slot has more to do than fits on one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def keeping_to_one(slot: int, slots: int) -> Iterator[None]:
    """What is started meanwhile, threads and processes, keeps to the core of this slot; so does what those start.

    slot: its number, of so many slots. Does nothing where they are not as many as the cores that may be used, and on
    systems that know no such thing.
    """
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
    if slots == 1 or slots != len(usable):
        yield
        return
    with suppress(OSError):
        os.sched_setaffinity(0, {usable[slot]})  # of this thread alone
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, usable)
