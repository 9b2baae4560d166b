"""What a Dask worker does beside grading: it keeps slots for one batch at a time, and shares out its GPU."""

from __future__ import annotations

import pytest

from grader.model.errors import ClusterFailed
from grader.model.order import Order
from grader.runner.cluster.remote import Errand, Idle, _check_gpu
from grader.runner.kit import Kit

KIT = Kit("0.2.0", "2.13.0", "a" * 64, "b" * 64)


class Closing:
    """Stands where a slot does, and remembers whether it was ended."""

    is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_a_slot_is_used_again_by_its_own_batch_and_ends_when_another_comes() -> None:
    idle, own, other = Idle(), Order(seed=1), Order(seed=2)
    first, second = Closing(), Closing()
    assert idle.take(own) is None
    idle.give_back(first, own)  # type: ignore[arg-type]
    assert idle.take(own) is first
    idle.give_back(first, own)  # type: ignore[arg-type]

    assert idle.take(other) is None

    assert first.is_closed
    idle.give_back(second, own)  # type: ignore[arg-type]
    assert second.is_closed


def test_slots_that_nobody_uses_end_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.runner.cluster.remote.IDLE_SECONDS", 0.01)
    idle, slot = Idle(), Closing()
    idle.take(Order())
    idle.give_back(slot, Order())  # type: ignore[arg-type]

    assert idle._timer is not None
    idle._timer.join()

    assert slot.is_closed


@pytest.mark.parametrize(
    ("devices", "has_gpu", "said"),
    [
        (["cpu", "cuda"], False, "has a GPU that it does not offer"),
        (["cpu"], True, "offers a GPU that torch does not see"),
    ],
)
def test_a_gpu_is_used_where_it_is_offered_and_nowhere_else(devices: list[str], has_gpu: bool, said: str) -> None:
    with pytest.raises(ClusterFailed, match=said):
        _check_gpu(devices, Errand("key", Order(), KIT, has_gpu))
    _check_gpu(devices, Errand("key", Order(), KIT, not has_gpu))
