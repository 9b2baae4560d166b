"""A child is alone in its session, and does not outlive its worker."""

from __future__ import annotations

import os
import signal

from grader.model.run import OWN
from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver

from ...runner.asking import EX
from ...runner.processes.looking import has_ended, kill, python_of
from .conftest import Inside, applied, names

LAYER = "session"


def test_it_is_the_only_layer_here(worker: Zygote) -> None:
    assert names(worker) == (LAYER,)


def test_a_child_leads_a_session_of_its_own(inside: Inside, bare: Inside) -> None:
    code = "return os.getsid(0) == os.getpid() == os.getpgid(0)"

    assert (inside(code), bare(code)) == ("True", "False")


def test_a_child_ends_when_its_worker_is_killed(worker: Zygote) -> None:
    solver = Solver(worker, {EX: b""}, {})
    solver.start()
    child = solver._children[OWN, False]
    handle = os.dup(child._process.handle)
    assert not has_ended(os.dup(handle), 0.0)

    kill(python_of(worker), signal.SIGKILL)

    assert has_ended(handle)
    solver.close()
    worker.restart(worker.generation)


def test_a_process_that_has_a_session_keeps_it() -> None:
    assert applied("session", "print(os.getsid(0) == os.getpid())", before="os.setsid()") == "True"
