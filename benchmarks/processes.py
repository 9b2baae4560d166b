"""What a command and all that it starts take: wall-clock time, CPU time, and memory, as /proc tells it.

CPU time is the kernel's own for all that was waited for. What is killed and not waited for, as the grader's zygotes are
inside bubblewrap, is counted as it was last seen, at most a twentieth of a second earlier. Memory is the proportional
set size of all processes together, in which a page that several share is counted once.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CPU_PERIOD, MEMORY_PERIOD = 0.05, 0.5
TICKS = os.sysconf("SC_CLK_TCK")
ZYGOTE = b"grader.worker.zygote"


class CannotRun(RuntimeError):
    """A command ended as it should not have."""


@dataclass(frozen=True)
class Used:
    """What one command took.

    seconds: wall-clock. cpu: seconds of all its processes. peak_mb: at most, of all its processes together; 0 where
    nobody looked. samples: how far it was, as its caller tells it, and megabytes.
    """

    seconds: float
    cpu: float
    peak_mb: float
    code: int
    output: str
    samples: Sequence[tuple[int, float]] = ()

    def memory_of(self, count: int) -> dict[str, float]:
        """The megabytes of a batch of so many: their peak, and those of its first tenth and its last."""
        edge = max(1, count // 10)
        first, last = self.memory_between(1, edge), self.memory_between(count - edge, count - 1)
        return {"peak_mb": self.peak_mb, "first_mb": first, "last_mb": last}

    def memory_between(self, first: int, last: int) -> float:
        """The median megabytes while it was so far; of the whole where nobody looked then."""
        some = [megabytes for far, megabytes in self.samples if first <= far <= last]
        return statistics.median(some or [megabytes for _, megabytes in self.samples] or [0.0])


@dataclass
class _Look:
    """What was seen of a command's processes while they were there."""

    zygotes: dict[tuple[int, int], float] = field(default_factory=dict)
    samples: list[tuple[int, float]] = field(default_factory=list)


def run(
    command: Sequence[str | Path],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
    codes: Sequence[int] = (0,),
    memory: bool = False,
    far: Callable[[], int] = lambda: 0,
) -> Used:
    """Run a command to its end. far: how far it is, asked whenever memory is looked at. Raises CannotRun."""
    look, ended = _Look(), threading.Event()
    started = time.perf_counter()
    with subprocess.Popen(
        [str(word) for word in command], env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        looking = threading.Thread(target=_watch, args=[process.pid, look, ended, far if memory else None])
        looking.start()
        try:
            assert process.stdout is not None
            output = process.stdout.read().decode("utf-8", "replace")
            _, status, used = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:  # also where somebody has waited long enough
            ended.set()
            looking.join()
    if process.returncode not in codes:
        raise CannotRun(f"{command} ended with {process.returncode}: {output[-2000:]}")
    cpu = used.ru_utime + used.ru_stime + sum(look.zygotes.values())
    peak = max((megabytes for _, megabytes in look.samples), default=0.0)
    return Used(seconds, cpu, peak, process.returncode, output, tuple(look.samples))


def _watch(pid: int, look: _Look, ended: threading.Event, far: Callable[[], int] | None) -> None:
    due = time.perf_counter()
    while not ended.wait(CPU_PERIOD):
        tree = family(pid)
        for one in tree:
            if is_confined_zygote(one) and (seen := spent(one)) is not None:
                look.zygotes[one, seen[0]] = seen[1]
        if far is not None and time.perf_counter() >= due:
            due = time.perf_counter() + MEMORY_PERIOD
            look.samples.append((far(), megabytes(tree)))


def family(ancestor: int) -> list[int]:
    """A process and every one that descends from it and is there."""
    found = [ancestor]
    for pid in found:
        with contextlib.suppress(OSError):  # one may end while it is looked at
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                found += map(int, children.read_text("ascii").split())
    return found


def spent(pid: int) -> tuple[int, float] | None:
    """When a process began, in ticks since the machine did, and its CPU seconds with those that it waited for."""
    with contextlib.suppress(OSError, IndexError):
        # The second field, a name, may hold anything, so fields are counted from its end.
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return int(fields[19]), sum(map(int, fields[11:15])) / TICKS
    return None


def is_confined_zygote(pid: int) -> bool:
    """Whether a process is a grader's zygote inside bubblewrap; without that it is waited for like any other."""
    with contextlib.suppress(OSError, IndexError):
        parent = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1]
        words, around = (Path(f"/proc/{one}/cmdline").read_bytes().split(b"\0") for one in (pid, parent))
        return b"python" in words[0] and any(ZYGOTE in word for word in words) and around[0].endswith(b"bwrap")
    return False


def megabytes(pids: Sequence[int]) -> float:
    """The proportional set sizes of processes together; the resident set where the other may not be read."""
    return sum(map(_kilobytes, pids)) / 1024


def _kilobytes(pid: int) -> float:
    for name, key in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/{name}").read_text("ascii", "replace").splitlines()
            return float(next((line.split()[1] for line in lines if line.startswith(key)), 0))
    return 0.0
