"""With a slot for each core each keeps to its own, with all that it starts; else, and outside, none is kept to."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from grader.model.pack import Pack
from grader.plugins.executor import Done
from grader.plugins.registry import Plugins
from grader.runner.batch.cores import keeping_to_one
from grader.runner.batch.slots import Slots
from tests.runner.batch.test_apart import ORDER, handed

if not hasattr(os, "sched_setaffinity"):
    pytest.skip("no system where a process keeps to a core", allow_module_level=True)

CORES = os.sched_getaffinity(0)
ASKED = "import os; print(*os.sched_getaffinity(0))"


def of_a_process() -> set[int]:
    """The cores of a process that is started now."""
    said = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, check=True).stdout
    return {int(core) for core in said.split()}


def test_each_slots_processes_keep_to_a_core_of_their_own() -> None:
    kept = []
    for slot in range(len(CORES)):
        with keeping_to_one(slot, len(CORES)):
            kept.append(of_a_process())

    assert all(len(each) == 1 for each in kept)
    assert set.union(*kept) == CORES
    assert os.sched_getaffinity(0) == CORES


@pytest.mark.parametrize("slots", [1, len(CORES) + 1])
def test_with_more_cores_than_slots_or_fewer_none_is_kept_to(slots: int) -> None:
    with keeping_to_one(0, slots):
        assert of_a_process() == CORES


def test_what_fails_meanwhile_is_not_kept_to_a_core() -> None:
    with pytest.raises(ZeroDivisionError), keeping_to_one(0, len(CORES)):
        1 / 0  # noqa: B018

    assert os.sched_getaffinity(0) == CORES


@pytest.mark.long
def test_the_slots_of_a_batch_keep_to_theirs_and_whoever_waits_for_them_to_none(pack: Pack, plugins: Plugins) -> None:
    with closing(Slots(plugins, pack, ORDER, len(CORES), lambda *_: None)) as slots:
        for name in range(len(CORES)):
            slots.put(handed(str(name)))
        threads = [thread for thread in threading.enumerate() if thread.name.startswith("slot-")]
        kept = [os.sched_getaffinity(thread.native_id or 0) for thread in threads]
        ended = [slots.get(60.0) for _ in range(len(CORES))]

    assert all(isinstance(each, Done) and each.report.is_full for each in ended)
    assert all(len(each) == 1 for each in kept)
    assert set.union(*kept) == CORES == os.sched_getaffinity(0)
