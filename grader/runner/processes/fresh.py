"""A fresh interpreter for each child, where there is no fork: macOS, Windows, old kernels. Slower, on the same wire.

Each child imports torch for itself. What bounds it is the time limit, the end of its whole process tree, and the size
of what it may answer.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.model.errors import WorkerFailed
from grader.runner.processes.channel import FRAME_SLACK, Channel, HungUp, Late
from grader.runner.processes.shield import shield
from grader.runner.processes.spawner import Process, import_root, worker_environment
from grader.wire.frames import MalformedFrame
from grader.wire.scratch import remove
from grader.words import say

BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from grader.worker.fresh import main; main(sys.argv[2])"
START_SECONDS = 120.0
END_SECONDS = 10.0


class Fresh:
    """Starts an interpreter ahead of the first question, and one more for each child after that."""

    def __init__(self, without: frozenset[str] = frozenset()) -> None:
        self.without = without
        self.generation = 0
        self.scratch = Path(tempfile.mkdtemp(prefix="grade-"))
        self._lock = threading.Lock()
        self._started: dict[int, subprocess.Popen[bytes]] = {}
        self._hello: Mapping[str, Any] | None = None
        shield()
        self._next: tuple[Process, Channel] | None = self._start()

    def hello(self) -> Mapping[str, Any]:
        with self._lock:
            if self._hello is None:
                ready, self._next = self._next or self._start(), None
                self._hello = self._greeting(ready[1])
                self._next = ready
            return self._hello

    def isolation(self) -> tuple[str, ...]:
        return ()

    def missing(self) -> Mapping[str, str]:
        missing: dict[str, str] = self.hello()["missing"]
        return {"bubblewrap": "no zygote here that it could hold", **missing}

    def teach(self, requests: Iterable[bytes]) -> None:
        """There is nobody that could know something before it is asked."""

    def spawn(self) -> tuple[Process, Channel]:
        with self._lock:
            if self._next is not None:
                (process, channel), self._next, greeted = self._next, None, self._hello is not None
            else:
                (process, channel), greeted = self._start(), False
            if not greeted:
                self._hello = self._greeting(channel)
            return process, channel

    def end(self, process: Process) -> int:
        started = self._started.pop(process.number)
        _end_tree(started)
        status = started.wait(END_SECONDS)
        with contextlib.suppress(OSError):
            remove(self.scratch / str(process.number))
        return status

    def restart(self, generation: int) -> None:
        """Nothing outlives a child here, so there is nothing to start anew."""

    def close(self) -> None:
        for started in self._started.values():
            _end_tree(started)
            started.wait(END_SECONDS)
        self._started.clear()
        if self._next is not None:
            self._next[1].close()
        with contextlib.suppress(OSError):
            remove(self.scratch)

    def _start(self) -> tuple[Process, Channel]:
        ours, theirs = socket.socketpair()
        on_windows = sys.platform == "win32"
        with theirs, (self.scratch / "stderr").open("wb") as errors:
            started = subprocess.Popen(
                [sys.executable, "-I", "-c", BOOT, str(import_root()), "-" if on_windows else str(theirs.fileno())],
                pass_fds=() if on_windows else (theirs.fileno(),),
                stdin=subprocess.PIPE if on_windows else subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                cwd=self.scratch,
                env=worker_environment(str(self.scratch)),
                start_new_session=True,
            )
            if sys.platform == "win32":  # a socket is no file there: it is shared with the process by its id
                assert started.stdin is not None
                started.stdin.write(theirs.share(started.pid))
                started.stdin.close()
        self._started[started.pid] = started
        return Process(started.pid, self.generation), Channel(ours)

    def _greeting(self, channel: Channel) -> Mapping[str, Any]:
        try:
            hello, _ = channel.receive(FRAME_SLACK, time.monotonic() + START_SECONDS)
        except (Late, HungUp, MalformedFrame):
            channel.close()
            words = (self.scratch / "stderr").read_text("utf-8", "replace").strip().splitlines()
            raise WorkerFailed(say("error.no-answer", words=words[-1] if words else "").rstrip()) from None
        return hello


def _end_tree(started: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started and that stayed in its session or, on Windows, in its tree."""
    if sys.platform == "win32":
        taskkill = ["taskkill", "/F", "/T", "/PID", str(started.pid)]
        subprocess.run(taskkill, capture_output=True, check=False)
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(started.pid, signal.SIGKILL)
    started.kill()
