"""What a zygote is taught its children know: they are asked the same and answer the same, and spoil it for nobody."""

from __future__ import annotations

import signal

import pytest

from grader.model.errors import WorkerFailed
from grader.model.run import OWN, Run
from grader.runner.processes import zygote as zygotes
from grader.runner.processes.child import request_of
from grader.runner.processes.zygote import CHANCES, Zygote

from ..asking import EX, SECONDS, X, call, observe, sources
from ..conftest import Ask
from .looking import kill, python_of

FINE = sources((EX, "def f(x): return 2 * x\n"))
# What writes to its input, gives back what it then is, and spoils whatever it can reach of what is known.
WRITES = """
    import sys
    def f(x):
        return x.add_(1).clone()
    def spoil():
        for known in sys.modules["grader.worker.requests"].KNOWN:
            for tensor in known.tensors.values():
                tensor.zero_()
"""


def test_a_child_that_knows_a_request_is_not_sent_it_and_answers_the_same(zygote: Zygote, solve: Ask) -> None:
    run = Run((call("f", "x"),), {"x": X + 11})
    sent = solve(sources((EX, WRITES))).observe(run, OWN, SECONDS)

    zygote.teach([request_of(run).frame])
    knowing = solve(sources((EX, WRITES)))
    known = knowing.observe(run, OWN, SECONDS)

    assert request_of(run).frame in knowing._children[OWN, False]._process.known
    assert known.tensors["result"].tolist() == sent.tensors["result"].tolist() == (X + 12).tolist()


def test_what_is_written_to_a_known_input_no_later_call_sees(zygote: Zygote, solve: Ask) -> None:
    run = Run((call("f", "x"),), {"x": X + 12})
    zygote.teach([request_of(run).frame])
    first, second = (solve(sources((EX, WRITES))) for _ in range(2))

    seen = [first.observe(run, OWN, SECONDS) for _ in range(2)]
    observe(first, call("spoil"))
    seen += [second.observe(run, OWN, SECONDS)]

    assert [each.tensors["result"].tolist() for each in seen] == [(X + 13).tolist()] * 3


def test_a_worker_that_is_started_anew_knows_nothing_until_it_is_taught(zygote: Zygote, solve: Ask) -> None:
    run = Run((call("f", "x"),), {"x": X + 13})
    zygote.teach([request_of(run).frame])
    solver = solve(FINE)

    kill(python_of(zygote), signal.SIGKILL)
    zygote.teach(
        [request_of(Run((call("f", "x"),), {"x": X + 14})).frame]
    )  # it fails, and does not say so: who asks next starts it anew
    after = solver.observe(run, OWN, SECONDS)
    forgotten = solver._children[OWN, False]._process.known
    zygote.teach([request_of(run).frame])
    again = solve(FINE)

    assert after.tensors["result"].tolist() == again.observe(run, OWN, SECONDS).tensors["result"].tolist()
    assert forgotten == {}
    assert list(again._children[OWN, False]._process.known) == [request_of(run).frame]


def test_what_is_known_is_bounded(zygote: Zygote, solve: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [Run((call("f", "x"),), {"x": X + number}) for number in (100, 101)]
    size = sum(map(len, zygote._known)) + len(request_of(runs[0]).frame)
    monkeypatch.setattr(zygotes, "MOST_KNOWN_BYTES", size)
    zygote.teach([request_of(run).frame for run in runs])
    solver = solve(FINE)

    seen = [solver.observe(run, OWN, SECONDS) for run in runs]

    assert [request_of(run).frame in solver._children[OWN, False]._process.known for run in runs] == [True, False]
    assert [each.tensors["result"].tolist() for each in seen] == [(2 * run.tensors["x"]).tolist() for run in runs]


@pytest.mark.parametrize("error", [WorkerFailed("It is gone."), OSError("No more files.")])
def test_one_that_cannot_be_taught_grades_all_the_same_and_is_left_alone(
    error: Exception, zygote: Zygote, solve: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, asked = Run((call("f", "x"),), {"x": X + 15}), []

    def fail(*_: object) -> None:
        asked.append(1)
        raise error

    monkeypatch.setattr(zygote, "_chances", CHANCES)  # and put back for other tests
    with monkeypatch.context() as broken:
        broken.setattr(zygote, "_ask", fail)
        for _ in range(CHANCES + 1):
            zygote.teach([request_of(run).frame])
    zygote.teach([request_of(run).frame])
    solver = solve(FINE)

    assert len(asked) == CHANCES
    assert solver.observe(run, OWN, SECONDS).tensors["result"].tolist() == (2 * (X + 15)).tolist()
    assert request_of(run).frame not in solver._children[OWN, False]._process.known
