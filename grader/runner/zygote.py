"""Starts the worker process that imports torch once, and has it fork a child whenever one is asked for."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from grader.model.errors import WorkerFailed

# The import path is given on the command line because `-I` leaves out the folder and PYTHONPATH, which a student owns.
BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from grader.worker.zygote import main; main(int(sys.argv[2]))"
START_SECONDS = 120.0
REPLY_SECONDS = 30.0
# Only what torch needs to find a GPU and its libraries is passed on; nothing else of the parent's environment is.
PASSED_ON = ("CUDA_VISIBLE_DEVICES", "CUDA_HOME", "LD_LIBRARY_PATH", "SYSTEMROOT")
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class Zygote:
    """A worker process without a submission. `start` returns at once; `hello` waits until torch is imported."""

    def __init__(self) -> None:
        self.scratch = Path(tempfile.mkdtemp(prefix="grade-"))
        self._lock = threading.Lock()
        self._hello: dict[str, Any] | None = None
        self._control, theirs = socket.socketpair()
        with theirs, (self.scratch / "stderr").open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", BOOT, _import_root(), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                cwd=self.scratch,
                env=self._environment(),
            )
        self._replies = self._control.makefile("rb")

    def hello(self) -> dict[str, Any]:
        """What the worker says of itself: versions, and whether there is CUDA. Raises WorkerFailed."""
        with self._lock:
            if self._hello is None:
                self._hello = self._reply(START_SECONDS)
            return self._hello

    def fork(self, channel: socket.socket) -> int:
        """Fork a child that serves this end of a channel; the child's process id."""
        self.hello()
        with self._lock:
            self._send(b"f" + bytes(8), [channel.fileno()])
            return int(self._reply(REPLY_SECONDS)["pid"])

    def reap(self, pid: int) -> int:
        """Wait for a child that has ended or was killed; its exit status, negative for a signal."""
        with self._lock:
            self._send(b"r" + pid.to_bytes(8, "little"), [])
            return int(self._reply(REPLY_SECONDS)["status"])

    def close(self) -> None:
        """End the worker and remove its scratch folder."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        self._replies.close()
        self._control.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _environment(self) -> dict[str, str]:
        own = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        own |= dict.fromkeys(THREADS, "1")
        own |= {"HOME": str(self.scratch), "TMPDIR": str(self.scratch), "USER": "student", "LANG": "C.UTF-8"}
        # CUDA is only looked for, never initialised, before a child needs it; and its products repeat.
        return own | {"PYTORCH_NVML_BASED_CUDA_CHECK": "1", "CUBLAS_WORKSPACE_CONFIG": ":4096:8"}

    def _send(self, data: bytes, fds: list[int]) -> None:
        try:
            socket.send_fds(self._control, [data], fds)
        except OSError as error:
            raise WorkerFailed(f"The worker process has gone: {error}.") from None

    def _reply(self, seconds: float) -> dict[str, Any]:
        self._control.settimeout(seconds)
        try:
            line = self._replies.readline()
        except OSError:
            line = b""
        if not line:
            raise WorkerFailed(f"The worker process gave no answer. {self._last_words()}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise WorkerFailed(f"The worker could not start: {reply['error']}.")
        return reply

    def _last_words(self) -> str:
        lines = (self.scratch / "stderr").read_text("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def _import_root() -> str:
    """The folder that holds the `grader` package: all that the worker is given to import from, until it has."""
    return str(Path(__file__).resolve().parents[2])
