"""Counts the tensor operations that reach torch's dispatcher, however the solution spelt them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

MIXED = "mixed devices"


class Counting(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """While active, counts each dispatched operation by its name, such as "bmm" or "_softmax".

    `MIXED` counts those whose tensors lie on two devices: some of them go unnoticed on the meta device alone.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func.overloadpacket).removeprefix("aten.")[:60]
        self.counts[name] += 1
        tensors = [a for a in args if isinstance(a, torch.Tensor) and a.ndim > 0]
        if len({tensor.device for tensor in tensors}) > 1 and name not in ("copy_", "_to_copy"):
            self.counts[MIXED] += 1
        return func(*args, **(kwargs or {}))
