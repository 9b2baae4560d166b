"""Reads in docs/security.md which attacks one layer alone holds."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "security.md"
ROW = re.compile(r"^\| `(\w+)` alone \| (.+) \|$", re.MULTILINE)


def held_by_one() -> dict[str, list[str]]:
    """Each layer to the attacks that the page says it alone holds."""
    named: dict[str, list[str]] = defaultdict(list)
    for layer, attacks in ROW.findall(PAGE.read_text("utf-8")):
        named[layer] += re.findall(r"`([\w-]+)`", attacks.partition(";")[0])  # after it: what depends on the machine
    return dict(named)
