"""Of what a worker answers no more is believed than its form and the question allow."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.model.errors import DeviceAbsent, PackError, RubricError, SandboxAbsent, WorkerFailed
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report
from grader.model.submission import Submission
from grader.runner.cluster.answer import Failure, failure_answer, read_answer, report_answer
from grader.runner.ungraded import ungraded

EX01 = "ex01_dot_product_scores"
ORDER = Order((EX01,), "cpu", seed=3)
OWN = Submission("ada \udcff", Path("ada"), "a" * 64, {EX01: b"print()"})
HANDED = Handed("ada \udcff", submission=OWN)
ENVIRONMENT = {
    "python": "3.11.7", "torch": "2.13.0", "devices": ["cpu"], "isolation": [], "seed": 3, "fresh": True,
    "tolerance_factor": 10,
}  # fmt: skip


@pytest.fixture
def report(pack: Pack) -> Report:
    """As a worker makes it, who knows neither name nor path."""
    own = replace(OWN, id="key", path=Path("key"))
    return ungraded(pack, ORDER, ENVIRONMENT, own, "key", "“why” \x1b")


def test_a_report_comes_back_as_it_went_with_the_name_and_lines_that_stayed_here(pack: Pack, report: Report) -> None:
    read = read_answer(report_answer(report), "key", HANDED, pack, ORDER)

    assert isinstance(read, Report)
    assert read.exercises == report.exercises
    assert read.sources == {EX01: b"print()"}
    assert read.submission == {"id": HANDED.id, "path": "ada", "sha256": OWN.sha256}


@pytest.mark.parametrize(
    ("error", "kind", "is_fatal"),
    [
        (RubricError([]), PackError, True),
        (SandboxAbsent("no seccomp"), SandboxAbsent, True),
        (DeviceAbsent("no cuda"), DeviceAbsent, True),
        (WorkerFailed("gone"), WorkerFailed, False),
        (MemoryError("\x1b]8;;http://x\x1b\\"), WorkerFailed, False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_a_failure_comes_back_as_its_kind_and_says_where(
    error: Exception, kind: type[Exception], is_fatal: bool, pack: Pack
) -> None:
    answer = failure_answer(error, could_start=True, worker="tls://10.0.0.7:40001")

    read = read_answer(answer, "key", HANDED, pack, ORDER)

    assert isinstance(read, Failure)
    assert type(read.error) is kind
    assert read.error.is_fatal is is_fatal
    assert str(read.error).endswith("(Dask worker tls://10.0.0.7:40001)")
    assert "\x1b" not in str(read.error)


def changed(report: Report, change: Callable[[dict[str, Any]], object]) -> bytes:
    value = json.loads(report_answer(report))
    change(value["report"])
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v["submission"].update(id="bob"),
        lambda v: v["submission"].update(path="/etc"),
        lambda v: v["submission"].update(sha256="b" * 64),
        lambda v: v["pack"].update(sha256="b" * 64),
        lambda v: v["environment"].update(seed=4),
        lambda v: v["exercises"][0]["steps"].pop(),
        lambda v: v["exercises"][0]["steps"].reverse(),
        lambda v: v["exercises"][0]["steps"][0].update(max_score=100, score=100),
        lambda v: v["exercises"][0]["steps"][0].update(score=3),
        lambda v: v["exercises"].append(v["exercises"][0]),
        lambda v: v.update(schema="v0"),
    ],
)
def test_a_report_of_something_else_is_none(
    change: Callable[[dict[str, Any]], object], pack: Pack, report: Report
) -> None:
    with pytest.raises(WorkerFailed):
        read_answer(changed(report, change), "key", HANDED, pack, ORDER)


@pytest.mark.parametrize(
    "answer",
    [
        None, "{}", b"", b"\xff", b"[]", b"3", b"{}", b'{"report": NaN}', b'{"report": {}}', b"[" * 100_000,
        b'{"failed": "KeyboardInterrupt", "said": "", "could_start": true}', b'{"failed": [], "said": ""}',
        b'{"failed": "WorkerFailed"}',
    ],
)  # fmt: skip
def test_what_is_no_answer_is_a_failure_of_the_worker(answer: object, pack: Pack) -> None:
    with pytest.raises(WorkerFailed):
        read_answer(answer, "key", HANDED, pack, ORDER)


def test_a_submission_that_was_refused_has_its_answer_too(pack: Pack) -> None:
    refused = Handed("ada", refused="It is a picture.")
    report = ungraded(pack, ORDER, ENVIRONMENT, None, "key", refused.refused)

    read = read_answer(report_answer(report), "key", refused, pack, ORDER)

    assert isinstance(read, Report)
    assert read == replace(report, submission={**report.submission, "id": "ada", "path": "ada"})
