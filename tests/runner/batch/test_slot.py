"""A slot has a worker of its own, which ends with it and with whatever keeps it from grading."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.errors import FixtureError
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.plugins.registry import Plugins
from grader.runner.batch.slot import Slot


def test_broken_fixtures_end_the_worker_that_a_slot_started(plugins: Plugins, pack: Pack, tmp_path: Path) -> None:
    broken = replace(pack, source=replace(pack.source, fixtures=tmp_path))
    slot = Slot(plugins, broken, Order(without=frozenset({"bubblewrap"})))
    worker = slot._worker
    assert worker.scratch.exists()

    with pytest.raises(FixtureError):
        slot.grade(Handed("ada", refused="There is nothing."))

    assert not worker.scratch.exists()
