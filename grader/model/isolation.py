"""The layers between a submission and the machine, by the names that a report gives them."""

from __future__ import annotations

from collections.abc import Collection

# From the outermost inwards.
LAYERS = ("bubblewrap", "watch", "session", "descriptors", "capabilities", "rlimits", "landlock", "seccomp")
# Without one of these a grade that counts is refused, unless it is allowed. Landlock cannot go with CUDA's devices.
REQUIRED = ("bubblewrap", "session", "rlimits", "landlock", "seccomp")
NOT_FOR_CUDA = ("landlock",)


def lacking(isolation: Collection[str], devices: Collection[str] = ("cpu",)) -> list[str]:
    """The layers that a grade which counts requires on all of these devices and that are not in force."""
    spared = NOT_FOR_CUDA if "cuda" in devices else ()
    return [layer for layer in REQUIRED if layer not in (*isolation, *spared)]
