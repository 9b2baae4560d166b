"""What gives confined processes, and what every one of them is given."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from grader.runner.processes.answers import Answers
from grader.runner.processes.channel import Channel
from grader.wire.control import WHERE

# Only what torch needs to find a GPU and its libraries is passed on; nothing else of the parent's environment is.
PASSED_ON = ("CUDA_VISIBLE_DEVICES", "CUDA_HOME", "LD_LIBRARY_PATH", "SYSTEMROOT")
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@dataclass(slots=True, eq=False)
class Process:
    """A process that runs student code.

    number: what its spawner calls it. generation: of the spawner when it came. pid: what `/proc` here calls it, 0 where
    that is unknown. handle: a descriptor of it, which no other process can come to have. scratch: its folder, where it
    lies on this machine's disk. known: requests that it need not be sent, each with the place that it knows it by.
    answers: what it and others like it gave to these. ended_for: what it had too much of when the watch ended it.
    """

    number: int
    generation: int
    pid: int = 0
    handle: int = -1
    scratch: Path | None = None
    known: Mapping[bytes, int] = field(default_factory=dict)
    answers: Answers = field(default_factory=Answers)
    ended_for: str = ""

    def kill(self) -> None:
        """End it at once. Does nothing to a process that has ended."""
        with contextlib.suppress(ProcessLookupError):
            if self.handle >= 0:
                signal.pidfd_send_signal(self.handle, signal.SIGKILL)

    def ask_where(self) -> bool:
        """Have it say where it is. False where it cannot be asked."""
        if WHERE is None or self.handle < 0:
            return False
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self.handle, WHERE)
            return True
        return False

    def forget(self) -> None:
        """Close the handle."""
        if self.handle >= 0:
            os.close(self.handle)
            self.handle = -1


class Spawner(Protocol):
    """Gives processes, and takes them back. Every method may be called from any thread.

    without: layers that are left out, which only tests ask for.
    """

    without: frozenset[str]

    @property
    def generation(self) -> int:
        """How often it was started anew."""

    def hello(self) -> Mapping[str, Any]:
        """What a worker says of itself: versions, CUDA, and the layers it lacks. Raises WorkerFailed."""

    def isolation(self) -> tuple[str, ...]:
        """The layers around every process that it gives."""

    def missing(self) -> Mapping[str, str]:
        """Each layer that this machine lacks, and how to get it."""

    def teach(self, requests: Iterable[bytes]) -> None:
        """Have processes that come from now on know these requests, the same for every submission, where they can."""

    def spawn(self) -> tuple[Process, Channel]:
        """A process that waits for its opening, and the channel to it. Raises WorkerFailed."""

    def end(self, process: Process) -> int:
        """End a process with all that it started; its exit status, negative for a signal. Raises WorkerFailed."""

    def restart(self, generation: int) -> None:
        """Start anew after a failure, unless that was done since the generation which failed."""

    def close(self) -> None:
        """End everything that is left, and remove its files."""


def worker_environment(scratch: str) -> dict[str, str]:
    """All the environment that a worker gets."""
    own = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    own |= dict.fromkeys(THREADS, "1")
    own |= {"HOME": scratch, "TMPDIR": scratch, "USER": "student", "LANG": "C.UTF-8"}
    # CUDA is only looked for, never initialised, before a child needs it; and its products repeat.
    return own | {"PYTORCH_NVML_BASED_CUDA_CHECK": "1", "CUBLAS_WORKSPACE_CONFIG": ":4096:8"}


def import_root() -> Path:
    """The folder that holds the `grader` package: all that the worker is given to import from, until it has."""
    return Path(__file__).resolve().parents[3]
