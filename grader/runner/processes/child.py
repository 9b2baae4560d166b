"""One process with a submission in it: what it is asked, its deadline, and what became of it."""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Generator, Mapping, MutableSequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from grader.model import profile
from grader.model.errors import WorkerFailed
from grader.model.observation import Ending, Fault, Observation
from grader.model.run import OWN, Run, World, encode_actions
from grader.runner.processes.channel import FRAME_SLACK, HungUp, Late, packed
from grader.runner.processes.spawner import Spawner
from grader.runner.processes.watch import said_of
from grader.wire.frames import SOURCE, MalformedFrame
from grader.wire.observations import check_complete, read_observation
from grader.words import say

BASE_ANSWER = 1 << 20
ANSWER_FACTOR = 16
OPENING_SECONDS = 30.0
# Requests may be sent before the last answers were read if they are sure to fit into the socket's buffer: else each
# side could wait for the other to read.
AHEAD_BYTES = 32 * 1024
# What is late is given so long to say where it is; Python answers within a millisecond.
WHERE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Request:
    """A run as it is sent. limit: how many bytes of tensors its answer may have."""

    frame: bytes
    limit: int


# A class is asked the same runs, one submission after the other.
_REQUESTS: WeakKeyDictionary[Run, Request] = WeakKeyDictionary()


class Ended(Exception):
    """The child ran past its deadline, or is gone."""

    def __init__(self, ending: Ending, detail: str, fault: Fault | None = None) -> None:
        super().__init__(detail)
        self.ending, self.detail, self.fault = ending, detail, fault


