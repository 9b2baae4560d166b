"""One process with a submission in it: what it is asked, its deadline, and what became of it."""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, MutableSequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from grader.model import profile
from grader.model.errors import DeviceUnusable, WorkerFailed
from grader.model.observation import Ending, Fault, Observation
from grader.model.run import Run, encode_actions
from grader.runner.processes.channel import FRAME_SLACK, HungUp, Late, packed, unpacked
from grader.runner.processes.foresight import Foresight
from grader.runner.processes.spawner import Spawner
from grader.runner.processes.watch import said_of
from grader.wire.frames import SOURCE, MalformedFrame
from grader.wire.observations import read_observation, read_slip
from grader.words import say

BASE_ANSWER = 1 << 20
ANSWER_FACTOR = 16
OPENING_SECONDS = 30.0
# Requests may be sent before the last answers were read if they are sure to fit into the socket's buffer: else each
# side could wait for the other to read.
UNDER_WAY_BYTES = 32 * 1024
# What is late is given so long to say where it is; Python answers within a millisecond.
WHERE_SECONDS = 0.5


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


class InVain(Exception):
    """The child was lost over what it was asked ahead, and nobody can say over which run. It has ended."""


class InDoubt(Exception):
    """What was seen of a run may be nothing of its code's. The child has ended, and the run has no observation yet."""


@dataclass(slots=True)
class Waived:
    """Seconds in which nothing was done that anybody had asked for: they are in no run's time."""

    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class _Sent:
    """A run that has no answer yet. size: of its request, in bytes. is_known: whether everybody is asked it."""

    run: Run
    size: int
    is_known: bool
    is_ahead: bool


