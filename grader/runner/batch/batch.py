"""Grades all that was handed in: keeps what is unchanged, gives the rest to slots, and tries once more what failed."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader import __version__
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.plugins.registry import Plugins
from grader.report.outcome import Outcome
from grader.runner.batch.output import Output
from grader.runner.batch.slots import Done, Failed, Slots, Task
from grader.runner.batch.store import Basis
from grader.submission.read import read_submission

# How many submissions wait for each slot, already read: enough that none waits for the reading of an archive.
AHEAD = 2
# How often whoever watches hears that time goes by.
TICK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Finished:
    """A submission with a stored result. is_kept: of an earlier run."""

    id: str
    outcome: Outcome
    score: float
    max_score: float
    is_kept: bool


class Batch:
    """One run. slots: how many submissions are graded at once. again: whether to grade what is unchanged too."""

    def __init__(
        self,
        plugins: Plugins,
        pack: Pack,
        order: Order,
        output: Output,
        *,
        slots: int,
        again: bool = False,
    ) -> None:
        self._pack, self._output, self._again = pack, output, again
        self._options = _options(plugins, pack, order)
        self._slots = Slots(plugins, pack, order, slots, self._keep)
        self._room = slots * AHEAD
        self._stop = threading.Event()
        self._failed: deque[Task] = deque()

    def stop(self) -> None:
        """Begin no other submission; those that run are finished. May be called from a signal handler."""
        self._stop.set()

    def grade(self, handed: Iterable[Handed]) -> Iterator[Finished | None]:
        """Each submission as its result is stored, and None whenever time goes by without one.

        Raises NotWritten where a result cannot be stored, PackError, DeviceAbsent, SandboxAbsent and, where no worker
        can be started at all, WorkerFailed; what runs is finished and stored before.
        """
        self._output.store.begin()
        try:
            yield from self._graded(_distinct(handed))
        finally:
            self._slots.close()

    def _graded(self, left: Iterator[Handed]) -> Iterator[Finished | None]:
        running = 0
        error: Exception | None = None
        is_read = False
        while running or not (is_read and not self._failed):
            while running < self._room and not is_read and not self._stop.is_set() and error is None:
                handed = next(left, None)
                if handed is None:
                    is_read = True
                elif (kept := self._kept(handed)) is not None:
                    yield kept
                else:
                    self._slots.put(Task(handed))
                    running += 1
            if self._stop.is_set() or error is not None:
                is_read = True
                self._failed.clear()
                running -= self._slots.take_back()
            if is_read and not running:  # alone, at the end, with whatever it needs to itself
                running += self._retry()
            if not running:
                continue
            ended = self._slots.get(TICK_SECONDS)
            running -= ended is not None
            if isinstance(ended, Done):
                yield Finished(ended.task.handed.id, ended.outcome, ended.report.score, ended.report.max_score, False)
            elif isinstance(ended, Failed) and ended.is_fatal:
                error = error or ended.error
            elif isinstance(ended, Failed):
                self._failed.append(ended.task)
            else:
                yield None
        if error is not None:
            raise error

    def _retry(self) -> int:
        if not self._failed:
            return 0
        self._slots.put(replace(self._failed.popleft(), is_last=True))
        return 1

    def _keep(self, handed: Handed, report: Report, outcome: Outcome) -> None:
        self._output.keep(handed, report, outcome, self._basis(handed))

    def _kept(self, handed: Handed) -> Finished | None:
        """The result of an earlier run that still holds."""
        found = None if self._again else self._output.unchanged(handed, self._basis(handed))
        if found is None:
            return None
        return Finished(handed.id, Outcome(found.outcome), found.score, found.max_score, True)

    def _basis(self, handed: Handed) -> Basis:
        return Basis(_fingerprint(handed), self._pack.sha256, __version__, self._options)


def _distinct(handed: Iterable[Handed]) -> Iterator[Handed]:
    """The same, with a number after an id that was there before: case does not tell files apart everywhere.

    A file name that is no text (on Linux any bytes are a name) becomes one that can be written down.
    """
    seen: set[str] = set()
    for each in handed:
        own = each.id.encode("utf-8", "replace").decode() or "submission"
        name, number = own, 1
        while name.casefold() in seen:
            number += 1
            name = f"{own}-{number}"
        seen.add(name.casefold())
        yield each if name == each.id else replace(each, id=name)


def _fingerprint(handed: Handed) -> str:
    """Over all of a submission that its report can depend on."""
    own = handed.submission
    told = (handed.refused, handed.earlier, handed.notes)
    if own is None:
        return _digest(told)
    return _digest((*told, own.sha256, sorted(own.unreadable.items()), sorted(own.hints.items()), own.notes))


def _options(plugins: Plugins, pack: Pack, order: Order) -> str:
    """Over the order, and the reference that answers fresh cases: the pack's own digest does not see it."""
    source = plugins.reference(pack.name)
    reference = read_submission(source.folder, pack).sha256 if source else ""
    return _digest(
        [
            order.exercises, order.device, order.seed, order.seconds, order.requires_sandbox, sorted(order.without),
            order.dtype, reference,
        ]
    )  # fmt: skip


def _digest(values: object) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()
