"""Grades all that was handed in: keeps what is unchanged, has the rest graded, and tries once more what failed."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace

from grader import __version__
from grader.model.errors import WorkerFailed
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.profile import phase
from grader.model.report import Report
from grader.plugins.executor import Done, Failed, Site
from grader.plugins.registry import Plugins
from grader.report.outcome import Outcome, outcome
from grader.runner.batch import heap
from grader.runner.batch.output import OutputFolder
from grader.runner.batch.store import Basis
from grader.runner.kit import reference_digest
from grader.runner.ungraded import ungraded
from grader.words import say

# How often whoever watches hears that time goes by.
TICK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Finished:
    """A submission with a stored result. is_kept: of an earlier run."""

    id: str
    outcome: Outcome
    is_kept: bool = False


class Batch:
    """One run. site: where it is graded, by what some plugin brings. again: whether to grade what is unchanged too.

    Raises UsageError for a site that there is none of.
    """

    def __init__(
        self,
        plugins: Plugins,
        pack: Pack,
        order: Order,
        output: OutputFolder,
        site: Site,
        *,
        again: bool = False,
    ) -> None:
        self._pack, self._order, self._output, self._again = pack, order, output, again
        self._options = _options(plugins, pack, order)
        self._engine = plugins.engine(pack, order, site, self._keep)
        self._is_stopped = False  # a lock would be waited for for ever where one signal comes while another is handled
        self._failed: deque[Handed] = deque()
        self._last: Handed | None = None  # what is tried for the second time
        self._done = 0

    @property
    def graded_otherwise(self) -> int:
        """How many results the folder holds that are of other options, another pack or another grader."""
        return self._output.store.graded_otherwise(self._based_on(""))

    def stop(self) -> None:
        """Begin no other submission; those that run are finished. May be called from a signal handler."""
        self._is_stopped = True

    def grade(self, handed: Iterable[Handed]) -> Iterator[Finished | None]:
        """Each submission as its result is stored, and None whenever time goes by without one.

        Raises NotWritten where a result cannot be stored, PackError, DeviceAbsent, SandboxAbsent, ClusterFailed and,
        where no worker can be started at all, WorkerFailed; what runs is finished and stored before.
        """
        self._output.store.begin()
        try:
            yield from self._graded(_distinct(handed))
        finally:
            self._engine.close()

    def _graded(self, left: Iterator[Handed]) -> Iterator[Finished | None]:
        running = 0
        error: Exception | None = None
        is_read = False
        while running or not (is_read and not self._failed):
            while not is_read and running < self._engine.room and not self._is_stopped and error is None:
                with phase("intake"):
                    handed = next(left, None)
                if handed is None:
                    is_read = True
                elif (kept := self._kept(handed)) is not None:
                    yield kept
                else:
                    self._engine.put(handed)
                    running += 1
            if self._is_stopped or error is not None:
                is_read = True
                self._failed.clear()
                running -= self._engine.take_back()
            if is_read and not running and self._failed:  # alone, at the end, with whatever it needs to itself
                self._last = self._failed.popleft()
                self._engine.put(self._last)
                running += 1
            if not running:
                continue
            ended = self._engine.get(TICK_SECONDS)
            running -= ended is not None
            if isinstance(ended, Done):
                self._done += 1
                heap.give_back_after(self._done)
                yield Finished(ended.handed.id, _outcome(ended.handed, ended.report))
            elif isinstance(ended, Failed) and ended.is_fatal:
                error = error or ended.error
            elif isinstance(ended, Failed) and ended.handed is self._last:
                yield self._given_up(ended)
            elif isinstance(ended, Failed):
                self._failed.append(ended.handed)
            else:
                yield None
        if error is not None:
            raise error

    def _keep(self, handed: Handed, report: Report) -> None:
        self._store(handed, report, _outcome(handed, report))

    def _given_up(self, failed: Failed) -> Finished:
        """What is said of a submission that the grader itself failed at twice."""
        error, handed = failed.error, failed.handed
        said = str(error) if isinstance(error, WorkerFailed) else f"{type(error).__name__}: {error}."
        why = say("submission.grader-failed", why=said)
        report = ungraded(self._pack, self._order, self._engine.environment, handed.submission, handed.id, why)
        self._store(handed, report, Outcome.UNGRADED)
        return Finished(handed.id, Outcome.UNGRADED)

    @phase("report")
    def _store(self, handed: Handed, report: Report, outcome: Outcome) -> None:
        self._output.keep(handed, _with_notes(report, handed), outcome, self._basis(handed))

    @phase("intake")
    def _kept(self, handed: Handed) -> Finished | None:
        """The result of an earlier run that still holds."""
        found = None if self._again else self._output.unchanged(handed, self._basis(handed))
        return Finished(handed.id, Outcome(found.outcome), is_kept=True) if found else None

    def _basis(self, handed: Handed) -> Basis:
        return self._based_on(_fingerprint(handed))

    def _based_on(self, submission: str) -> Basis:
        return Basis(submission, self._pack.sha256, __version__, self._options)


def _outcome(handed: Handed, report: Report) -> Outcome:
    return Outcome.REFUSED if handed.submission is None else outcome(report)


def _with_notes(report: Report, handed: Handed) -> Report:
    """The report with what the intake has to say, first."""
    times, earlier = len(handed.earlier) + 1, ", ".join(handed.earlier)
    latest = (say("submission.latest-of", times=times, earlier=earlier),) if earlier else ()
    notes = (*handed.notes, *latest, *report.notes)
    return replace(report, notes=tuple(dict.fromkeys(notes)))


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
    """Over all of the order, so that no field of it is forgotten, the words that students are told in, and the
    reference that answers fresh cases: the pack's own digest sees neither."""
    return _digest([asdict(order), reference_digest(plugins, pack), pack.words])


def _digest(values: object) -> str:
    """Of values as JSON has them; a set, which has no order of its own, is sorted."""
    return hashlib.sha256(json.dumps(values, default=sorted).encode()).hexdigest()
