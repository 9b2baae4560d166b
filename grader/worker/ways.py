"""How modules compute, put back after a function was given them: a copy of weights changes what they hold alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
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
    kinds = {kind: _functions(kind) for part in parts for kind in type(part).__mro__ if issubclass(kind, nn.Module)}
    held = [(part, type(part), _functions(part), _hooks(part)) for part in parts]
    everywhere = [dict(hooks) for hooks in EVERYWHERE]
    try:
        yield
    finally:
        for kind, functions in kinds.items():
            for name in _functions(kind).keys() - functions.keys():
                type.__delattr__(kind, name)
            for name, function in functions.items():
                if vars(kind).get(name, _NONE) is not function:
                    type.__setattr__(kind, name, function)
        for part, kind, functions, before in held:
            if type(part) is not kind:
                object.__setattr__(part, "__class__", kind)
            for name in _functions(part).keys() - functions.keys():
                del vars(part)[name]
            vars(part).update(functions)
            if _hooks(part) != before:
                vars(part).update(before)
        for hooks, before_all in zip(EVERYWHERE, everywhere, strict=True):
            if dict(hooks) != before_all:
                hooks.clear()
                hooks.update(before_all)


def _functions(owner: Any) -> dict[str, Any]:
    """What can be called of an object's own attributes, or a class's; of torch's classes what a call goes through."""
    is_torchs = isinstance(owner, type) and owner.__module__.startswith("torch.")
    names = CALLED & vars(owner).keys() if is_torchs else vars(owner).keys()
    return {name: vars(owner)[name] for name in names if _is_function(vars(owner)[name]) or name in CALLED}


def _is_function(value: Any) -> bool:
    is_held = isinstance(value, (torch.Tensor, nn.Module, type))
    return not is_held and (callable(value) or isinstance(value, (property, classmethod, staticmethod)))


def _hooks(module: nn.Module) -> dict[str, Any]:
    return {name: vars(module).get(name, {}).copy() for name in HOOKS}
