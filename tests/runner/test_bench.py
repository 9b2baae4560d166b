"""What is asked beside a step is asked of other processes, in a time of its own, and changes nothing of the step."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from grader.model.observation import Ending
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.run import OWN, Call, Run
from grader.model.submission import Submission
from grader.plugins.registry import Plugins
from grader.runner.bench import WorkerBench, set_up
from grader.runner.processes.zygote import Zygote
from grader.runner.session import Session

from .asking import EX, OTHER, SECONDS, X, call, sources

BESIDE = f"{EX} 0"
OWN_SOURCE = sources(
    (EX, "kept = []\ndef f(x):\n    kept.append(1)\n    return x * len(kept)\n"),
    (OTHER, "def twice(x):\n    return x * 2\n"),
)
Make = Callable[[float], WorkerBench]


@pytest.fixture
def make(plugins: Plugins, pack: Pack, zygote: Zygote) -> Iterator[Make]:
    """A bench of a small submission, with so many seconds for its step."""
    session = Session(plugins, pack, Order(device="cpu", seed=3), zygote)
    bench = set_up(session, Submission("ada", Path("ada"), "0" * 64, OWN_SOURCE), "cpu")

    def begun(seconds: float) -> WorkerBench:
        bench.start_clock(seconds)
        return bench

    with closing(bench.solver):
        yield begun
    session.close()


def run(of: Call) -> Run:
    return Run((of,), {"x": X})


def own(bench: WorkerBench) -> float:
    """By what the submission's own module multiplies this time."""
    (seen,) = bench.observe_each([run(call("f", "x"))], OWN)
    return float(seen.tensors["result"][0, 1])


def test_further_modules_are_asked_beside_the_solutions_own(make: Make) -> None:
    bench = make(SECONDS)
    source = f"from exercises.{OTHER} import twice\ndef f(x):\n    return twice(x) + 1\n".encode()

    before = own(bench)
    with bench.beside({BESIDE: source}, OWN) as ask:
        seen = [*ask([run(call("f", "x", module=BESIDE))]), *ask([run(call("f", "x"))])]

    assert [float(each.tensors["result"][0, 1]) for each in seen] == [3.0, 1.0], "the own module is begun anew there"
    assert (before, own(bench)) == (1.0, 2.0), "and goes on here"


def test_what_is_late_beside_a_step_takes_nothing_from_its_time(make: Make) -> None:
    bench = make(0.6)
    began = time.monotonic()

    with bench.beside({BESIDE: b"def f(x):\n    while True: pass\n"}, OWN) as ask:
        late = ask([run(call("f", "x", module=BESIDE))])
        more = ask([run(call("f", "x"))])

    assert [each.ending for each in (*late, *more)] == [Ending.TIMEOUT, Ending.TIMEOUT]
    assert time.monotonic() - began > 0.5
    assert own(bench) == 1.0


def test_all_that_is_asked_beside_a_step_has_no_more_time_than_the_step(make: Make) -> None:
    bench = make(0.6)
    began = time.monotonic()

    for _ in range(4):
        with bench.beside({BESIDE: b"import time\ndef f(x):\n    time.sleep(0.5)\n    return x\n"}, OWN) as ask:
            seen = ask([run(call("f", "x", module=BESIDE))])

    assert seen[0].ending is Ending.TIMEOUT
    assert time.monotonic() - began < 1.9


def test_the_next_step_has_all_of_its_time_again(make: Make) -> None:
    with make(0.3).beside({BESIDE: b"def f(x):\n    while True: pass\n"}, OWN) as ask:
        ask([run(call("f", "x", module=BESIDE))])

    with make(SECONDS).beside({BESIDE: b"def f(x):\n    return x\n"}, OWN) as ask:
        (seen,) = ask([run(call("f", "x", module=BESIDE))])

    assert seen.is_whole
