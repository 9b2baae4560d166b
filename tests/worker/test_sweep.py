"""What a worker tells of a definition with many mistakes in it, one row of switches after the other."""

from __future__ import annotations

import pytest
import torch

from grader.model.crash import NO_CRASH, digest
from grader.worker.sweep import sweep

SAID = "mat1 and mat2 shapes cannot be multiplied (3x4 and 3x4)"


@pytest.mark.parametrize("product", ["", "mm: ", "addmm: "])
def test_shapes_that_do_not_fit_crash_alike_whichever_torch_it_is(product: str) -> None:
    switches = [0]

    def target() -> torch.Tensor:
        if switches[0]:
            raise RuntimeError(product + SAID)
        return torch.ones(2)

    values, shapes, crashes = sweep(switches, torch.tensor([[0], [1]]), target, [])

    assert values.tolist() == [1.0, 1.0]
    assert shapes.tolist() == [1, 1, 2, 0]
    assert crashes.tolist() == [NO_CRASH, digest(SAID)]
