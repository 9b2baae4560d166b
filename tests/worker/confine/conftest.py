"""A worker with one layer, another with none, and code that runs in their children."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.model.isolation import LAYERS
from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver

from ...runner.asking import EX, call, observe, saying, text

ROOT = Path(__file__).resolve().parents[3]
# Run the body of a function that returns something, in a child of a worker.
Inside = Callable[[str], str]
PRELUDE = """
import ctypes, errno, fcntl, mmap, os, pathlib, resource, signal, socket, subprocess, sys, tempfile, threading, time
libc = ctypes.CDLL(None, use_errno=True)

def syscall(number, *arguments):
    # Without a fork in it: what comes back, or the name of the error.
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]

def attempt(what):
    try:
        what()
        return "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
"""


def runner(worker: Zygote) -> Inside:
    """Runs code in a child of its own each time."""

    def run(code: str) -> str:
        solver = Solver(worker, saying(PRELUDE + "def g():\n" + textwrap.indent(textwrap.dedent(code), "    ")
                                       + "\ndef f():\n    return say(g())\n"), {})  # fmt: skip
        try:
            return text(observe(solver, call("f")))
        finally:
            solver.close()

    return run


def names(worker: Zygote) -> tuple[str, ...]:
    """The layers of a worker's children."""
    solver = Solver(worker, {EX: b""}, {})
    solver.start()
    solver.close()
    return solver.isolation


@pytest.fixture(scope="module")
def worker(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    """A worker whose one layer is the one that the test's module calls LAYER."""
    layer: str = request.module.LAYER
    started = Zygote(frozenset(LAYERS) - {layer})
    absent = started.missing().get(layer)
    if absent:
        started.close()
        pytest.skip(f"{layer}: {absent}")
    yield started
    started.close()


@pytest.fixture(scope="module")
def inside(worker: Zygote) -> Inside:
    """Runs code with that one layer."""
    return runner(worker)


@pytest.fixture(scope="package")
def bare_worker() -> Iterator[Zygote]:
    """A worker without any layer."""
    started = Zygote(frozenset(LAYERS))
    yield started
    started.close()


@pytest.fixture(scope="package")
def bare(bare_worker: Zygote) -> Inside:
    """Runs code without any layer."""
    return runner(bare_worker)


def applied(layer: str, code: str, device: str = "cpu", channel: int = 3, before: str = "") -> str:
    """What code prints in a process that put on one layer and imported nothing else. before: what to do first."""
    program = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from grader.worker.confine import Setting, {layer}
{textwrap.dedent(before)}
outcome = {layer}.apply(Setting({device!r}, {channel}))
{textwrap.dedent(code)}
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
