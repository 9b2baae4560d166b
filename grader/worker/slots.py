"""What a module holds: registered parameters and buffers, and the tensors and modules that nobody registered."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn

from grader.model.observation import Slot
from grader.worker import parametrized

MAX_SLOTS = 500
MAX_DEPTH = 6
LONGEST_NAME = 120
# What every module has for torch's own sake: its dictionaries of what is registered, and its hooks.
TORCHS_OWN = frozenset(vars(nn.Module()))
# Most of what else a module has: its sizes and its settings. By identity: a type of a student's need have no hash.
HOLDS_NOTHING = frozenset(map(id, (int, float, bool, str, type(None))))
# What stays of its type whatever type a module is moved to: only numbers with a point in them change theirs.
COUNTING = (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
# Without these torch itself cannot move a module.
REGISTERS = frozenset({"_parameters", "_buffers", "_modules"})
# A slot's name, its tensor, its kind and what holds it.
Found = tuple[str, torch.Tensor, str, Any]


def inspect(module: nn.Module) -> list[Slot]:
    """Every slot of a module, in the order of registration, loose ones where they are found.

    A parameter that is registered under several names is shared, under each of them.
    """
    found = _found(module)
    names: dict[int, list[str]] = {}
    firsts: dict[int, str] = {}
    for name, tensor, kind, _ in found:
        firsts.setdefault(id(tensor), name)
        if kind == "parameter":
            names.setdefault(id(tensor), []).append(name)
    return [
        _slot(each, firsts[id(each[1])], is_shared=each[2] == "parameter" and len(names[id(each[1])]) > 1)
        for each in found
    ]


def tensors(module: nn.Module, *, buffers: bool = True) -> dict[str, torch.Tensor]:
    """Slot names to the tensors themselves. buffers: those too."""
    return {name: tensor for name, tensor, kind, _ in _found(module) if buffers or kind != "buffer"}


def values(module: nn.Module) -> dict[str, torch.Tensor]:
    """The tensors of all slots but buffers, by name, and of a parametrized one the weight that is used."""
    return {
        name: parametrized.value(holder, tensor) for name, tensor, kind, holder in _found(module) if kind != "buffer"
    }


def write(module: nn.Module, given: Mapping[str, torch.Tensor]) -> None:
    """Give slots their values, by name, and a parametrized one what makes it that."""
    held = {name: (tensor, holder) for name, tensor, _, holder in _found(module)}
    for name, value in given.items():
        tensor, holder = held[name]
        if not parametrized.write(holder, value):
            tensor.copy_(value)


def is_learnt(tensor: torch.Tensor) -> bool:
    """Whether an optimizer takes it."""
    return tensor.requires_grad and tensor.is_leaf


def loose(module: nn.Module) -> dict[str, torch.Tensor]:
    """The tensors that torch does not know the module holds."""
    return {name: tensor for name, tensor, kind, _ in _found(module) if kind == "loose"}


def lies_at(module: nn.Module, device: str, dtype: torch.dtype) -> bool:
    """Whether `module.to(device, dtype)` has nothing to do, which takes torch long to find out.

    False also for a module that it does not know how to move, or that moves in a way of its own, and wherever there
    may be several devices of one kind.
    """
    if device != "cpu":
        return False
    waiting: list[Any] = [module]
    for each in waiting:  # what it holds is looked at in turn; so is what is held in circles, up to a bound
        if len(waiting) > MAX_SLOTS or not isinstance(each, nn.Module) or not vars(each).keys() >= REGISTERS:
            return False
        own, kind = vars(each), type(each)
        if kind.to is not nn.Module.to or kind._apply is not nn.Module._apply or "to" in own or "_apply" in own:
            return False
        for tensor in (*own["_parameters"].values(), *own["_buffers"].values()):
            if tensor is not None and (not tensor.is_cpu or tensor.dtype not in (dtype, *COUNTING)):
                return False
        waiting += [child for child in own["_modules"].values() if child is not None]
    return True


def _found(module: nn.Module) -> list[Found]:
    return [*itertools.islice(_walk(module), MAX_SLOTS)]


def _walk(module: nn.Module, prefix: str = "", loose: bool = False, depth: int = 0) -> Iterator[Found]:
    """What a module and all that it holds has, loose where a list or a plain attribute hides it from torch."""
    if depth > MAX_DEPTH:
        return
    called = parametrized.names(module, prefix)
    for kind, registered in (("parameter", module._parameters), ("buffer", module._buffers)):
        for name, tensor in registered.items():
            if tensor is not None and (of_its_own := called.get(name, prefix + name)):
                yield of_its_own[:LONGEST_NAME], tensor, "loose" if loose else kind, module
    for name, child in module._modules.items():
        if child is not None:
            yield from _walk(child, f"{prefix}{name}.", loose, depth + 1)
    for name, value in list(vars(module).items()):
        if name in TORCHS_OWN or id(type(value)) in HOLDS_NOTHING:
            continue
        if not name.startswith("_") or isinstance(value, (torch.Tensor, nn.Module)):
            yield from _hidden(value, prefix + name, module, depth + 1)


def _hidden(value: Any, name: str, holder: Any, depth: int) -> Iterator[Found]:
    if isinstance(value, torch.Tensor):
        yield name[:LONGEST_NAME], value, "loose", holder
    elif isinstance(value, nn.Module):
        yield from _walk(value, f"{name}.", True, depth)
    elif isinstance(value, (list, tuple, dict)) and depth <= MAX_DEPTH:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _hidden(item, f"{name}.{key}", value, depth + 1)


def _slot(found: Found, first: str, *, is_shared: bool) -> Slot:
    """first: what its tensor is called first. is_shared: whether several parameters are that tensor."""
    name, tensor, kind, holder = found
    owner = type(holder).__name__[:60]
    dtype = str(tensor.dtype).removeprefix("torch.")
    again = first if is_shared or first != name else ""
    return Slot(name, tuple(tensor.shape), "shared" if is_shared else kind, owner, dtype, is_learnt(tensor), again)
