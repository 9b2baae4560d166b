"""One forked child: its channel, its deadline, and what became of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import time
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from typing import Any

import numpy as np
import safetensors.numpy

from grader.model.observation import Ending, Observation
from grader.model.run import Run, encode_actions
from grader.runner.zygote import Zygote
from grader.wire.frames import LENGTH, SOURCE, MalformedFrame, metadata, read_message
from grader.wire.observations import check_complete, read_observation

# Room for a frame's header and for small results, beyond what the run's own tensors account for.
FRAME_SLACK = 128 * 1024
BASE_ANSWER = 1 << 20
ANSWER_FACTOR = 16
OPENING_SECONDS = 30.0
# A request may be sent before the last answer was read if it is sure to fit into the socket's buffer: else each side
# could wait for the other to read.
AHEAD_BYTES = 32 * 1024


class Ended(Exception):
    """The child ran past its deadline, or is gone."""

    def __init__(self, ending: Ending, detail: str) -> None:
        super().__init__(detail)
        self.ending, self.detail = ending, detail


class Child:
    """A confined process that holds one submission. Not to be used again after it has ended."""

    def __init__(self, zygote: Zygote, opening: Mapping[str, Any], sources: Mapping[str, bytes]) -> None:
        self._zygote = zygote
        self._asked = self._answered = 0
        self._socket, theirs = socket.socketpair()
        with theirs:
            self.pid = zygote.fork(theirs)
        self.is_alive = True
        tensors = {f"{SOURCE}{name}": np.frombuffer(source, np.uint8) for name, source in sources.items()}
        deadline = time.monotonic() + OPENING_SECONDS
        self._send(dict(opening), tensors, deadline)
        message, _ = self._receive(FRAME_SLACK, deadline)
        self.isolation = tuple(str(layer) for layer in message.get("isolation", ()))

    def ask_each(self, runs: Sequence[Run], seconds: float) -> Generator[Observation, None, None]:
        """Have runs performed in order, the next while the caller judges the last; ends with the first that is lost.

        A child that crashes, hangs or lies is killed, and the observation says which. seconds: for all of them.
        """
        deadline = time.monotonic() + seconds
        queue, due = deque(runs), deque[Run]()
        try:
            while self.is_alive and (queue or due):
                try:
                    while queue and (not due or (len(due) < 2 and _bytes(queue[0]) <= AHEAD_BYTES)):
                        self._request(queue[0], deadline)
                        due.append(queue.popleft())
                    seen = self._answer(due.popleft(), deadline)
                except Ended as ended:
                    seen = Observation(ending=ended.ending, detail=ended.detail)
                yield seen
        except GeneratorExit:  # the caller has seen enough
            while self.is_alive and due:  # or the next question would get this one's answer
                with contextlib.suppress(Ended):
                    self._answer(due.popleft(), deadline)
            raise
        except BaseException:  # Ctrl-C above all: nobody waits for an answer any more
            self.kill()
            raise

    def kill(self) -> int:
        """End the child and everything in its session; its exit status."""
        if not self.is_alive:
            return 0
        self.is_alive = False
        self._socket.close()
        # The zygote has not waited for the child yet, so its process id cannot be anybody else's.
        for end in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(self.pid, signal.SIGKILL)
        status = self._zygote.reap(self.pid)
        shutil.rmtree(self._zygote.scratch / str(self.pid), ignore_errors=True)
        return status

    def _request(self, run: Run, deadline: float) -> None:
        self._asked += 1
        message = {"number": self._asked, "actions": encode_actions(run.actions), "limit": _limit(run)}
        self._send(message, run.tensors, deadline)

    def _answer(self, run: Run, deadline: float) -> Observation:
        """The answer to a run that was sent. Raises Ended, also for an answer that is none."""
        try:
            message, tensors = self._receive(_limit(run) + FRAME_SLACK, deadline)
            self._answered += 1
            if message.get("number") != self._answered:
                raise MalformedFrame("it belongs to another question")
            seen = read_observation(message, tensors)
            check_complete(run.actions, seen)
        except MalformedFrame as error:
            self.kill()
            raise Ended(Ending.CRASHED, f"its answer could not be read ({error})") from None
        return seen

    def _send(self, message: dict[str, Any], tensors: Mapping[str, Any], deadline: float) -> None:
        frame = safetensors.numpy.save(dict(tensors), metadata(message))
        try:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            self._socket.sendall(LENGTH.pack(len(frame)) + frame)
        except TimeoutError:
            raise self._late() from None
        except OSError:
            raise self._gone() from None

    def _receive(self, limit: int, deadline: float) -> tuple[dict[str, Any], dict[str, Any]]:
        (size,) = LENGTH.unpack(self._read(LENGTH.size, deadline))
        if size > limit:
            raise MalformedFrame(f"{size} bytes where at most {limit} were due")
        frame = self._read(size, deadline)
        message = read_message(frame)
        try:
            return message, safetensors.numpy.load(frame)
        except Exception as error:  # whatever the parser trips over is the sender's doing
            raise MalformedFrame(f"unreadable tensors: {type(error).__name__}") from None

    def _read(self, size: int, deadline: float) -> bytes:
        buffer = bytearray(size)
        view, filled = memoryview(buffer), 0
        while filled < size:
            try:
                self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
                count = self._socket.recv_into(view[filled:])
            except TimeoutError:
                raise self._late() from None
            except OSError:
                count = 0
            if count == 0:
                raise self._gone()
            filled += count
        return bytes(buffer)

    def _late(self) -> Ended:
        self.kill()
        return Ended(Ending.TIMEOUT, "")

    def _gone(self) -> Ended:
        status = self.kill()
        return Ended(Ending.CRASHED, _how_it_ended(status))


def _bytes(run: Run) -> int:
    return sum(tensor.nbytes for tensor in run.tensors.values())


def _limit(run: Run) -> int:
    """How many bytes of tensors an answer may have."""
    return BASE_ANSWER + ANSWER_FACTOR * _bytes(run)


def _how_it_ended(status: int) -> str:
    if status == 0:
        return "the process ended by itself, as os._exit(0) does"
    if status > 0:
        return f"the process ended by itself with exit status {status}"
    with contextlib.suppress(ValueError):
        return f"the process was ended by {signal.Signals(-status).name}"
    return f"the process was ended by signal {-status}"
