"""What a worker tells of a definition with many mistakes in it, one row of switches after the other."""

from __future__ import annotations

import pytest
import torch

from grader.model.crash import NO_CRASH, digest
from grader.worker.sweep import sweep, unchanged

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


def test_what_is_there_under_another_name_or_on_its_side_is_unchanged() -> None:
    switches = [0]

    def target() -> torch.Tensor:
        queries, keys = torch.arange(6.0).reshape(3, 2), torch.arange(6.0, 12.0).reshape(3, 2)
        if switches[0]:
            queries, keys = keys, queries
        scores = queries @ keys.T
        masked = scores.tril()
        return masked

    stages = ["queries", "keys", "scores", "masked"]

    found = unchanged(switches, torch.tensor([[0], [1]]), target, [], stages, [])

    assert found.tolist() == [[True, True, True, True], [True, True, True, False]]
