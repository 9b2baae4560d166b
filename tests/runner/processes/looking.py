"""What tests see of the processes on this machine: who descends from whom, and who has ended."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from pathlib import Path

from grader.runner.processes.zygote import Zygote

SECONDS = 60.0  # far more than any process takes to end


def descendants(ancestor: int) -> list[int]:
    """Every process that this one started, and that those started, parents before their children."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1])
    found = [ancestor]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found[1:]


def watched(ancestor: int) -> list[int]:
    """A descriptor of each of its descendants, by which to see that it ends; none of one that has ended meanwhile."""
    found = []
    for pid in descendants(ancestor):
        with contextlib.suppress(ProcessLookupError):
            found.append(os.pidfd_open(pid))
    return found


def python_of(worker: Zygote) -> int:
    """The process that imported torch, which bubblewrap may be around."""
    worker.hello()
    started = worker._process.pid
    return next(pid for pid in [started, *descendants(started)] if _words(pid)[:1] == [sys.executable])


def has_ended(handle: int, seconds: float = SECONDS) -> bool:
    """Whether the process of a descriptor ends within some seconds. Closes the descriptor."""
    with contextlib.closing(os.fdopen(handle)) as process:
        poll = select.poll()
        poll.register(process, select.POLLIN)
        return bool(poll.poll(seconds * 1000))


def running(words: str) -> list[int]:
    """Every process but this one whose command line holds these words, and that a moment more does not end."""
    found = [int(path.name) for path in Path("/proc").glob("[0-9]*") if words in " ".join(_words(int(path.name)))]
    left = []
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            if pid != os.getpid() and not has_ended(os.pidfd_open(pid), 2.0):
                left.append(pid)
    return left


def kill(pid: int, number: int) -> None:
    """Send a signal and, where it ends the process, wait until it has."""
    handle = os.pidfd_open(pid)
    os.kill(pid, number)
    if number == 9:
        assert has_ended(handle)
    else:
        os.close(handle)


def _words(pid: int) -> list[str]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").split("\0")
    return []
