"""Sends gradients back from results: what torch remembers of these counts, and not what code writes into `.grad`.

But where a part is computed again on the way back, by the older of torch's ways: that knows no other place for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from grader.worker.parametrized import Computed


class Reached:
    """The gradients that came to tensors along what torch remembers of results."""

    def __init__(self, computed: Computed) -> None:
        """computed: the weights that are computed from others."""
        self._computed = computed
        self._found: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def of(self, tensor: torch.Tensor) -> torch.Tensor | None:
        """What came to a tensor, or to the weight that is computed from it; None where nothing came to the tensor."""
        if id(tensor) not in self._found:
            return None
        own = self._found[id(tensor)][1]
        of_weight = [self._found[id(each)][1] for each in self._computed.of(tensor) if id(each) in self._found]
        if not of_weight or of_weight[0].shape != own.shape:
            return own
        return sum(of_weight[1:], of_weight[0]).where(own != 0, 0.0)  # what is cut off in between learns nothing

    def add(self, results: list[torch.Tensor], learnt: list[torch.Tensor], *, is_last: bool = True) -> None:
        """Send a gradient back from some results. is_last: whether nothing is to be sent along the same way again."""
        if not results or not learnt:
            return
        learnt = [*learnt, *self._computed.every()]
        total = sum((_uneven_sum(each) for each in results), torch.zeros(()))
        for tensor, gradient in zip(learnt, _gradients(total, learnt, is_last), strict=True):
            if gradient is not None:
                earlier = self.of(tensor)
                self._found[id(tensor)] = tensor, gradient if earlier is None else earlier + gradient


def _gradients(total: Any, learnt: list[torch.Tensor], is_last: bool) -> Sequence[torch.Tensor | None]:
    if not _is_checkpointed(total):
        return torch.autograd.grad(total, learnt, retain_graph=not is_last, allow_unused=True)
    for each in learnt:
        if not each.is_leaf:
            each.retain_grad()
        each.grad = None
    total.backward(retain_graph=not is_last)
    return [each.grad.clone() if isinstance(each.grad, torch.Tensor) else None for each in learnt]


def _is_checkpointed(tensor: torch.Tensor) -> bool:
    """Whether a part is computed again on the way back, by the older of torch's ways, which knows `backward` alone."""
    waiting, seen = [tensor.grad_fn], set()
    for node in waiting:
        if type(node).__name__ == "CheckpointFunctionBackward":
            return True
        found = [each for each, _ in getattr(node, "next_functions", ()) if each is not None and each not in seen]
        seen.update(found)
        waiting += found
    return False


def _uneven_sum(tensor: torch.Tensor) -> torch.Tensor:
    """A sum whose weights differ, because an even sum of rows that sum to one has no gradient at all."""
    ramp = torch.linspace(0.5, 1.5, tensor.numel(), dtype=tensor.dtype, device=tensor.device)
    return (tensor.reshape(-1) * ramp).sum()
