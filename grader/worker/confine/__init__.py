"""The layers that a child puts on before it reads a submission, in this order. Each module is one layer."""

from __future__ import annotations

from grader.worker.confine import landlock, limits, session

LAYERS = (session, landlock, limits)


def confine(device: str) -> list[str]:
    """Apply every layer that this machine has, for a child that computes on `device`. Returns their names."""
    return [name for layer in LAYERS for name in layer.apply(device)]
