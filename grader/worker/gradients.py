"""Sends gradients back from results: what torch remembers of these counts, and not what code writes into `.grad`.

But where a part is computed again on the way back, by the older of torch's ways: that knows no other place for them.
"""

from __future__ import annotations

import contextlib
from typing import Any

import torch

from grader.worker.graph import is_checkpointed
from grader.worker.parametrized import Computed


class Reached:
    """The gradients that came to tensors along what torch remembers of results."""

    def __init__(self, computed: Computed) -> None:
        """computed: the weights that are computed from others."""
        self._computed = computed
        self._found: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def of(self, tensor: torch.Tensor) -> torch.Tensor | None:
        """What came to a tensor, or to the weight that is computed from it; None where nothing came to the tensor."""
        return self._found[id(tensor)][1] if id(tensor) in self._found else None

    def add(self, results: list[torch.Tensor], learnt: list[torch.Tensor], *, is_last: bool = True) -> None:
        """Send a gradient back from some results. is_last: whether nothing is to be sent along the same way again."""
        if not results or not learnt:
            return
        total = sum((_uneven_sum(each) for each in results), torch.zeros(()))
        came = self._sent_back(total, learnt, is_last)
        for tensor in learnt:
            if id(tensor) in came:
                gradient, earlier = self._of_weight(tensor, came), self.of(tensor)
                self._found[id(tensor)] = tensor, gradient if earlier is None else earlier + gradient

    def _sent_back(self, total: Any, learnt: list[torch.Tensor], is_last: bool) -> dict[int, torch.Tensor]:
        """What came to all that is learnt and to the weights that were computed, by identity."""
        tensors = [*learnt, *self._computed.every()]
        if not is_checkpointed(total):
            gradients = torch.autograd.grad(total, tensors, retain_graph=not is_last, allow_unused=True)
            return {id(each): came for each, came in zip(tensors, gradients, strict=True) if came is not None}
        for each in tensors:
            each.grad = None
        total.backward(retain_graph=not is_last)
        tensors = [*learnt, *self._computed.every()]  # some were computed on the way back
        return {id(each): each.grad.clone() for each in tensors if isinstance(each.grad, torch.Tensor)}

    def _of_weight(self, original: torch.Tensor, came: dict[int, torch.Tensor]) -> torch.Tensor:
        """What came to the weights that are computed from a tensor, by the tensor's own hooks; else to the tensor."""
        own = came[id(original)]
        of_weights = [came[id(each)] for each in self._computed.of(original) if id(each) in came]
        if not of_weights or any(each.shape != own.shape for each in of_weights):
            return own
        gradient = sum(of_weights[1:], of_weights[0]).where(own != 0, 0.0)  # what is cut off in between learns nothing
        return _hooked(original, gradient)


def _hooked(tensor: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
    """What a tensor's hooks make of a gradient, as they did of its own, which is none of a weight that is computed."""
    for hook in (*(tensor._backward_hooks or {}).values(),):
        with contextlib.suppress(Exception), torch.no_grad():  # of the student's own
            made = hook(gradient.clone())
            gradient = made if isinstance(made, torch.Tensor) and made.shape == gradient.shape else gradient
    return gradient


def _uneven_sum(tensor: torch.Tensor) -> torch.Tensor:
    """A sum whose weights differ, because an even sum of rows that sum to one has no gradient at all."""
    ramp = torch.linspace(0.5, 1.5, tensor.numel(), dtype=tensor.dtype, device=tensor.device)
    return (tensor.reshape(-1) * ramp).sum()