class Child:
    """A confined process that holds one submission. Not to be used again after it has ended.

    It gets ready beside its maker, who waits for it where it is first needed. Raises WorkerFailed, here and when asked,
    where what fails is the spawner that gave the process.
    """

    def __init__(self, spawner: Spawner, opening: Mapping[str, Any], sources: Mapping[str, bytes]) -> None:
        self._spawner = spawner
        self._world, self._answered = OWN, 0
        self._sizes, self._under_way = deque[int](), 0  # in bytes, of requests that have no answer yet
        self._process, self._channel = spawner.spawn()
        self.generation = self._process.generation
        self.is_alive = True
        self._isolation: tuple[str, ...] | None = None
        tensors = {f"{SOURCE}{name}": np.frombuffer(source, np.uint8) for name, source in sources.items()}
        self._ready_by = time.monotonic() + OPENING_SECONDS
        try:
            self._channel.send(
                [packed({**opening, "without": sorted(spawner.without), "profile": profile.is_on()}, tensors)],
                self._ready_by,
            )
        except (Late, HungUp) as error:
            raise self._not_started(error) from None

    def isolation(self) -> tuple[str, ...]:
        """The layers around the process, once it is ready."""
        if self._isolation is None:
            try:
                message, _ = self._channel.receive(FRAME_SLACK, self._ready_by)
            except (Late, HungUp, MalformedFrame) as error:  # no student code has run yet
                raise self._not_started(error) from None
            self._isolation = (*self._spawner.isolation(), *(str(layer) for layer in message.get("isolation", ())))
        return self._isolation

    def ask_each(
        self, runs: MutableSequence[Run], seconds: float, world: World = OWN
    ) -> Generator[Observation, None, None]:
        """Have runs performed in order in a world, the next while the last is judged; ends with the first that is lost.

        A child that crashes, hangs or lies is killed, and the observation says which. runs: each is taken out when it
        has its observation, so what is left there after a WorkerFailed has none. seconds: for all of them.
        """
        self.isolation()
        deadline = time.monotonic() + seconds
        queue, due = deque(runs), deque[Run]()
        self._sizes, self._under_way = deque[int](), 0
        try:
            while self.is_alive and (queue or due):
                try:
                    if queue:
                        self._send_some(queue, due, world, deadline)
                    seen = self._answer(due.popleft(), deadline)
                except Ended as ended:
                    seen = Observation(ending=ended.ending, detail=ended.detail, fault=ended.fault)
                del runs[0]
                yield seen
        except GeneratorExit:  # the caller has seen enough
            while self.is_alive and due:  # or the next question would get this one's answer
                with contextlib.suppress(Ended, WorkerFailed):
                    self._answer(due.popleft(), deadline)
            raise
        except BaseException:  # Ctrl-C above all: nobody waits for an answer any more
            with contextlib.suppress(WorkerFailed):
                self.kill()
            raise

    def kill(self) -> int:
        """End the child and everything that it started; its exit status. Raises WorkerFailed."""
        if not self.is_alive:
            return 0
        self.is_alive = False
        self._channel.close()
        return self._spawner.end(self._process)

    def _not_started(self, error: Exception) -> WorkerFailed:
        self.kill()
        return WorkerFailed(f"A worker's child did not start ({type(error).__name__}).")

    def _send_some(self, queue: deque[Run], due: deque[Run], world: World, deadline: float) -> None:
        """Send the next runs, as many as may be on their way at once. Raises Ended."""
        frames = []
        if world != self._world:
            self._world = world
            frames.append(packed({"enter": {"stand_ins": sorted(world.stand_ins), "exercise": world.exercise}}, {}))
        while queue:
            frame = request_of(queue[0]).frame
            if frame in self._process.known:
                frame = _known(self._process.known[frame])
            if due and self._under_way + len(frame) > AHEAD_BYTES:
                break
            due.append(queue.popleft())
            frames.append(frame)
            self._sizes.append(len(frame))
            self._under_way += len(frame)
        try:
            if frames:
                self._channel.send(frames, deadline)
        except Late:
            raise self._late() from None
        except HungUp:
            raise self._gone() from None

    def _answer(self, run: Run, deadline: float) -> Observation:
        """The answer to a run that was sent. Raises Ended, also for an answer that is none."""
        try:
            request = request_of(run)
            message, tensors = self._channel.receive(request.limit + FRAME_SLACK, deadline)
            self._under_way -= self._sizes.popleft()
            self._answered += 1
            if message.get("number") != self._answered:
                raise MalformedFrame("it belongs to another question")
            profile.told(message.get("spent"))
            with profile.phase("wire"):
                seen = read_observation(message, tensors)
                check_complete(run.actions, seen)
        except Late:
            raise self._late() from None
        except HungUp:
            raise self._gone() from None
        except MalformedFrame as error:
            self.kill()
            raise Ended(Ending.CRASHED, say("judge.ended.unreadable", why=error)) from None
        return seen

    def _late(self) -> Ended:
        where = self._where()
        self.kill()
        return self._for_excess() or Ended(Ending.TIMEOUT, "", where)

    def _where(self) -> Fault | None:
        """Where the process says it is; None where it says nothing in time, or nothing of that form."""
        deadline = time.monotonic() + WHERE_SECONDS
        with contextlib.suppress(Late, HungUp, MalformedFrame):
            while self._process.ask_where():
                fault = read_observation(*self._channel.receive(FRAME_SLACK, deadline)).fault
                if fault is not None and fault.kind == "late":  # and not an answer that was on its way
                    return fault
        return None

    def _gone(self) -> Ended:
        status = self.kill()
        return self._for_excess() or Ended(Ending.CRASHED, _how_it_ended(status))

    def _for_excess(self) -> Ended | None:
        excess = self._process.ended_for
        return Ended(Ending.CRASHED, said_of(excess)) if excess else None


@profile.phase("wire")
def request_of(run: Run) -> Request:
    """A run as any process is asked it."""
    found = _REQUESTS.get(run)
    if found is None:
        limit = BASE_ANSWER + ANSWER_FACTOR * sum(tensor.nbytes for tensor in run.tensors.values())
        found = Request(packed({"actions": encode_actions(run.actions), "limit": limit}, run.tensors), limit)
        _REQUESTS[run] = found
    return found


@cache
def _known(place: int) -> bytes:
    """A request that the process knows already."""
    return packed({"known": place}, {})


def _how_it_ended(status: int) -> str:
    if status == 0:
        return say("judge.ended.by-itself")
    if status > 0:
        return say("judge.ended.with-status", status=status)
    with contextlib.suppress(ValueError):
        return say("judge.ended.by-signal", signal=signal.Signals(-status).name)
    return say("judge.ended.by-signal-number", number=-status)
