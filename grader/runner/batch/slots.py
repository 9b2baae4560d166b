"""Job slots: each a thread with a session and a worker of its own, which grades one submission after the other.

The threads mostly wait for what runs in their workers' children. A slot stores a result before it takes the next
submission, so that whatever ends the process loses only what was running.
"""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from grader.model.errors import DeviceAbsent, NotWritten, PackError, SandboxAbsent, WorkerFailed
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.plugins.registry import Plugins
from grader.report.outcome import Outcome, outcome
from grader.runner.grade import grade_submission
from grader.runner.processes.spawner import Spawner, start_worker
from grader.runner.session import Session
from grader.runner.ungraded import ungraded

# What no other submission would fare better with: the whole batch ends.
FATAL = (PackError, DeviceAbsent, SandboxAbsent, NotWritten)
# A thread that has its answer should not wait for 5 ms, Python's own period, while another one computes: a submission
# takes some hundred answers.
SWITCH_SECONDS = 0.0005


@dataclass(frozen=True, slots=True)
class Task:
    """A submission to grade. is_last: it was tried before, so that a failure of the grader's is now its result."""

    handed: Handed
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Done:
    """A result that is stored."""

    task: Task
    outcome: Outcome
    report: Report


@dataclass(frozen=True, slots=True)
class Failed:
    """A task without a result. is_fatal: the batch cannot go on."""

    task: Task
    error: Exception
    is_fatal: bool


class Slots:
    """Threads that take tasks and give each back as Done or Failed, in any order.

    keep: stores a report; called in the slot's thread.
    """

    def __init__(
        self,
        plugins: Plugins,
        pack: Pack,
        order: Order,
        count: int,
        keep: Callable[[Handed, Report, Outcome], None],
    ) -> None:
        self._plugins, self._pack, self._order, self._keep = plugins, pack, order, keep
        self._tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._ended: queue.SimpleQueue[Done | Failed] = queue.SimpleQueue()
        self._environment: Mapping[str, Any] | None = None  # what the last session that could start said of itself
        self._count = count
        self._threads: list[threading.Thread] = []
        self._before = sys.getswitchinterval()

    def put(self, task: Task) -> None:
        """Give a task to whichever slot is free first."""
        self._tasks.put(task)
        if len(self._threads) < self._count:
            sys.setswitchinterval(SWITCH_SECONDS)
            worker = start_worker(self._order.without)
            thread = threading.Thread(target=self._serve, args=[worker], name=f"slot-{len(self._threads)}")
            self._threads.append(thread)
            thread.start()

    def get(self, seconds: float) -> Done | Failed | None:
        """The next task that has ended, or None where none has within some seconds."""
        try:
            return self._ended.get(timeout=seconds)
        except queue.Empty:
            return None

    def take_back(self) -> int:
        """Have no slot begin anything more. Returns how many tasks were not begun."""
        count = 0
        while True:
            try:
                self._tasks.get_nowait()
            except queue.Empty:
                return count
            count += 1

    def close(self) -> None:
        """Wait for what runs, and end every worker."""
        self.take_back()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        sys.setswitchinterval(self._before)

    def _serve(self, worker: Spawner | None) -> None:
        """What a slot's thread does. worker: the first; a later one lives no longer than the thread that started it."""
        session: Session | None = None
        try:
            while (task := self._tasks.get()) is not None:
                try:
                    if session is None:
                        first, worker = worker, None
                        session = self._start(first or start_worker(self._order.without))
                    done = self._graded(session, task)
                    self._keep(done.task.handed, done.report, done.outcome)
                    self._ended.put(done)
                except Exception as error:
                    _close(session)  # what it holds of the reference's answers may be the failure
                    session = None
                    self._ended.put(self._given_up(task, error))
        finally:
            _close(session)
            if worker is not None:  # there was nothing to do for it
                worker.close()

    def _start(self, worker: Spawner) -> Session:
        """A session that can grade here. Raises what grading would raise of the machine."""
        session = Session(self._plugins, self._pack, self._order, worker)
        try:
            devices, _ = session.devices()
            session.check_sandbox(devices)
            self._environment = session.environment(devices, ())
        except BaseException:
            _close(session)
            raise
        return session

    def _graded(self, session: Session, task: Task) -> Done:
        handed = task.handed
        if handed.submission is None:
            environment = session.environment(session.devices()[0], ())
            report = ungraded(self._pack, self._order, environment, None, handed.id, handed.refused)
            return Done(task, Outcome.REFUSED, _with_notes(report, handed))
        report = grade_submission(session, replace(handed.submission, id=handed.id))
        return Done(task, outcome(report), _with_notes(report, handed))

    def _given_up(self, task: Task, error: Exception) -> Done | Failed:
        """What is said of a task that the grader itself failed at: on a second time, it is a result."""
        is_fatal = isinstance(error, FATAL) or self._environment is None
        if is_fatal or not task.is_last or self._environment is None:
            return Failed(task, error, is_fatal)
        said = str(error) if isinstance(error, WorkerFailed) else f"{type(error).__name__}: {error}."
        why = f"The grader itself failed twice, so nothing of this was graded: {said}"
        handed = task.handed
        report = ungraded(self._pack, self._order, self._environment, handed.submission, handed.id, why)
        done = Done(task, Outcome.UNGRADED, _with_notes(report, handed))
        try:
            self._keep(handed, done.report, done.outcome)
        except Exception as not_kept:
            return Failed(task, not_kept, is_fatal=True)
        return done


def _close(session: Session | None) -> None:
    if session is not None:
        session.__exit__(None, None, None)


def _with_notes(report: Report, handed: Handed) -> Report:
    """The report with what the intake has to say, first."""
    earlier = f"the latest of {len(handed.earlier) + 1}; earlier: {', '.join(handed.earlier)}" if handed.earlier else ""
    notes = (*handed.notes, *((earlier,) if earlier else ()), *report.notes)
    return replace(report, notes=tuple(dict.fromkeys(notes)))
