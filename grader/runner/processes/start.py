"""The spawner for this machine: a zygote that forks processes or, where there is no fork, fresh interpreters."""

from __future__ import annotations

import os
import sys

from grader.runner.processes.fresh import Fresh
from grader.runner.processes.spawner import Spawner
from grader.runner.processes.zygote import Zygote


def start_worker(without: frozenset[str] = frozenset()) -> Spawner:
    """The spawner for this machine. It returns at once; torch is imported meanwhile."""
    return Zygote(without) if _can_fork() else Fresh(without)


def _can_fork() -> bool:
    """Whether a process here can fork, and have its children held by descriptors: Linux 5.3 and later."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True
