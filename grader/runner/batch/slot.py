"""One job slot: a session with a worker of its own, which grades one submission after the other."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Any

from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.spawner import Spawner
from grader.runner.processes.start import start_worker
from grader.runner.session import Session
from grader.runner.ungraded import ungraded

# A thread that has its answer should not wait for 5 ms, Python's own period, while another one computes: a submission
# takes some hundred answers.
SWITCH_SECONDS = 0.0005


class Slot:
    """Starts a worker at once, and another after each failure of the grader's own.

    environment: what the last session that could start said of this machine; empty where none could. A worker lives no
    longer than the thread that started it.
    """

    def __init__(self, plugins: Plugins, pack: Pack, order: Order) -> None:
        self._plugins, self._pack, self._order = plugins, pack, order
        self.environment: Mapping[str, Any] = {}
        self._open = ExitStack()
        self._session: Session | None = None
        self._worker: Spawner | None = self._new_worker()  # imports torch until it is needed

    def grade(self, handed: Handed) -> Report:
        """The report of what was handed in. Raises what the grader itself fails with."""
        try:
            session = self._session or self._started()
            if handed.submission is None:
                return ungraded(self._pack, self._order, self.environment, None, handed.id, handed.refused)
            return grade_submission(session, replace(handed.submission, id=handed.id))
        except BaseException:
            self.close()  # what it holds of the reference's answers may be the failure
            raise

    def close(self) -> None:
        self._session = self._worker = None
        self._open.close()

    def _new_worker(self) -> Spawner:
        return self._open.enter_context(closing(start_worker(self._order.without)))

    def _started(self) -> Session:
        """A session that can grade here. Raises what grading would raise of the machine."""
        worker = self._worker = self._worker or self._new_worker()
        session = Session(self._plugins, self._pack, self._order, worker)
        self._session = self._open.enter_context(closing(session))
        devices, _ = session.devices()
        session.check_sandbox(devices)
        self.environment = session.environment(devices, ())
        return session
