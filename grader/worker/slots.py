"""What a module holds: registered parameters and buffers, and the tensors and modules that nobody registered."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

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


class Found(NamedTuple):
    """A slot. holder: what holds its tensor. is_computed: whether it is a weight that is computed from that."""

    name: str
    tensor: torch.Tensor
    kind: str
    holder: Any
    is_computed: bool = False


def inspect(module: nn.Module) -> list[Slot]:
    """Every slot of a module, in the order of registration, loose ones where they are found.

    A parameter that is registered under several names is shared, under each of them.
    """
    found = _found(module)
    names: dict[int, list[str]] = {}
    firsts: dict[int, str] = {}
    for each in found:
        firsts.setdefault(id(each.tensor), each.name)
        if each.kind == "parameter":
            names.setdefault(id(each.tensor), []).append(each.name)
    return [
        _slot(each, firsts[id(each.tensor)], is_shared=each.kind == "parameter" and len(names[id(each.tensor)]) > 1)
        for each in found
    ]


def held(module: nn.Module, *, buffers: bool = True) -> dict[str, Found]:
    """The slots of a module by name. buffers: those too."""
    return {each.name: each for each in _found(module) if buffers or each.kind != "buffer"}


def tensors(module: nn.Module, *, buffers: bool = True) -> dict[str, torch.Tensor]:
    """Slot names to the tensors themselves. buffers: those too."""
    return {name: each.tensor for name, each in held(module, buffers=buffers).items()}


def values(module: nn.Module) -> dict[str, torch.Tensor]:
    """The tensors of all slots but buffers, by name, and of a parametrized one the weight that is used."""
    found = held(module, buffers=False)
    return {
        name: parametrized.value(each.holder, each.tensor) if each.is_computed else each.tensor
        for name, each in found.items()
    }


def write(found: Mapping[str, Found], given: Mapping[str, torch.Tensor]) -> None:
    """Give slots their values, by name, and at last those that are computed what makes them that."""
    for name in sorted(given, key=lambda name: found[name].is_computed):
        tensor, holder, value = found[name].tensor, found[name].holder, given[name]
        if not found[name].is_computed or not parametrized.write(holder, tensor, value):
            tensor.copy_(value)


def is_learnt(tensor: torch.Tensor) -> bool:
    """Whether an optimizer takes it."""
    return tensor.requires_grad and tensor.is_leaf


def loose(module: nn.Module) -> dict[str, torch.Tensor]:
    """The tensors that torch does not know the module holds."""
    return {each.name: each.tensor for each in _found(module) if each.kind == "loose"}


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


def _walk(
    module: nn.Module, prefix: str = "", loose: bool = False, depth: int = 0, factors: frozenset[int] = frozenset()
) -> Iterator[Found]:
    """What a module and all that it holds has, loose where a list or a plain attribute hides it from torch.

    factors: parameters, by identity, that a weight which has a name is computed with, so that they have none.
    """
    if depth > MAX_DEPTH:
        return
    called = parametrized.names(module, prefix)
    if called:
        factors |= parametrized.factors(module)
    for kind, registered in (("parameter", module._parameters), ("buffer", module._buffers)):
        for name, tensor in registered.items():
            if id(tensor) in factors and name not in called:
                continue
            if tensor is not None and (of_its_own := called.get(name, prefix + name)):
                yield Found(of_its_own[:LONGEST_NAME], tensor, "loose" if loose else kind, module, name in called)
    for name, child in module._modules.items():
        if child is not None:
            yield from _walk(child, f"{prefix}{name}.", loose, depth + 1, factors)
    for name, value in list(vars(module).items()):
        if name in TORCHS_OWN or name in called or id(type(value)) in HOLDS_NOTHING:
            continue
        if not name.startswith("_") or isinstance(value, (torch.Tensor, nn.Module)):
            yield from _hidden(value, prefix + name, module, depth + 1)


def _hidden(value: Any, name: str, holder: Any, depth: int) -> Iterator[Found]:
    if isinstance(value, torch.Tensor):
        yield Found(name[:LONGEST_NAME], value, "loose", holder)
    elif isinstance(value, nn.Module):
        yield from _walk(value, f"{name}.", True, depth)
    elif isinstance(value, (list, tuple, dict)) and depth <= MAX_DEPTH:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _hidden(item, f"{name}.{key}", value, depth + 1)


def _slot(found: Found, first: str, *, is_shared: bool) -> Slot:
    """first: what its tensor is called first. is_shared: whether several parameters are that tensor."""
    name, tensor, kind, holder, _ = found
    owner = type(holder).__name__[:60]
    dtype = str(tensor.dtype).removeprefix("torch.")
    again = first if is_shared or first != name else ""
    return Slot(name, tuple(tensor.shape), "shared" if is_shared else kind, owner, dtype, is_learnt(tensor), again)
