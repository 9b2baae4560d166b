"""A kernel's own desk: one warm worker for all of its cells, and what became of each exercise so far.

The kernel takes the part that the `grade` process has elsewhere: it reads sources, asks a worker, and judges what comes
back. What the student's code made of the kernel itself is never asked: functions are sent as their cells' sources.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.cli import options
from grader.cli.pack import load
from grader.model.pack import Exercise, Pack
from grader.model.report import ExerciseResult, Report
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.spawner import Spawner, import_root
from grader.runner.processes.start import start_worker
from grader.runner.session import Session
from grader.words import language


class KernelDesk:
    """Grades what a kernel's cells define. The worker starts at once, and imports torch while cells are written.

    folder: the student's, where the kernel was started. results: the last of each exercise, by its id.
    Raises GraderError where there is no pack, or no worker can be started.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results: dict[str, ExerciseResult] = {}
        self._open = contextlib.ExitStack()
        self._session: Session | None = None
        self._worker: Spawner | None = self._new_worker()
        try:
            with _own_packages(folder):
                self._plugins = Plugins()
                self._packs = {language(): load(self._plugins)}
        except BaseException:
            self.close()
            raise

    @property
    def pack(self) -> Pack:
        """The pack in the language that is spoken. Raises PackError for words that are broken."""
        if language() not in self._packs:
            self._packs[language()] = load(self._plugins)
        return self._packs[language()]

    def grade(self, submission: Submission, exercises: Sequence[Exercise], seconds: float) -> Report:
        """The report of these exercises. Raises GraderError; what is interrupted leaves nothing half asked behind."""
        try:
            session = self._warm()
            session.choose(tuple(exercise.id for exercise in exercises), seconds)
            report = grade_submission(session, submission)
        except BaseException:
            self.close()
            raise
        self.results |= {result.id: result for result in report.exercises}
        return report

    def close(self) -> None:
        """End the worker and everything that it runs; the next grading starts another."""
        self._session = self._worker = None
        self._open.close()

    def _new_worker(self) -> Spawner:
        return self._open.enter_context(contextlib.closing(start_worker()))

    def _warm(self) -> Session:
        """The session that is there, or a new one where there is none in the language that is spoken.

        One seed lasts as long as it: what is asked again is the same.
        """
        if self._session is not None and self._session.pack is not self.pack:
            self.close()
        if self._session is None:
            asked = options.order(self.pack, options.Given())
            self._worker = self._worker or self._new_worker()
            session = Session(self._plugins, self.pack, asked, self._worker)
            self._session = self._open.enter_context(contextlib.closing(session))
        return self._session


@contextlib.contextmanager
def _own_packages(folder: Path) -> Iterator[None]:
    """While this lasts, nothing is imported from a kernel's folder, whose `exercises` must not become the pack.

    Only where that folder is the workspace itself, its `exercises` are.
    """
    kept = list(sys.path)
    if folder.resolve() != import_root():
        sys.path[:] = [entry for entry in kept if Path(entry).resolve() != folder.resolve()]
    try:
        yield
    finally:
        sys.path[:] = kept
