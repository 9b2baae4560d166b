"""One worker serves every submission, and no submission can change it."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Iterator

import pytest

from grader.model.errors import WorkerFailed
from grader.model.observation import Ending
from grader.runner.processes.zygote import Zygote

from .asking import EX, X, call, observe, saying, sources, text
from .conftest import Ask


def test_the_worker_says_what_it_is(zygote: Zygote) -> None:
    hello = zygote.hello()

    assert set(hello) >= {"torch", "python", "cuda"}
    assert isinstance(hello["cuda"], bool)
    assert zygote.hello() is hello


def test_each_submission_has_a_process_of_its_own_forked_from_one(solve: Ask) -> None:
    source = "import os\ndef f():\n    return say(f'{os.getpid()} {os.getppid()}')\n"

    (first, parent), (second, other) = (text(observe(solve(saying(source)))).split() for _ in range(2))

    assert first != second
    assert parent == other
    assert int(parent) != os.getpid()


def test_what_one_submission_does_to_torch_the_next_does_not_see(solve: Ask) -> None:
    spoiling = solve(
        sources((EX, """
            import torch, json, safetensors.torch, sys
            torch.Tensor.__matmul__ = lambda a, b: a
            torch.softmax = None
            torch.set_default_dtype(torch.float64)
            json.loads = None
            sys.modules["torch.nn"] = None
            sys.path.insert(0, "/nowhere")
            def f(x): return x
        """))
    )  # fmt: skip
    observe(spoiling, call("f", "x"), x=X)

    after = solve(sources((EX, "import torch\nfrom torch import nn\ndef f(x): return torch.softmax(x @ x.T, -1)\n")))
    seen = observe(after, call("f", "x"), x=X)

    assert (seen.fault, seen.returned["result"].dtype) == (None, "float32")
    assert seen.tensors["result"].sum(-1).tolist() == pytest.approx([1.0, 1.0])


def test_thirty_crashes_leave_the_worker_as_it_was(solve: Ask) -> None:
    solver = solve(sources((EX, "import os\ndef crash():\n    os._exit(1)\ndef f(x): return x\n")))

    endings = {observe(solver, call("crash")).ending for _ in range(30)}

    assert endings == {Ending.CRASHED}
    assert observe(solver, call("f", "x"), x=X).tensors["result"].tolist() == X.tolist()


def test_the_environment_is_the_workers_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "42")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")

    with booted(monkeypatch, "say({'environment': dict(os.environ)})") as worker:
        environment = worker.hello()["environment"]

    assert not {"SECRET_TOKEN", "PYTHONPATH"} & set(environment)
    assert environment["HOME"] == environment["TMPDIR"] == str(worker.scratch)
    assert environment["OMP_NUM_THREADS"] == "1"


def test_a_child_has_one_channel_and_nothing_else(solve: Ask) -> None:
    solver = solve(
        saying("""
            import os, stat
            def f():
                kinds = []
                for fd in range(64):
                    try:
                        kinds.append(stat.S_IFMT(os.fstat(fd).st_mode))
                    except OSError:
                        pass
                return say(f"{kinds.count(stat.S_IFSOCK)} {kinds.count(stat.S_IFIFO)} {kinds.count(stat.S_IFREG)}")
        """)
    )

    sockets, pipes, files = text(observe(solver)).split()

    assert (sockets, pipes, files) == ("1", "0", "0")


def test_a_child_computes_on_one_thread(solve: Ask) -> None:
    solver = solve(saying("def f():\n    return say(torch.get_num_threads())\n"))

    assert text(observe(solver)) == "1"


def test_a_child_ends_when_its_channel_does(zygote: Zygote) -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        pid = zygote.fork(theirs)

    ours.close()

    assert zygote.reap(pid) == 0


def test_a_closed_worker_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    with booted(monkeypatch, "time.sleep(600)") as worker:
        (worker.scratch / "left").write_text("something", "utf-8")

    assert not worker.scratch.exists()


def test_a_worker_that_dies_before_it_is_ready_says_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with booted(monkeypatch, "sys.exit('no torch here')") as worker, pytest.raises(WorkerFailed, match="no torch here"):
        worker.hello()


def test_a_worker_that_dies_later_fails_and_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    with booted(monkeypatch, "say({'cuda': False})") as worker, socket.socket() as channel:
        worker.hello()

        with pytest.raises(WorkerFailed):
            worker.fork(channel)


def test_a_worker_that_cannot_import_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "sys.modules['torch'] = None; from grader.worker.zygote import main; main(int(sys.argv[2]))"

    with (
        booted(monkeypatch, code) as worker,
        pytest.raises(WorkerFailed, match="The worker could not start: ModuleNotFoundError"),
    ):
        worker.hello()


def test_an_interrupt_is_left_to_the_parent(zygote: Zygote, solve: Ask) -> None:
    solver = solve(saying("import os\ndef f():\n    return say(os.getppid())\n"))
    worker = int(text(observe(solver)))

    os.kill(worker, signal.SIGINT)

    assert text(observe(solve(saying("import os\ndef f():\n    return say(os.getppid())\n")))) == str(worker)


@contextlib.contextmanager
def booted(monkeypatch: pytest.MonkeyPatch, code: str) -> Iterator[Zygote]:
    """A worker process that runs this instead of importing torch."""
    preface = (
        "import json, os, socket, sys, time; sys.path.insert(0, sys.argv[1])\n"
        "def say(message): socket.socket(fileno=int(sys.argv[2])).sendall(json.dumps(message).encode() + b'\\n')\n"
    )
    monkeypatch.setattr("grader.runner.processes.zygote.BOOT", preface + code)
    worker = Zygote()
    try:
        yield worker
    finally:
        worker.close()
