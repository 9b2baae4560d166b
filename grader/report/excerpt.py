"""A line of the student's as a report shows it: with those around it, dedented, and where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.text import source_lines


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A few lines of a source. place: the file and the line, or a notebook's cell and the line there.

    lines: each with its number. number: of the line that is meant. margin: how many characters of indentation all have
    lost.
    """

    place: str
    lines: tuple[tuple[int, str], ...]
    number: int
    margin: int


def excerpt(sources: Mapping[str, bytes], file: str, number: int, *, before: int = 1, after: int = 0) -> Excerpt | None:
    """The line of that number, from 1, and those around it up to an empty one; None where there is none.

    sources: by the name of the module or cell. before, after: how many lines around it at most.
    """
    lines = source_lines(sources.get(file.removesuffix(".py"), b"").decode("utf-8", "replace"))
    if not 0 < number <= len(lines) or not lines[number - 1].strip():
        return None
    first = last = number
    while number - first < before and first > 1 and lines[first - 2].strip():
        first -= 1
    while last - number < after and last < len(lines) and lines[last].strip():
        last += 1
    shown = [(n, lines[n - 1]) for n in range(first, last + 1)]
    margin = min(len(line) - len(line.lstrip()) for _, line in shown)
    place = f"{file}:{number}" if file.endswith(".py") else f"{file}, line {number}"  # a notebook's cell
    return Excerpt(place, tuple((n, line[margin:]) for n, line in shown), number, margin)
