"""The figures in README and docs. Each stands between two marks and is written anew of results.json, as the page is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.goals import rows

ROOT = Path(__file__).resolve().parents[1]
MARKED = re.compile(r"<!-- figure (\S+) -->(.*?)<!-- /figure -->")
Results = Mapping[str, Any]


def documents() -> list[Path]:
    """Every file that may hold a figure."""
    return [*ROOT.glob("*.md"), *sorted((ROOT / "docs").glob("*.md"))]


def filled(text: str, results: Results) -> str:
    """The text with its figures as they are in the results; one not measured stays. Raises KeyError for no figure."""

    def figure(found: re.Match[str]) -> str:
        make = FIGURES[found[1]]
        try:
            return f"<!-- figure {found[1]} -->{make(results)}<!-- /figure -->"
        except LookupError:
            return found[0]

    return MARKED.sub(figure, text)


def write(results: Results) -> None:
    """Write every document's figures anew."""
    for document in documents():
        before = document.read_text("utf-8")
        after = filled(before, results)
        if after != before:
            document.write_text(after, "utf-8")


def _memory_of_a_job(results: Results) -> str:
    """What a second job adds to the peak, to the next ten megabytes."""
    alone, two = (rows(results, "right", jobs) for jobs in (1, 2))
    return f"{round(two[max(two)]['peak_mb'] - alone[max(alone)]['peak_mb'], -1):.0f} MB"


FIGURES: Mapping[str, Callable[[Results], str]] = {
    "cold": lambda results: f"{results['cold']['ratio']:.1f} times",
    "save": lambda results: f"{results['desk']['median_seconds']:.2f} seconds",
    "memory-of-a-job": _memory_of_a_job,
}
