"""What no exercise needs so much of ends a process, and its observation says of what."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from grader.model.observation import Ending, Observation
from grader.runner.processes import watch
from grader.runner.processes.spawner import Process
from grader.runner.processes.watch import Watch
from grader.runner.processes.zygote import Zygote
from grader.runner.solver import Solver
from tests.sampling import every_time

from ..asking import EX, X, call, observe, sources
from .looking import has_ended, kill

GREEDY = """
    import os, threading, time, torch

    def fine(x):
        return 2 * x

    def takes_memory():
        return torch.ones(700_000_000)[:2]

    def takes_shared_memory():
        import mmap
        shared = mmap.mmap(-1, 3 << 30)
        for at in range(0, 3 << 30, 1 << 20):
            shared[at : at + (1 << 20)] = bytes(1 << 20)

    def starts_threads():
        threading.stack_size(65536)
        for _ in range(200):
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        time.sleep(600)

    def writes_many_files():
        for number in range(300):
            open(str(number), "w").close()
        time.sleep(600)

    def writes_files_beside_folders():
        for number in range(40):
            os.mkdir(f"folder {number}")
        for number in range(120):
            open(str(number), "w").close()
        time.sleep(600)

    def makes_many_folders():
        for number in range(100):
            os.makedirs(f"{number % 7}/{number}")
        time.sleep(600)

    def hides_files():
        for _ in range(20):
            os.mkdir("d" * 250)
            os.chdir("d" * 250)
        time.sleep(600)

    def writes_much():
        for number in range(4):
            with open(str(number), "wb") as file:
                file.write(b"x" * 2_000_000)
        time.sleep(600)
"""
Ask = Callable[..., Observation]


def asker(without: frozenset[str]) -> Iterator[Ask]:
    """Asks a greedy submission, with a worker that lacks these layers."""
    worker = Zygote(without)
    solver = Solver(worker, sources((EX, GREEDY)), {})
    yield lambda definition, **tensors: observe(solver, call(definition, *tensors), **tensors)
    solver.close()
    worker.close()


@pytest.fixture(scope="module")
def unlimited() -> Iterator[Ask]:
    """Without the limit of its address space, which would come first."""
    yield from asker(frozenset({"rlimits"}))


@pytest.fixture(scope="module")
def on_disk() -> Iterator[Ask]:
    """Without bubblewrap, whose scratch folder is a file system of limited size."""
    yield from asker(frozenset({"bubblewrap"}))


# Memory of one's own is what the first of the attacks takes that exhaust a machine.
@pytest.mark.parametrize("definition", every_time(["takes_shared_memory"], ["takes_memory", "takes_shared_memory"]))
def test_too_much_memory_ends_a_process(unlimited: Ask, definition: str) -> None:
    seen = unlimited(definition)

    assert seen.ending is Ending.CRASHED
    assert seen.detail == "the process was ended because it took more than 2 GiB of memory"


def test_too_many_threads_end_a_process(unlimited: Ask) -> None:
    seen = unlimited("starts_threads")

    assert seen.ending is Ending.CRASHED
    assert seen.detail == "the process was ended because it started more than 128 threads"


@pytest.mark.parametrize(
    "definition", ["writes_many_files", "writes_files_beside_folders", "makes_many_folders", "writes_much"]
)
def test_too_many_files_end_a_process(on_disk: Ask, definition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SCRATCH_FILES", 100)
    monkeypatch.setattr(watch, "SCRATCH_FOLDERS", 50)
    monkeypatch.setattr(watch, "SCRATCH_BYTES", 4 << 20)

    seen = on_disk(definition)

    assert seen.ending is Ending.CRASHED
    wrote = "it wrote more than 4 MiB, 100 files or 50 folders to its scratch folder"
    assert seen.detail == f"the process was ended because {wrote}"


def test_files_are_counted_inside_bubblewrap_too(unlimited: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SCRATCH_FILES", 100)

    seen = unlimited("writes_many_files")

    assert seen.ending is Ending.CRASHED
    wrote = "it wrote more than 256 MiB, 100 files or 1000 folders to its scratch folder"
    assert seen.detail == f"the process was ended because {wrote}"


def test_a_folder_too_deep_to_look_into_ends_a_process(unlimited: Ask) -> None:
    seen = unlimited("hides_files")

    assert seen.ending is Ending.CRASHED
    assert "folders to its scratch folder" in seen.detail


def test_after_one_was_ended_the_next_question_is_answered(unlimited: Ask) -> None:
    unlimited("starts_threads")

    assert unlimited("fine", x=X).tensors["result"].tolist() == (2 * X).tolist()


def test_what_an_honest_process_takes_is_left_to_it(unlimited: Ask) -> None:
    large = np.ones(25_000_000, np.float32)

    assert unlimited("fine", x=large).returned["result"].shape == large.shape


SLEEPS = """
import sys, threading
for _ in range(int(sys.argv[1])):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
threading.Event().wait()
"""
Start = Callable[..., Process]


@pytest.fixture
def sleeper() -> Iterator[Start]:
    """Starts a process that does nothing, on more threads than one if that is asked for."""
    started: list[tuple[subprocess.Popen[bytes], Process]] = []

    def start(threads: int = 0) -> Process:
        popen = subprocess.Popen([sys.executable, "-I", "-c", SLEEPS, str(threads)])
        started.append((popen, Process(popen.pid, 0, popen.pid, os.pidfd_open(popen.pid))))
        return started[-1][1]

    yield start
    for popen, process in started:
        process.kill()
        process.forget()
        popen.wait()


def test_a_process_that_was_taken_back_is_not_touched_any_more(sleeper: Start) -> None:
    watching, kept, ended = Watch(), sleeper(), sleeper(2 * watch.THREADS)
    watching.add(kept)
    watching.remove(kept)
    watching.add(ended)

    assert has_ended(os.dup(ended.handle))
    watching.close()

    assert not has_ended(os.dup(kept.handle), 0.0)
    assert (kept.ended_for, ended.ended_for) == ("", "threads")


def test_a_process_that_is_gone_is_no_failure(sleeper: Start) -> None:
    watching, gone, other = Watch(), sleeper(), sleeper()
    watching.add(gone)
    watching.add(other)

    kill(gone.pid, signal.SIGKILL)
    watching.close()

    assert (gone.ended_for, other.ended_for) == ("", "")
    assert not has_ended(os.dup(other.handle), 0.0)
