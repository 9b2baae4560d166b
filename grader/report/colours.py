"""The colours of a heat map in a terminal: which there are, and whether a terminal has enough of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from grader.report.shades import HIDDEN, LEVELS, NAN

if TYPE_CHECKING:
    from rich.console import Console

# Below so many colours all shades would be one.
ENOUGH = ("256", "truecolor")
# Red, green and blue of nothing, of the largest number, and of the largest below zero: dark to light, so that a zero is
# as dark as most terminals are.
ZERO, HIGH, LOW = (32, 36, 48), (255, 208, 96), (240, 96, 144)
# From this shade on a number is dark on light.
LIGHT = 5


def has_shades(console: Console) -> bool:
    """Whether shades can be told apart there. NO_COLOR and a dumb terminal say no."""
    return not console.no_color and console.color_system in ENOUGH


def _shades() -> Mapping[str, str]:
    found = {NAN: "black on red", HIDDEN: "bright_black on black"}
    for sign, end in (("p", HIGH), ("n", LOW)):
        for level in range(LEVELS + 1):
            mixed = [round(z + (e - z) * level / LEVELS) for z, e in zip(ZERO, end, strict=True)]
            found[f"{sign}{level}"] = f"{'black' if level >= LIGHT else 'white'} on rgb({','.join(map(str, mixed))})"
    return found


# rich's style of each shade.
SHADES = _shades()
