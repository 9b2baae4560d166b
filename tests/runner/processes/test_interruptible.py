"""What is of no interest any more ends at once, and takes neither the worker nor anybody else's process with it."""

from __future__ import annotations

import threading
import time

import pytest

from grader.model.observation import Ending
from grader.model.run import OWN, Import, Run
from grader.runner.processes.interruptible import Interrupted, Interruptible
from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver

ENDLESS = {"ex01": b"while True: pass\n"}
QUIET = {"ex01": b"x = 1\n"}
RUN = Run((Import("ex01"),))


def test_a_process_that_computes_for_ever_ends_at_once(zygote: Zygote) -> None:
    worker = Interruptible(zygote)
    solver, other = Solver(worker, ENDLESS, {}), Solver(zygote, QUIET, {})
    solver.start()
    generation = worker.generation
    threading.Timer(0.05, worker.interrupt).start()
    started = time.monotonic()

    seen = solver.observe(RUN, OWN, 60.0)

    assert seen.ending is Ending.CRASHED
    assert time.monotonic() - started < 30
    with pytest.raises(Interrupted):
        solver.observe(RUN, OWN, 60.0)
    assert other.observe(RUN, OWN, 60.0).ending is Ending.ANSWERED
    worker.resume()
    again = Solver(worker, QUIET, {})
    assert again.observe(RUN, OWN, 60.0).ending is Ending.ANSWERED
    assert worker.generation == generation, "the worker was never started anew"
    for each in (solver, other, again):
        each.close()


def test_a_worker_is_not_started_anew_for_what_was_ended(zygote: Zygote) -> None:
    worker = Interruptible(zygote)
    worker.interrupt()

    with pytest.raises(Interrupted):
        worker.restart(worker.generation)
