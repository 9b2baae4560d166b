"""Results of student code as data: what kind of thing came back, and the bytes of its tensors."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import torch

from grader.model.observation import Returned
from grader.wire.frames import MAX_DIMENSIONS, TYPES

MAX_ITEMS = 16
# Results lie at the top or in one tuple; what a nested list holds is no business of ours.
MAX_DEPTH = 1
# What crosses; other types are described, and bfloat16 is widened, which loses nothing.
WIRE_TYPES = {getattr(torch, name) for name in TYPES}


class Parcel:
    """Tensors on their way to the parent, up to a number of bytes."""

    def __init__(self, limit: int) -> None:
        self.room = limit
        self.tensors: dict[str, torch.Tensor] = {}

    def add(self, key: str, tensor: torch.Tensor) -> bool:
        """Copy a tensor's values out. False where they do not fit or have no type that crosses."""
        if tensor.dtype == torch.bfloat16:
            tensor = tensor.to(torch.float32)
        if tensor.dtype not in WIRE_TYPES or tensor.numel() * tensor.element_size() > self.room:
            return False
        copy = tensor.detach().to("cpu", copy=True).resolve_conj().resolve_neg().contiguous()
        self.room -= copy.numel() * copy.element_size()
        self.tensors[key] = copy
        return True


def kept(value: Any, room: int) -> Any:
    """A copy of a result's first tensor, or several numbers; whatever else it is, or does not fit into so many bytes,
    as it is."""
    if isinstance(value, (tuple, list)) and 1 < len(value) <= MAX_ITEMS and all(map(_is_number, value)):
        return tuple(map(_number, value))
    while isinstance(value, (tuple, list)) and value:
        value = value[0]
    fits = isinstance(value, torch.Tensor) and value.numel() * value.element_size() <= room
    return value.detach().clone() if fits else value


def together(results: list[Any], room: int) -> Any:
    """Results as one tensor with a new first axis; as they are where they do not fit or are not alike."""
    if all(isinstance(each, tuple) and each and len(each) == len(results[0]) for each in results):
        return torch.tensor(results, dtype=torch.float64)
    kinds = {(each.shape, each.dtype, each.layout) if isinstance(each, torch.Tensor) else None for each in results}
    if len(kinds) > 1 or None in kinds or results[0].layout is not torch.strided:
        return tuple(results)
    fits = len(results) * results[0].numel() * results[0].element_size() <= room
    return torch.stack(results) if fits else tuple(results)


def describe(value: Any, key: str, parcel: Parcel, depth: int = 0) -> Returned:
    """What a value is, its tensors added to the parcel under keys that begin with `key`."""
    name = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")[:80]
    if isinstance(value, torch.Tensor):
        return _tensor(value, key, parcel, name)
    if value is None:
        return Returned("none", type="None")
    if isinstance(value, (tuple, list)):
        told = value[:MAX_ITEMS] if depth < MAX_DEPTH else ()
        items = tuple(describe(v, f"{key}.{i}", parcel, depth + 1) for i, v in enumerate(told))
        of_type = "tuple" if isinstance(value, tuple) else name
        return Returned("sequence", type=of_type, items=items, further=len(value) - len(items))
    if _is_number(value):
        return Returned("number", type=name, number=_number(value))
    return Returned("other", type=name)


def _is_number(value: Any) -> bool:
    """Whether a value is one real number, also as a tensor without axes."""
    if isinstance(value, torch.Tensor):
        return value.ndim == 0 and not value.is_complex()
    return isinstance(value, numbers.Real) or _is_single(value)


def _number(value: Any) -> float:
    return float(value.item() if isinstance(value, torch.Tensor) else value)


def _is_single(value: Any) -> bool:
    """Whether a value is numpy's array of one number and no axes, as `.numpy()` makes of a tensor of that kind."""
    return isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "fiub"


def _tensor(value: torch.Tensor, key: str, parcel: Parcel, name: str) -> Returned:
    if value.is_nested:  # whose layout says nothing of it
        return Returned("other", type="nested tensor")
    if value.layout is not torch.strided or value.is_quantized:
        return Returned("other", type=f"{value.layout} tensor".removeprefix("torch."))
    value = value.as_subclass(torch.Tensor)
    if value.ndim > MAX_DIMENSIONS:  # no frame may hold it
        return Returned("other", type=f"tensor with {value.ndim:,} axes")
    facts: dict[str, Any] = {
        "dtype": str(value.dtype).removeprefix("torch."),
        "shape": tuple(value.shape),
        "device": value.device.type,
        "type": name,
    }
    sent = value.device.type != "meta" and parcel.add(key, value)
    return Returned("tensor", key=key if sent else "", **facts)
