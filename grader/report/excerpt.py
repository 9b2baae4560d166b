"""A line of the student's as a report shows it: with those around it, dedented, and where it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grader.diagnosis.source.tree import parsed
from grader.model.submission import cell_of
from grader.model.syntax import walk
from grader.model.text import clean_line, printable_line, source_lines
from grader.words import say

# A line that is pointed at is shown in several rows where it is long, as what is wrong may stand at its end.
MOST_ROWS, CONTINUED = 3, "    "
TAB, SHOWN_TAB = "\t", "→   "


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


def cell(file: str) -> str:
    """What a file is called in a sentence: of a notebook, its cell."""
    name, number = cell_of(file)
    return say("report.cell", file=name, number=number) if number else file


def excerpt(sources: Mapping[str, bytes], file: str, number: int, *, before: int = 1, after: int = 0) -> Excerpt | None:
    """The line of that number, from 1, and those around it up to an empty one; None where there is none.

    A docstring says nothing of what is wrong: before it, the line that it belongs to stands instead.

    sources: by the name of the module or cell. before, after: how many lines around it at most.
    """
    lines = source_lines(sources.get(file.removesuffix(".py"), b"").decode("utf-8", "replace"))
    if not 0 < number <= len(lines) or not lines[number - 1].strip():
        return None
    last, above = number, _above(lines, number, before)
    while last - number < after and last < len(lines) and lines[last].strip():
        last += 1
    shown = [(n, lines[n - 1]) for n in (*above, *range(number, last + 1))]
    indents = [line[: len(line) - len(line.lstrip())] for _, line in shown]
    least, most = min(indents), max(indents)  # what these two begin with, all between them do
    margin = next((at for at, (one, other) in enumerate(zip(least, most, strict=False)) if one != other), len(least))
    if len({line[:1] for _, line in shown if line[:1] in (" ", TAB)}) > 1:  # told apart, as Python does
        shown = [(n, line.replace(TAB, SHOWN_TAB)) for n, line in shown]
    return Excerpt(place_of(file, number), tuple((n, line[margin:]) for n, line in shown), number, margin)


def folded(line: str, room: int, most: int) -> Iterator[str]:
    """A line of source in as many rows as it takes, at most so many, the last one cut where there is more.

    None but the first, which has a number in front, may begin with what a CI runner obeys.
    """
    rest = clean_line(line, most * room + 1)
    for _ in range(most - 1):
        if len(rest) <= room:
            break
        at = rest.rfind(" ", room // 2, room + 1)
        at = at if at > 0 else room
        yield rest[:at]
        rest = CONTINUED + printable_line(rest[at:].lstrip())
    yield rest if len(rest) <= room else f"{rest[: room - 1]}…"


def place_of(file: str, number: int) -> str:
    """A file and a line of it, or a notebook's cell and the line there."""
    return f"{file}:{number}" if file.endswith(".py") else say("report.cell-line", cell=cell(file), line=number)


def _above(lines: Sequence[str], number: int, most: int) -> list[int]:
    """The numbers of the lines that stand before one, up to an empty one, without those of docstrings."""
    told = _docstrings("\n".join(lines)) if most else {}
    found: list[int] = []
    at = number - 1
    while at > 0 and len(found) < most:
        if at in told and number not in told:  # whoever means a line of a docstring sees what stands around it there
            at = told[at] - 1
            continue
        if not lines[at - 1].strip():
            break
        found.insert(0, at)
        at -= 1
    return found


@lru_cache(maxsize=4)
def _docstrings(text: str) -> dict[int, int]:
    """The lines of a module's docstrings, each with the first line of its own."""
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body[0] for node in walk(parsed(text)) if isinstance(node, owners) and node.body]
    told = [
        node for node in bodies
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]  # fmt: skip
    return {line: node.lineno for node in told for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
