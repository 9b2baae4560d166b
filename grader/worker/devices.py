"""Devices: what one needs before code computes on it, and whether it can be used at all."""

from __future__ import annotations

import torch


class Unusable(Exception):
    """A device that is there, and on which nothing can be computed: taken by others, too old, or without its driver."""


def start(device: str) -> None:
    """Have a device ready, so that no solution pays for its start, or is blamed for it. Raises Unusable."""
    if device != "cuda":
        return
    _be_exact()
    try:
        some = torch.ones(2, 2, device=device)
        (some @ some).sum().item()
    except (RuntimeError, AssertionError) as error:  # the latter of a torch that was built without it
        raise Unusable(next(iter(str(error).splitlines()), type(error).__name__)) from None


def seed(number: int, device: str) -> None:
    """Seed what torch draws there, and on the CPU."""
    torch.default_generator.manual_seed(number)
    if device == "cuda":
        torch.cuda.manual_seed_all(number)


def _be_exact() -> None:
    """Float32 products in float32, not TF32, and the same result every time."""
    matmul = torch.backends.cuda.matmul
    if hasattr(matmul, "fp32_precision"):
        matmul.fp32_precision = "ieee"
    else:
        matmul.allow_tf32 = False
    torch.set_deterministic_debug_mode("warn")  # the other way to say so imports a compiler, which takes seconds
