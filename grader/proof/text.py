"""Names in sentences."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`; `nothing` where there are none."""
    each = list(names)
    return " and ".join([", ".join(each[:-1]), each[-1]] if len(each) > 1 else each) or "nothing"
