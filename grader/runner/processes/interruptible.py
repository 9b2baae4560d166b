"""A spawner whose processes can be ended at once, because what they are asked is of no interest any more."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from grader.runner.processes.channel import Channel
from grader.runner.processes.spawner import Process, Spawner


class Interrupted(Exception):
    """What was under way is to end here, without a result."""


class Interruptible:
    """A spawner like the one it is made of. Interrupted, it ends what it gave, and gives nothing until resumed."""

    def __init__(self, spawner: Spawner) -> None:
        self._spawner = spawner
        self.without = spawner.without
        self._lock = threading.Lock()
        self._given: set[Process] = set()
        self._is_interrupted = False

    @property
    def generation(self) -> int:
        return self._spawner.generation

    def interrupt(self) -> None:
        """End every process that is out, and give no other."""
        with self._lock:
            self._is_interrupted = True
            for process in self._given:
                process.kill()

    def resume(self) -> None:
        with self._lock:
            self._is_interrupted = False

    def hello(self) -> Mapping[str, Any]:
        return self._spawner.hello()

    def isolation(self) -> tuple[str, ...]:
        return self._spawner.isolation()

    def missing(self) -> Mapping[str, str]:
        return self._spawner.missing()

    def teach(self, requests: Iterable[bytes]) -> None:
        self._spawner.teach(requests)

    def spawn(self) -> tuple[Process, Channel]:
        """A process and its channel. Raises Interrupted, and WorkerFailed."""
        process, channel = self._spawner.spawn()
        with self._lock:
            if not self._is_interrupted:
                self._given.add(process)
                return process, channel
        channel.close()
        self._spawner.end(process)
        raise Interrupted

    def end(self, process: Process) -> int:
        with self._lock:  # its handle is closed by this, and another's may then have its number
            self._given.discard(process)
        return self._spawner.end(process)

    def restart(self, generation: int) -> None:
        """Start anew after a failure. Raises Interrupted where this itself may be what failed: a killed process."""
        with self._lock:
            if self._is_interrupted:
                raise Interrupted
        self._spawner.restart(generation)

    def close(self) -> None:
        self._spawner.close()
