"""Counts the tensor operations that reach torch's dispatcher, however the solution spelt them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode


class Counting(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """While active, counts each dispatched operation by its name, such as "bmm" or "_softmax"."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.counts: Counter[str] = Counter()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here, and to say so spares a child the second that torch's compiler takes to import."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.counts[str(func.overloadpacket).removeprefix("aten.")[:60]] += 1
        return func(*args, **(kwargs or {}))
