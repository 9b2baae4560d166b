"""What a module holds: registered parameters and buffers, and the tensors and modules that nobody registered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from grader.model.observation import Slot

MAX_SLOTS = 500
MAX_DEPTH = 6


def inspect(module: nn.Module) -> list[Slot]:
    """Every slot of a module, in the order of registration, loose ones where they are found.

    A parameter that is registered under several names is shared, under each of them.
    """
    found = list(_first(walk(module)))
    names = Counter(id(tensor) for slot, tensor in found if slot.kind == "parameter")
    return [
        replace(slot, kind="shared") if names[id(t)] > 1 and slot.kind == "parameter" else slot for slot, t in found
    ]


def tensors(module: nn.Module) -> dict[str, torch.Tensor]:
    """Slot names to the tensors themselves."""
    return {slot.name: tensor for slot, tensor in _first(walk(module))}


def loose(module: nn.Module) -> dict[str, torch.Tensor]:
    """The tensors that torch does not know the module holds."""
    return {slot.name: tensor for slot, tensor in _first(walk(module)) if slot.kind == "loose"}


def walk(
    module: nn.Module, prefix: str = "", loose: bool = False, depth: int = 0
) -> Iterator[tuple[Slot, torch.Tensor]]:
    """Slots of a module and of all that it holds, loose where a list or a plain attribute hides them from torch."""
    if depth > MAX_DEPTH:
        return
    owner = type(module).__name__[:60]
    for kind, registered in (("parameter", module._parameters), ("buffer", module._buffers)):
        for name, tensor in registered.items():
            if tensor is not None:
                yield _slot(prefix + name, tensor, "loose" if loose else kind, owner), tensor
    for name, child in module._modules.items():
        if child is not None:
            yield from walk(child, f"{prefix}{name}.", loose, depth + 1)
    for name, value in list(vars(module).items()):
        if not name.startswith("_") or isinstance(value, (torch.Tensor, nn.Module)):
            yield from _hidden(value, prefix + name, owner, depth + 1)


def _hidden(value: Any, name: str, owner: str, depth: int) -> Iterator[tuple[Slot, torch.Tensor]]:
    if isinstance(value, torch.Tensor):
        yield _slot(name, value, "loose", owner), value
    elif isinstance(value, nn.Module):
        yield from walk(value, f"{name}.", True, depth)
    elif isinstance(value, (list, tuple, dict)) and depth <= MAX_DEPTH:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _hidden(item, f"{name}.{key}", type(value).__name__, depth + 1)


def _slot(name: str, tensor: torch.Tensor, kind: str, owner: str) -> Slot:
    dtype = str(tensor.dtype).removeprefix("torch.")
    return Slot(name[:120], tuple(tensor.shape), kind, owner, dtype, tensor.requires_grad)


def _first(slots: Iterator[tuple[Slot, torch.Tensor]]) -> Iterator[tuple[Slot, torch.Tensor]]:
    for count, pair in enumerate(slots):
        if count == MAX_SLOTS:
            return
        yield pair
