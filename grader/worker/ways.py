"""How modules compute, put back after a function was given them: a copy of weights changes what they hold alone."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from torch import nn

# What torch runs around a module's own `forward`, and what it could be run in place of.
HOOKS = ("_forward_hooks", "_forward_pre_hooks")
COMPUTING = ("forward", "__call__", "_call_impl")
_NONE = object()


@contextlib.contextmanager
def unchanged(objects: Iterable[Any]) -> Iterator[None]:
    """Put back what each module of these, its parts and their classes compute with, whatever is done meanwhile."""
    modules = [part for each in objects if isinstance(each, nn.Module) for part in nn.Module.modules(each)]
    kinds = {type(part): _own(vars(type(part))) for part in modules}
    held = [
        (part, type(part), _own(vars(part)), {name: dict(vars(part).get(name, {})) for name in HOOKS})
        for part in modules
    ]
    try:
        yield
    finally:
        for kind, own in kinds.items():
            for name, value in own.items():
                if vars(kind).get(name, _NONE) is not value:
                    type.__delattr__(kind, name) if value is _NONE else type.__setattr__(kind, name, value)
        for part, kind, own, hooks in held:
            if type(part) is not kind:
                object.__setattr__(part, "__class__", kind)
            for name, value in own.items():
                vars(part).pop(name, None) if value is _NONE else vars(part).update({name: value})
            if _hooks(part) != hooks:
                vars(part).update({name: OrderedDict(before) for name, before in hooks.items()})


def _own(attributes: Any) -> dict[str, Any]:
    """What is set of its own to compute with, and what is not."""
    return {name: attributes.get(name, _NONE) for name in COMPUTING}


def _hooks(module: nn.Module) -> dict[str, dict[Any, Any]]:
    return {name: dict(vars(module).get(name, {})) for name in HOOKS}
