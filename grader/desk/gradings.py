"""Keeps a worker warm and does one thing after the other with it; a later request supersedes what is under way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from grader.desk.events import Drawn, Graded, Unanswered
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.report.shown import for_student
from grader.runner.grade import grade_submission
from grader.runner.processes.interruptible import Interrupted, Interruptible
from grader.runner.processes.spawner import Spawner
from grader.runner.session import Session

# A child that is killed is gone within milliseconds; a machine that swaps needs longer.
END_SECONDS = 10.0

Job = Callable[[Session, int], Graded | Drawn]


class Gradings:
    """A session with a thread of its own. `told` is called there, for each request that was not superseded."""

    def __init__(
        self,
        plugins: Plugins,
        pack: Pack,
        order: Order,
        worker: Spawner,
        told: Callable[[Graded | Drawn | Unanswered], None],
    ) -> None:
        self._plugins, self._pack, self._order, self._told = plugins, pack, order, told
        self._spawner, self._students = worker, Interruptible(worker)
        self._session: Session | None = None
        self._requests: SimpleQueue[tuple[int, Job] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._newest = 0
        self._is_warm = False  # whether the worker has ever been of use
        self._thread = threading.Thread(target=self._work, name="gradings", daemon=True)
        self._thread.start()

    def grade(self, submission: Submission, exercises: tuple[str, ...]) -> int:
        """Have these exercises graded, all where none is named. Returns the request's number."""

        def graded(session: Session, number: int) -> Graded:
            session.choose(exercises)
            return Graded(number, for_student(grade_submission(session, submission)))

        return self.ask(graded)

    def ask(self, job: Job) -> int:
        """Have something done; whatever is under way is of no interest any more. Returns the request's number."""
        with self._lock:
            self._newest += 1
            self._students.interrupt()
            self._requests.put((self._newest, job))
            return self._newest

    def close(self) -> None:
        """End the worker, and with it whatever it is at."""
        with self._lock:
            self._newest += 1
            self._students.interrupt()
            self._requests.put(None)
        was_warm = self._is_warm
        if not was_warm:  # the thread waits for it, and nobody for the thread
            self._spawner.close()
        self._thread.join(END_SECONDS)
        self._forget()
        if was_warm:
            self._spawner.close()

    def _work(self) -> None:
        while (request := self._requests.get()) is not None:
            number, job = request
            with self._lock:
                if number != self._newest:
                    continue
                self._students.resume()
            try:
                done: Graded | Drawn | Unanswered = job(self._started(), number)
            except Interrupted:
                continue
            except BaseException as error:  # told to whoever asked, who knows what is the student's to mend
                if number != self._newest:  # a process that was ended on the way looks like a failure
                    continue
                self._forget()  # what it holds of the reference's answers may be the failure
                done = Unanswered(number, error)
            finally:
                self._is_warm = True
            if number == self._newest:
                self._told(done)

    def _started(self) -> Session:
        """The session. The reference's processes are its own: only those with the student's code are interrupted."""
        if self._session is None:
            self._session = Session(self._plugins, self._pack, self._order, self._spawner, self._students)
        return self._session

    def _forget(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()
