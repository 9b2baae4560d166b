"""Weights that `nn.utils.parametrize` computes from others at each use: what to call them, and how to set them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook
from torch.nn.utils.parametrize import ParametrizationList

# A layer keeps its lists of parametrizations under this name, and each list what its weight is computed from.
LISTS, ORIGINAL = "parametrizations", "original"


def names(module: nn.Module, prefix: str) -> dict[str, str]:
    """What the parameters of a list of parametrizations are to be called; "" for one that is left out.

    The one that is shaped as the weight is called as that: `W_query.weight`, and what scales it, as in `weight_norm`,
    is left out. None of them has a name of its own where it is not plain which one that is.
    prefix: of the names that they have.
    """
    before, mark, weight = f".{prefix}".rpartition(f".{LISTS}.")
    if not isinstance(module, ParametrizationList) or not mark:
        return {}
    held = {name: each for name, each in _originals(module).items() if each is not None}
    largest = max(held, key=lambda name: held[name].numel(), default="")
    others = [each for name, each in held.items() if name != largest]
    if not largest or not all(_scales(each, held[largest]) for each in others):
        return {}
    own = ".".join(filter(None, (before.removeprefix("."), weight.removesuffix("."))))
    return {name: own if name == largest else "" for name in held}


def write(holder: Any, value: torch.Tensor) -> bool:
    """Set what a weight is computed from so that it becomes a value; whether what holds it is a list that can."""
    if not isinstance(holder, ParametrizationList):
        return False
    before = {name: each.detach().clone() for name, each in _originals(holder).items() if each is not None}
    try:
        holder.right_inverse(value.clone())  # torch makes the originals share its storage
    except Exception:  # what a parametrization of the student's own raises, or torch where it has no inverse
        for name, each in before.items():
            getattr(holder, name).copy_(each)
        return False
    return True


def value(holder: Any, original: torch.Tensor) -> torch.Tensor:
    """The weight that is computed from a tensor, where a list of parametrizations holds it; else the tensor."""
    if not isinstance(holder, ParametrizationList):
        return original
    with contextlib.suppress(Exception), torch.no_grad():  # of the student's own
        weight = holder()
        return weight if isinstance(weight, torch.Tensor) and weight.shape == original.shape else original
    return original


class Computed:
    """The weights that were computed, by what each was computed from: what an optimizer holds is not what is used."""

    def __init__(self) -> None:
        self._of: dict[int, list[torch.Tensor]] = {}

    def of(self, original: torch.Tensor) -> list[torch.Tensor]:
        """Each time that a weight was computed from a tensor so that a gradient can come to it."""
        return self._of.get(id(original), [])

    def every(self) -> list[torch.Tensor]:
        """All of them, each once."""
        return [*{id(each): each for some in self._of.values() for each in some}.values()]

    @contextlib.contextmanager
    def noted(self, target: Any) -> Iterator[None]:
        """While active, notes what is computed where a module is called that has such weights."""
        if not isinstance(target, nn.Module) or not any(isinstance(m, ParametrizationList) for m in target.modules()):
            yield
            return
        hook = register_module_forward_hook(self._note)
        try:
            yield
        finally:
            hook.remove()

    def _note(self, module: nn.Module, _: Any, weight: Any) -> None:
        if isinstance(module, ParametrizationList) and isinstance(weight, torch.Tensor) and weight.requires_grad:
            for original in _originals(module).values():
                if original is not None and original is not weight:
                    self._of.setdefault(id(original), []).append(weight)


def _originals(module: nn.Module) -> dict[str, torch.Tensor | None]:
    return {name: each for name, each in module._parameters.items() if name.startswith(ORIGINAL)}


def _scales(factor: torch.Tensor, weight: torch.Tensor) -> bool:
    """Whether a tensor may scale another, row by row or column by column, and is not as large."""
    is_smaller, has_as_many = factor.numel() < weight.numel(), factor.ndim == weight.ndim
    pairs = zip(factor.shape, weight.shape, strict=False)
    return is_smaller and has_as_many and all(size in (1, whole) for size, whole in pairs)
