"""Finds out whether a module computes with tensors that would stay behind when it is moved to another device.

A plain tensor attribute does not move with its module. Where it meets a tensor that does, a GPU would refuse; this
watches for such a meeting without needing one. Whatever is sent to a device explicitly, `mask.to(x.device)`, is at home
there; whatever is computed from strays alone is astray too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

SENT = frozenset({"to", "cuda", "cpu", "type_as", "new_tensor"})


class Watching(TorchFunctionMode):
    """While active, notes the names of strays that meet other tensors. strays: name to tensor."""

    def __init__(self, strays: Mapping[str, torch.Tensor]) -> None:
        super().__init__()
        self.met: set[str] = set()
        self._astray = {_address(tensor): name for name, tensor in strays.items() if tensor.ndim > 0}
        self._astray.pop(0, None)
        self._kept: list[torch.Tensor] = []  # so that no address is used again for something else

    def __torch_function__(self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if not self._astray:
            return result
        tensors = [tensor for tensor in _tensors((args, kwargs)) if tensor.ndim > 0]
        names = [name for tensor in tensors if (name := self._astray.get(_address(tensor)))]
        if not names:
            return result
        if getattr(func, "__name__", "") in SENT:
            return result.clone() if isinstance(result, torch.Tensor) else result
        if len(names) < len(tensors):
            self.met.update(names)
        else:
            for tensor in _tensors(result):
                self._kept.append(tensor)
                self._astray[_address(tensor)] = names[0]
        return result


def _address(tensor: torch.Tensor) -> int:
    """Where a tensor's numbers lie; 0 for one that has no storage, such as a sparse one."""
    try:
        return tensor.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):
        return 0


def _tensors(value: Any, depth: int = 0) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list, dict)) and depth < 4:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _tensors(item, depth + 1)
