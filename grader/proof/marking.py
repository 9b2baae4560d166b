"""Grades solutions with one worker: whole, or one exercise of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.spawner import Spawner
from grader.runner.session import Session


class Marking:
    """Keeps a session, and so the reference's answers, for each choice of exercises. Safe to use from threads."""

    def __init__(self, plugins: Plugins, pack: Pack, seed: int, worker: Spawner) -> None:
        self._plugins, self._pack, self._seed, self._worker = plugins, pack, seed, worker
        self._sessions: dict[tuple[str, ...], Session] = {}
        self._lock = Lock()

    def report(self, submission: Submission, exercises: tuple[str, ...] = ()) -> Report:
        """The report of a submission, of these exercises alone if any are named."""
        with self._lock:
            if exercises not in self._sessions:
                order = Order(exercises, seed=self._seed)
                self._sessions[exercises] = Session(self._plugins, self._pack, order, self._worker)
        return grade_submission(self._sessions[exercises], submission)

    def modules(self, name: str, modules: Mapping[str, bytes], exercises: tuple[str, ...] = ()) -> Report:
        """The report of a submission that holds these modules."""
        return self.report(Submission(name, Path(name), "", modules), exercises)

    def close(self) -> None:
        """End the reference's children; the worker is its owner's."""
        for session in self._sessions.values():
            session.close()
