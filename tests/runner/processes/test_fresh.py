"""Without fork there is an interpreter for each submission, and the same observations."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from grader.model.errors import WorkerFailed
from grader.model.observation import Ending
from grader.model.order import Order
from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.processes.fresh import Fresh
from grader.runner.processes.start import start_worker
from grader.runner.processes.zygote import Zygote
from grader.runner.session import Session
from grader.runner.solver import Solver
from grader.submission.read import read_submission

from ..asking import EX, X, call, observe, saying, sources, text
from .looking import descendants, has_ended

REFERENCE = Path(__file__).resolve().parents[3] / "solutions/reference" / f"{EX}.py"
ALL_SORTS = """
    import os
    def f(x):
        print("something")
        return x @ x.T
    def several(x):
        return x, {"y": 2 * x}
    def raises(x):
        return x / "nothing"
    def exits(x):
        os._exit(3)
"""


@pytest.fixture(scope="module")
def fresh() -> Iterator[Fresh]:
    """Gives interpreters."""
    worker = Fresh()
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def both(fresh: Fresh, zygote: Zygote) -> Iterator[tuple[Solver, Solver]]:
    """One submission in an interpreter of its own, and in a forked process."""
    solvers = tuple(Solver(worker, sources((EX, ALL_SORTS)), {}) for worker in (fresh, zygote))
    yield solvers[0], solvers[1]
    for solver in solvers:
        solver.close()


@pytest.mark.parametrize("definition", ["f", "several", "raises", "exits"])
def test_an_observation_is_what_a_forked_process_gives(both: tuple[Solver, Solver], definition: str) -> None:
    first, second = (observe(solver, call(definition, "x"), x=X) for solver in both)

    assert {name: tensor.tolist() for name, tensor in first.tensors.items()} == {
        name: tensor.tolist() for name, tensor in second.tensors.items()
    }
    for part in ("ending", "fault", "detail", "returned", "refused", "slots", "lines", "printed"):
        assert getattr(first, part) == getattr(second, part), part


@pytest.mark.long  # the test above has compared what it is graded by
def test_a_submission_is_graded_as_by_forked_processes(plugins: Plugins, pack: Pack) -> None:
    order = Order((EX,), "cpu", seed=7)
    with closing(Fresh()) as worker, closing(Session(plugins, pack, order, worker)) as session:
        report = grade_submission(session, read_submission(REFERENCE, pack))

    assert report.is_full
    assert "the sandbox lacks bubblewrap here; `grade doctor` says how to get it" in report.notes
    assert "bubblewrap" in session.worker.missing()


def test_its_layers_are_those_that_its_children_report(fresh: Fresh, both: tuple[Solver, Solver]) -> None:
    for solver in both:
        solver.start()

    assert fresh.isolation() == ()
    assert both[0].isolation == tuple(layer for layer in both[1].isolation if layer not in ("bubblewrap", "watch"))


def test_a_loop_without_an_end_is_stopped(fresh: Fresh) -> None:
    solver = Solver(fresh, sources((EX, "def f():\n    while True: pass\n")), {})
    solver.start()

    assert observe(solver, call("f"), seconds=0.5).ending is Ending.TIMEOUT
    solver.close()


def test_what_a_submission_started_ends_with_it_and_nothing_is_left() -> None:
    source = "import os, time\ndef f():\n    pid = os.fork()\n    if not pid: time.sleep(600)\n    return say(pid)\n"
    worker = Fresh(frozenset({"seccomp"}))
    solver = Solver(worker, saying(source), {})
    handles = [os.pidfd_open(int(text(observe(solver))))]
    handles += [os.pidfd_open(pid) for pid in descendants(os.getpid()) if _runs_from(pid, worker.scratch)]

    solver.close()
    written = [path.name for path in worker.scratch.iterdir() if path.is_dir()]
    worker.close()

    assert len(handles) >= 2
    assert all(has_ended(handle) for handle in handles)
    assert written == []
    assert not worker.scratch.exists()


def test_one_that_is_started_ahead_and_never_needed_ends() -> None:
    worker = Fresh()
    handles = [os.pidfd_open(pid) for pid in worker._started]

    worker.close()

    assert len(handles) == 1
    assert has_ended(handles[0])
    assert not worker.scratch.exists()


def test_an_interpreter_that_dies_before_it_is_ready_says_its_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.runner.processes.fresh.BOOT", "import sys; sys.exit('no torch here')")
    worker = Fresh()

    with pytest.raises(WorkerFailed, match="no torch here"):
        worker.spawn()
    worker.close()

    assert not worker.scratch.exists()


@pytest.mark.parametrize("removed", ["platform", "pidfd_open"])
def test_it_is_what_a_system_without_fork_or_handles_gets(removed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if removed == "platform":
        monkeypatch.setattr(sys, "platform", "darwin")
    else:
        monkeypatch.setattr(os, "pidfd_open", _no_such_call)

    worker = start_worker()
    worker.close()

    assert isinstance(worker, Fresh)


def _no_such_call(pid: int, flags: int = 0) -> int:
    raise OSError(38, "Function not implemented")


def _runs_from(pid: int, folder: Path) -> bool:
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink()).startswith(str(folder))
    except OSError:
        return False


WITHOUT_POSIX = """
import importlib, os, pkgutil, signal, socket, sys
import distributed, torch  # what others need is theirs
for name in ("resource", "fcntl", "pwd", "grp", "termios"):
    sys.modules[name] = None
for module, names in {
    os: ("fork", "killpg", "setsid", "getsid", "pidfd_open", "sysconf", "pread", "mkfifo"),
    signal: ("SIGKILL", "pidfd_send_signal", "pthread_sigmask"),
    socket: ("send_fds", "recv_fds", "AF_UNIX"),
}.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for name in [name for name in sys.modules if name.startswith("grader")]:
    del sys.modules[name]
names = ["grader.worker." + name for name in ("fresh", "prepare", "serve", "scratch", "confine")]
for package in ("grader.cli", "grader.runner"):
    found = importlib.import_module(package)
    names += [module.name for module in pkgutil.walk_packages(found.__path__, package + ".")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


@pytest.mark.long
def test_nothing_that_is_imported_needs_what_only_unix_has() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_POSIX], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


def test_the_other_end_hanging_up_ends_an_interpreter(fresh: Fresh) -> None:
    process, channel = fresh.spawn()
    started = fresh._started[process.number]

    channel.close()

    assert started.wait(20) == 0
    fresh.end(process)
