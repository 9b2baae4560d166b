"""The layers that a child puts on before it runs a submission. Each module is one: its NAME, `missing()` and `apply()`.

Linux alone has them. The order matters: the last, seccomp, forbids calls that the others need, and
Landlock hides what the limits are reckoned from.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Setting:
    """What a layer may need to know of its child: where it computes, and the descriptor that it answers on."""

    device: str
    channel: int


class Layer(Protocol):
    """One layer of confinement."""

    NAME: str

    def missing(self) -> str:
        """Why this machine lacks the layer and how to get it; nothing where it has it."""
        ...

    def apply(self, setting: Setting) -> bool:
        """Restrict this process for good. False where the layer does not fit the setting. Raises OSError."""
        ...


@cache
def layers() -> tuple[Layer, ...]:
    """Every layer of this system, in the order in which they are put on."""
    if sys.platform != "linux":
        return ()
    from grader.worker.confine import capabilities, descriptors, landlock, limits, seccomp, session

    return (session, descriptors, capabilities, limits, landlock, seccomp)


@cache
def missing() -> dict[str, str]:
    """The layers that this machine lacks, and why. Looked up once, in the zygote."""
    return {layer.NAME: why for layer in layers() if (why := layer.missing())}


def confine(
    setting: Setting, without: frozenset[str] = frozenset(), prepare: Callable[[], None] = lambda: None
) -> list[str]:
    """Put on every layer that this machine has but those left out. Returns the names of those in force.

    prepare: what is done before the last layer is put on, which refuses calls that it needs. Raises what that raises.
    """
    absent = missing().keys() | without
    own = [layer for layer in layers() if layer.NAME not in absent]
    outer = [layer.NAME for layer in own[:-1] if layer.apply(setting)]
    prepare()
    return outer + [layer.NAME for layer in own[-1:] if layer.apply(setting)]