class Child:
    """A confined process that holds one submission. Not to be used again after it has ended.

    It gets ready beside its maker, who waits for it where it is first needed. Raises WorkerFailed, here and when asked,
    where what fails is the spawner that gave the process, and DeviceUnusable where its device is what fails.
    sources: of the submission, and of what stands in for a part.
    """

    def __init__(
        self,
        spawner: Spawner,
        opening: Mapping[str, Any],
        sources: Mapping[str, bytes],
        waived: Waived | None = None,
    ) -> None:
        self._spawner = spawner
        self._waived = waived or Waived()
        self._answered = 0
        self._due, self._under_way = deque[_Sent](), 0  # what has no answer yet, and the bytes of its requests
        self._foresight = Foresight()
        self._deadline = 0.0
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
            if "unusable" in message:  # no student code has run yet either
                self.kill()
                raise DeviceUnusable(say("error.unusable", device=message["device"], why=message["unusable"]))
            self._isolation = (*self._spawner.isolation(), *(str(layer) for layer in message.get("isolation", ())))
        return self._isolation

    def foresee(self, runs: Iterable[Run], slow: float) -> None:
        """Have runs performed before anybody asks for them: those of which the process knows the requests.

        Most of what a class is asked is the same, and to wait for one another takes two processes longer than many a
        run. Nothing is decided by it: where the process is lost over it, or one run takes so many seconds that limits
        could matter, whoever asks next is told that it was in vain.
        """
        known = self._process.known
        each = dict.fromkeys(runs)
        asked = [(run, known[frame]) for run in each if (frame := request_of(run).frame) in known]
        asked = asked[: UNDER_WAY_BYTES // len(_known(len(known), is_ahead=True))]
        if not asked:  # nor can it be sent nothing, where it has ended and said why
            return
        frames = []
        self._foresight.slow = slow
        for number, (run, place) in enumerate(asked, 1):
            # The last answer is held for no other.
            frames.append(_known(place, is_ahead=number < len(asked)))
            self._foresight.ask(run)
            self._note(run, frames[-1], is_known=True, is_ahead=True)
        try:
            self._channel.send(frames, self._ready_by)
        except (Late, HungUp) as error:
            raise self._not_started(error) from None

    def ask_each(
        self, runs: MutableSequence[Run], seconds: float, doubts: Callable[[Observation], bool]
    ) -> Generator[Observation, None, None]:
        """Have runs performed in order, the next while the last is judged; ends with the first that is lost.

        A child that crashes, hangs or lies is killed, and the observation says which. runs: each is taken out when it
        has its observation, so what is left there after a WorkerFailed, or where it was InVain or InDoubt, has none;
        no two are one. seconds: for all of them, beside those that are waived. doubts: whether one is InDoubt.
        """
        self.isolation()
        self._deadline = time.monotonic() + seconds
        queue = deque(run for run in runs if not self._foresight.holds(run))
        try:
            while self.is_alive and runs:
                try:
                    seen = self._seen(runs[0], queue)
                except Ended as ended:
                    seen = Observation(ending=ended.ending, detail=ended.detail, fault=ended.fault)
                if doubts(seen):
                    raise InDoubt
                del runs[0]
                yield seen
        except GeneratorExit:
            # The caller has seen enough. What is on its way to it is taken now, or the next would wait for it.
            while self.is_alive and len(self._due) > self._foresight.due:
                with contextlib.suppress(Ended, InVain, WorkerFailed):
                    self._take()
            raise
        except InVain:
            raise
        except BaseException:  # Ctrl-C above all, and doubt: nobody waits for an answer any more
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

    def _seen(self, run: Run, queue: deque[Run]) -> Observation:
        """The answer to a run that was foreseen, or is one of the queue. Raises Ended or InVain."""
        while not self._foresight.has(run):
            if queue:
                self._send_some(queue)
            sent, seen = self._take()
            if not sent.is_ahead:
                return seen
        return self._foresight.take(run)

    def _send_some(self, queue: deque[Run]) -> None:
        """Send the next runs, as many as may be on their way at once. Raises Ended or InVain."""
        frames = []
        while queue:
            frame = request_of(queue[0]).frame
            is_known = frame in self._process.known
            if is_known:
                frame = _known(self._process.known[frame])
            if self._due and self._under_way + len(frame) > UNDER_WAY_BYTES:
                break
            frames.append(frame)
            self._note(queue.popleft(), frame, is_known=is_known)
        try:
            if frames:
                self._channel.send(frames, self._deadline)
        except (Late, HungUp) as error:
            raise self._lost(error) from None

    def _note(self, run: Run, frame: bytes, *, is_known: bool, is_ahead: bool = False) -> None:
        self._due.append(_Sent(run, len(frame), is_known, is_ahead))
        self._under_way += len(frame)

    def _take(self) -> tuple[_Sent, Observation]:
        """The next answer, and what it is to; kept for later where it was asked for ahead. Raises Ended or InVain."""
        sent = self._due[0]
        began = time.monotonic()
        try:
            until = began + self._foresight.patience if sent.is_ahead else self._deadline
            slip = read_slip(self._channel.take(FRAME_SLACK, until))
            self._answered += 1
            if slip.number != self._answered:
                raise MalformedFrame("it belongs to another question")
            profile.told(slip.spent)
            frame = self._channel.take(request_of(sent.run).limit + FRAME_SLACK, until)
            seen = self._process.answers.read(sent.run, slip, frame, keep=sent.is_known)
        except (Late, HungUp, MalformedFrame) as error:
            self._waive(began)
            raise self._lost(error) from None
        self._due.popleft()
        self._under_way -= sent.size
        if sent.is_ahead:
            self._waive(began)
            if not self._foresight.keep(sent.run, seen, slip.took):
                self.kill()
                raise InVain
        return sent, seen

    def _waive(self, began: float) -> None:
        """Take the time since then out of everybody's, if it went into what was asked ahead."""
        if self._foresight.due:
            waited = time.monotonic() - began
            self._foresight.patience -= waited
            self._deadline += waited
            self._waived.seconds += waited

    def _lost(self, error: Exception) -> Ended | InVain:
        """What became of the child, which is killed."""
        if self._foresight.due:
            self.kill()
            return InVain()
        match error:
            case Late():
                return self._late()
            case MalformedFrame():
                self.kill()
                return Ended(Ending.CRASHED, say("judge.ended.unreadable", why=error))
            case _:
                return self._gone()

    def _late(self) -> Ended:
        where = self._where()
        self.kill()
        return self._for_excess() or Ended(Ending.TIMEOUT, "", where)

    def _where(self) -> Fault | None:
        """Where the process says it is; None where it says nothing in time, or nothing of that form."""
        deadline = time.monotonic() + WHERE_SECONDS
        with contextlib.suppress(Late, HungUp, MalformedFrame):
            while self._process.ask_where():
                frame = self._channel.take(FRAME_SLACK, deadline)
                with contextlib.suppress(MalformedFrame):  # the slip of an answer that was on its way
                    fault = read_observation(*unpacked(frame)).fault
                    if fault is not None and fault.kind == "late":  # and not that answer
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
def _known(place: int, *, is_ahead: bool = False) -> bytes:
    """A request that the process knows already. is_ahead: whether nobody waits for its answer yet."""
    return packed({"known": place} | ({"ahead": True} if is_ahead else {}), {})


def _how_it_ended(status: int) -> str:
    if status == 0:
        return say("judge.ended.by-itself")
    if status > 0:
        return say("judge.ended.with-status", status=status)
    with contextlib.suppress(ValueError):
        return say("judge.ended.by-signal", signal=signal.Signals(-status).name)
    return say("judge.ended.by-signal-number", number=-status)
