"""How modules compute, put back after a function was given them: a copy of weights changes what they hold alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from operator import is_
from typing import Any

import torch
from torch import nn

# Torch's own: what it runs around a module's `forward`, and by what it is called.
HOOKS = ("_forward_hooks", "_forward_pre_hooks")
CALLED = frozenset({"forward", "__call__", "_call_impl", "_wrapped_call_impl", "_compiled_call_impl", "__getattr__"})
EVERYWHERE = (nn.modules.module._global_forward_hooks, nn.modules.module._global_forward_pre_hooks)
_NONE = object()


@contextlib.contextmanager
def unchanged(objects: Iterable[Any]) -> Iterator[None]:
    """Put back what the modules of these, their parts and classes compute with, whatever is done meanwhile.

    That is every function among their attributes, and torch's hooks; tensors, parts and settings stay as they become.
    """
    parts = [part for each in objects if isinstance(each, nn.Module) for part in nn.Module.modules(each)]
    kinds = {kind: dict(vars(kind)) for part in parts for kind in type(part).__mro__ if issubclass(kind, nn.Module)}
    held = [(part, type(part), dict(vars(part)), _hooks(part)) for part in parts]
    everywhere = [dict(hooks) for hooks in EVERYWHERE]
    try:
        yield
    finally:
        for kind, before in kinds.items():
            for name, was in _replaced(before, vars(kind)).items():
                type.__delattr__(kind, name) if was is _NONE else type.__setattr__(kind, name, was)
        for part, kind, before, hooks_before in held:
            if type(part) is not kind:
                object.__setattr__(part, "__class__", kind)
            for name, was in _replaced(before, vars(part)).items():
                vars(part).pop(name, None)
                vars(part).update({} if was is _NONE else {name: was})
            if _hooks(part) != hooks_before:
                vars(part).update(hooks_before)
        for hooks, before_all in zip(EVERYWHERE, everywhere, strict=True):
            if dict(hooks) != before_all:
                hooks.clear()
                hooks.update(before_all)


def _replaced(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What was there in the place of functions that came, and functions that went; _NONE where there was nothing."""
    if before.keys() == now.keys() and all(map(is_, before.values(), now.values())):  # which it nearly always is
        return {}
    found = {}
    for name in {*before, *now}:
        was, becomes = before.get(name, _NONE), now.get(name, _NONE)
        if was is not becomes and (name in CALLED or _is_function(was) or _is_function(becomes)):
            found[name] = was
    return found


def _is_function(value: Any) -> bool:
    is_held = isinstance(value, (torch.Tensor, nn.Module, type))
    return not is_held and (callable(value) or isinstance(value, (property, classmethod, staticmethod)))


def _hooks(module: nn.Module) -> dict[str, Any]:
    return {name: vars(module).get(name, {}).copy() for name in HOOKS}
