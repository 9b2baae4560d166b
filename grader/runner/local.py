"""The executor `local`: one worker on this machine, one submission after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from grader.runner.processes.spawner import Spawner, start_worker

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack
    from grader.model.report import Report
    from grader.model.submission import Submission
    from grader.plugins.registry import Plugins


class Local:
    """Keeps one worker from the moment it is warmed until it is closed."""

    name = "local"

    def __init__(self) -> None:
        self._worker: Spawner | None = None

    def warm(self) -> None:
        """Start the worker, which imports torch while the rest of the command goes on."""
        self._worker = self._worker or start_worker()

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def grade(self, plugins: Plugins, pack: Pack, submissions: Iterable[Submission], order: Order) -> Iterator[Report]:
        """Grade each submission with the same worker and the same fresh cases."""
        from grader.runner.grade import grade_submission
        from grader.runner.session import Session

        self._worker = self._worker or start_worker(order.without)
        with Session(plugins, pack, order, self._worker) as session:
            for submission in submissions:
                yield grade_submission(session, submission)


LOCAL = Local()
"""The one such executor of this process: a command may warm it before any plugin is looked for."""
