"""The way back from a tensor is walked once, to each leaf that it comes to."""

from __future__ import annotations

import pytest
import torch
from torch.utils.checkpoint import checkpoint

from grader.worker.graph import is_checkpointed, leaves, steps_back


def test_leaves_are_what_a_gradient_comes_to() -> None:
    one, other, cut, constant = (torch.ones(2, requires_grad=True) for _ in range(4))

    result = one * other + one * cut.detach() + constant.data

    assert leaves(result) == {id(one), id(other)}


def test_nothing_is_remembered_of_what_is_not_computed() -> None:
    assert not [*steps_back(torch.ones(1))]
    assert leaves(torch.ones(1, requires_grad=True)) == set()


def test_a_long_way_that_parts_at_each_step_is_walked_once() -> None:
    tensor = torch.ones(1, requires_grad=True)
    for _ in range(2000):
        tensor = tensor + tensor

    assert len([*steps_back(tensor)]) == 2001


@pytest.mark.parametrize("is_older", [True, False])
def test_a_part_that_is_computed_again_is_seen_behind_other_steps_where_torch_does_it_the_older_way(
    is_older: bool,
) -> None:
    x = torch.ones(2, requires_grad=True)

    result = 2 * checkpoint(torch.sin, x, use_reentrant=is_older) + x

    assert is_checkpointed(result) is is_older
