"""One process with a submission in it: what it is asked, its deadline, and what became of it."""

from __future__ import annotations

import contextlib
import signal
import time
from collections import deque
from collections.abc import Generator, Mapping, MutableSequence
from typing import Any

import numpy as np

from grader.model.errors import WorkerFailed
from grader.model.observation import Ending, Observation
from grader.model.run import OWN, Run, World, encode_actions
from grader.runner.processes.channel import FRAME_SLACK, HungUp, Late
from grader.runner.processes.spawner import Spawner
from grader.wire.frames import SOURCE, MalformedFrame
from grader.wire.observations import check_complete, read_observation

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
    """A confined process that holds one submission. Not to be used again after it has ended.

    It gets ready beside its maker, who waits for it where it is first needed. Raises WorkerFailed, here and when asked,
    where what fails is the spawner that gave the process.
    """

    def __init__(self, spawner: Spawner, opening: Mapping[str, Any], sources: Mapping[str, bytes]) -> None:
        self._spawner = spawner
        self._asked = self._answered = 0
        self._process, self._channel = spawner.spawn()
        self.generation = self._process.generation
        self.is_alive = True
        self._isolation: tuple[str, ...] | None = None
        tensors = {f"{SOURCE}{name}": np.frombuffer(source, np.uint8) for name, source in sources.items()}
        self._ready_by = time.monotonic() + OPENING_SECONDS
        try:
            self._channel.send({**opening, "without": sorted(spawner.without)}, tensors, self._ready_by)
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
        try:
            while self.is_alive and (queue or due):
                try:
                    while queue and (not due or (len(due) < 2 and _bytes(queue[0]) <= AHEAD_BYTES)):
                        self._request(queue[0], world, deadline)
                        due.append(queue.popleft())
                    seen = self._answer(due.popleft(), deadline)
                except Ended as ended:
                    seen = Observation(ending=ended.ending, detail=ended.detail)
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

    def _request(self, run: Run, world: World, deadline: float) -> None:
        self._asked += 1
        message = {
            "number": self._asked,
            "actions": encode_actions(run.actions),
            "limit": _limit(run),
            "stand_ins": sorted(world.stand_ins),
            "exercise": world.exercise,
        }
        try:
            self._channel.send(message, run.tensors, deadline)
        except Late:
            raise self._late() from None
        except HungUp:
            raise self._gone() from None

    def _answer(self, run: Run, deadline: float) -> Observation:
        """The answer to a run that was sent. Raises Ended, also for an answer that is none."""
        try:
            message, tensors = self._channel.receive(_limit(run) + FRAME_SLACK, deadline)
            self._answered += 1
            if message.get("number") != self._answered:
                raise MalformedFrame("it belongs to another question")
            seen = read_observation(message, tensors)
            check_complete(run.actions, seen)
        except Late:
            raise self._late() from None
        except HungUp:
            raise self._gone() from None
        except MalformedFrame as error:
            self.kill()
            raise Ended(Ending.CRASHED, f"its answer could not be read ({error})") from None
        return seen

    def _late(self) -> Ended:
        self.kill()
        return self._for_excess() or Ended(Ending.TIMEOUT, "")

    def _gone(self) -> Ended:
        status = self.kill()
        return self._for_excess() or Ended(Ending.CRASHED, _how_it_ended(status))

    def _for_excess(self) -> Ended | None:
        why = self._process.ended_for
        return Ended(Ending.CRASHED, f"the process was ended because {why}") if why else None


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
