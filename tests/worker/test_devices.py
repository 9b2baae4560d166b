"""A device is ready before a solution is, computes exactly, and is known where it cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
import torch

from grader.worker import devices

COMPILER = "torch._inductor.config"
MATMUL = torch.backends.cuda.matmul
# What says how exact products are, and that they are so; the older way is that of torch before 2.9.
PRECISION, EXACT = ("fp32_precision", "ieee") if hasattr(MATMUL, "fp32_precision") else ("allow_tf32", False)


@pytest.fixture
def torch_as_it_was() -> Iterator[None]:
    """What is set for exact products is set for the whole process."""
    precision, mode = getattr(MATMUL, PRECISION), torch.get_deterministic_debug_mode()
    yield
    setattr(MATMUL, PRECISION, precision)
    torch.set_deterministic_debug_mode(mode)


def test_the_cpu_needs_nothing(torch_as_it_was: None) -> None:
    devices.start("cpu")

    assert torch.get_deterministic_debug_mode() == 0


def test_a_gpu_computes_in_float32_and_again_the_same_or_is_unusable(
    torch_as_it_was: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, COMPILER, raising=False)

    if torch.cuda.is_available():
        devices.start("cuda")
    else:  # a torch that was built without it, or for it and has no driver
        with pytest.raises(devices.Unusable, match=r"CUDA|NVIDIA"):
            devices.start("cuda")

    assert getattr(MATMUL, PRECISION) == EXACT
    assert torch.are_deterministic_algorithms_enabled()
    assert COMPILER not in sys.modules  # which takes seconds to import, in every process that computes on a GPU
