"""What torch remembers of how a tensor was computed: the way that a gradient takes back from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch


def steps_back(tensor: torch.Tensor) -> Iterator[Any]:
    """Each step that a gradient takes from a tensor, once: nearer ones first, at last those that give it to a leaf."""
    waiting = [tensor.grad_fn] if tensor.grad_fn is not None else []
    seen = {*waiting}
    for node in waiting:
        yield node
        found = {each for each, _ in getattr(node, "next_functions", ()) if each is not None} - seen
        seen |= found
        waiting += found


def leaves(tensor: torch.Tensor) -> set[int]:
    """What a gradient is sent to from a tensor, by identity."""
    return {id(node.variable) for node in steps_back(tensor) if hasattr(node, "variable")}


def is_checkpointed(tensor: torch.Tensor) -> bool:
    """Whether a part is computed again on the way back, by the older of torch's ways, which knows `backward` alone."""
    return any(type(node).__name__ == "CheckpointFunctionBackward" for node in steps_back(tensor))
