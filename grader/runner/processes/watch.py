"""Ends a process that takes more memory, threads or disk than any honest one needs.

The kernel's own limits bound one process's address space; what they miss is seen here: shared memory, many threads
with small stacks, and many files: even empty ones take memory of the kernel's, and long to remove.
"""

from __future__ import annotations

import contextlib
import os
import threading
from itertools import islice
from pathlib import Path

from grader.runner.processes.spawner import Process
from grader.words import say

NAME = "watch"
# A process that allocates as fast as memory can be written takes 50 MiB between two looks.
PERIOD = 0.02
MEMORY_BYTES = 2 << 30
THREADS = 128
SCRATCH_BYTES = 256 << 20
SCRATCH_FILES = 10_000
# Fewer than files: each is one more to open, and whoever makes them faster than they are opened would never be seen.
SCRATCH_FOLDERS = 1_000
# How many looks at memory go to one at the scratch folder, which takes longer.
LOOKS = 10
# In /proc/PID/stat after the name in brackets, counted from 0: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
NUM_THREADS, RSS = 17, 21


class Watch:
    """A thread that looks at every process it was given, until that is taken back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: set[Process] = set()
        self._has_some = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None

    def add(self, process: Process) -> None:
        with self._lock:
            self._watched.add(process)
            self._has_some.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
                self._thread.start()

    def remove(self, process: Process) -> None:
        """Watch it no longer. After this returns the process is not touched any more."""
        with self._lock:
            self._watched.discard(process)
            if not self._watched and not self._stopped:
                self._has_some.clear()

    def close(self) -> None:
        with self._lock:
            self._stopped = True
            self._has_some.set()
        if self._thread is not None:
            self._thread.join()

    def _look(self) -> None:
        pause = threading.Event()
        look = 0
        while self._has_some.wait() and not self._stopped:
            with self._lock:
                for process in self._watched:
                    why = _excess(process, look % LOOKS == 0)
                    if why and not process.ended_for:
                        process.ended_for = why
                        process.kill()
            look += 1
            pause.wait(PERIOD)


def said_of(excess: str) -> str:
    """The sentence on a process that was ended. excess: what it had too much of, as its `ended_for` has it."""
    match excess:
        case "memory":
            return say("judge.ended.for-memory", gibibytes=MEMORY_BYTES >> 30)
        case "threads":
            return say("judge.ended.for-threads", threads=THREADS)
        case _:
            allowed = {"mebibytes": SCRATCH_BYTES >> 20, "files": SCRATCH_FILES, "folders": SCRATCH_FOLDERS}
            return say("judge.ended.for-scratch", **allowed)


def _excess(process: Process, is_long_look: bool) -> str:
    """What a process has too much of: memory, threads or scratch; nothing where all is well."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        threads, memory = int(fields[NUM_THREADS]), int(fields[RSS]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return ""
    if memory > MEMORY_BYTES:
        return "memory"
    if threads > THREADS:
        return "threads"
    if is_long_look and process.scratch is not None and _is_full(process.scratch):
        return "scratch"
    return ""


def _is_full(folder: Path) -> bool:
    """Whether too much is in it, or it cannot be seen how much: no honest folder is closed or too deep to look into."""
    size = files = folders = 0
    waiting = [str(folder)]
    try:
        while waiting:
            with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(waiting.pop()) as found:
                entries = list(islice(found, SCRATCH_FILES + SCRATCH_FOLDERS + 1))
                inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
                waiting += inner
                folders += len(inner)
                files += len(entries) - len(inner)
                # Before each is asked its size, which takes longer; if not all were taken, there are too many of one.
                if files > SCRATCH_FILES or folders > SCRATCH_FOLDERS:
                    return True
                for entry in entries:
                    with contextlib.suppress(FileNotFoundError):  # it was removed meanwhile
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
                if size > SCRATCH_BYTES:
                    return True
    except OSError:
        return True
    return False
