"""A batch in this process: what the grader itself fails at is tried once more, and holds up nobody else."""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import Field, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from grader.model.errors import DeviceAbsent, WorkerFailed
from grader.model.handed import Handed, Identity
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.plugins import hookimpl
from grader.plugins.executor import Site
from grader.plugins.registry import Plugins
from grader.runner.batch.batch import Batch, Finished, _options
from grader.runner.batch.output import OutputFolder

EX01 = "ex01_dot_product_scores"
SOURCE = (Path(__file__).resolve().parents[3] / f"solutions/reference/{EX01}.py").read_bytes()
Run = Callable[..., dict[str, Finished]]


class Failing:
    """A plugin that makes the worker fail some submissions: so many times each."""

    def __init__(self, times: dict[str, int]) -> None:
        self.left = Counter(times)
        self.begun: Counter[str] = Counter()

    @hookimpl
    def grader_submission_started(self, submission: Submission) -> None:
        self.begun[submission.id] += 1
        if self.left[submission.id] > 0:
            self.left[submission.id] -= 1
            raise WorkerFailed("The worker process has gone.")


@pytest.fixture
def output(plugins: Plugins, tmp_path: Path) -> Iterator[OutputFolder]:
    output = OutputFolder(tmp_path / "out", plugins.reporters["json"], {})
    yield output
    output.store.close()


def handed(name: str) -> Handed:
    return Handed(name, Identity(name), Submission(name, Path(name), "0" * 64, {EX01: SOURCE}), "", (), ("odd",))


def finished(pack: Pack, output: OutputFolder, failing: Failing, *names: str, **order: Any) -> dict[str, Finished]:
    plugins = Plugins()
    plugins.manager.register(failing)
    batch = Batch(plugins, pack, Order((EX01,), **{"device": "cpu", "seed": 1, **order}), output, Site(jobs=1))
    return {each.id: each for each in batch.grade(map(handed, names)) if each is not None}


@pytest.mark.long
def test_a_worker_that_fails_is_replaced_and_the_submission_tried_once_more_at_the_end(
    pack: Pack, output: OutputFolder
) -> None:
    failing = Failing({"unlucky": 1, "poison": 9})

    ended = finished(pack, output, failing, "unlucky", "poison", "ada", "Ada", "\udcff")

    assert {name: str(each.outcome) for name, each in ended.items()} == {
        "ada": "full", "Ada-2": "full", "?": "full", "unlucky": "full", "poison": "ungraded",
    }  # fmt: skip
    assert list(ended)[-2:] == ["unlucky", "poison"]
    assert failing.begun == {"unlucky": 2, "poison": 2, "ada": 1, "Ada-2": 1, "?": 1}
    report = json.loads((output.results / "poison.json").read_text("utf-8"))
    assert report["score"] == 0
    assert "The grader itself failed twice" in report["notes"][1]
    (row,) = (graded for graded in output.graded() if graded.report.submission["id"] == "poison")
    assert row.score is None


def test_a_signal_may_stop_it_while_another_does(plugins: Plugins, pack: Pack, output: OutputFolder) -> None:
    batch = Batch(plugins, pack, Order((EX01,)), output, Site(jobs=1))
    former = signal.signal(signal.SIGVTALRM, lambda *_: batch.stop())
    signal.setitimer(signal.ITIMER_VIRTUAL, 1e-5, 1e-5)

    try:
        for _ in range(100_000):
            batch.stop()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)

    assert list(batch.grade([handed("ada")])) == []


@pytest.mark.long
def test_a_device_that_is_absent_ends_the_batch_and_not_a_submission(
    pack: Pack, output: OutputFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # for whoever has one

    with pytest.raises(DeviceAbsent):
        finished(pack, output, Failing({}), "ada", "bob", device="cuda")

    assert [*output.results.iterdir()] == []


@pytest.mark.long
def test_a_rerun_keeps_what_was_graded_by_the_same_order_and_nothing_of_another(
    pack: Pack, output: OutputFolder
) -> None:
    graded = [finished(pack, output, Failing({}), "ada", device_is_asked=asked) for asked in (False, False, True, True)]

    assert [each["ada"].is_kept for each in graded] == [False, True, False, True]


@pytest.mark.parametrize("field", fields(Order), ids=attrgetter("name"))
def test_no_field_of_an_order_is_forgotten_by_what_a_result_rests_on(
    field: Field[Any], plugins: Plugins, pack: Pack
) -> None:
    other = {tuple: ("ex02",), str: "another", int: 7, float: 0.5, bool: True, frozenset: frozenset({"b", "a"})}
    kind = type(getattr(Order(), field.name))

    changed = replace(Order(), **{field.name: other[kind]})

    assert _options(plugins, pack, changed) == _options(plugins, pack, replace(changed))
    assert _options(plugins, pack, changed) != _options(plugins, pack, Order())
