"""A piece of a source and what to put there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from grader.diagnosis.places.texts import short
from grader.model.syntax import parse_if_python

# What hides a score for good, as minus infinity does; a number for it has a sign, and is filled in or added.
FILL = "1e9"
LOW = re.compile(r"(value=)?-([\d.]+(e[+-]?\d+)?$)?")
# What is filled in and is nearer to 0 may be any score; of whole numbers, those are axes rather.
SMALL_FILL = 5
# In so many places the same piece may be wrong.
FEW = 4
KEPT = "keepdim=True"
FILLED = re.compile(r"fill|where\(|full|[+*] -|\] = -|value=")


class Scope(Enum):
    """Where pieces of a source are all that is wrong."""

    FILE = auto()
    # Something else is wrong in what the definition makes use of.
    DEFINITION = auto()
    # Another step finds something else in the same definition.
    STEP = auto()
    # Both.
    DEFINITION_FOR_STEP = auto()


class Side(Enum):
    """Where a statement was to stand that a loop begins with, or that stands before one."""

    BEFORE = "before"
    INSIDE = "inside"


@dataclass(frozen=True, slots=True)
class Repair:
    """What stands from one place of a source to another, and what to put there.

    begin, end: as ast counts, line and byte within it. code: what stands there, as a sentence quotes it; within: what
    that is a part of, where it says little by itself. is_step: whether it is left as it is, and something done with it.
    side: of a statement that is left as it is and stands elsewhere, on which side of a loop's beginning it was to
    stand. at: the line to tell, where that is not the first.
    """

    begin: tuple[int, int]
    end: tuple[int, int]
    text: str
    code: str
    within: str = ""
    is_step: bool = False
    side: Side | None = None
    at: int = 0

    @property
    def is_fill(self) -> bool:
        """Whether it hides more than what stands there does, which is certainly to hide something."""
        is_filled = FILLED.search(self.within or self.code) is not None
        return self.text == FILL and LOW.match(self.code) is not None and is_filled

    @property
    def is_like_others(self) -> bool:
        """Whether what was filled in is a number that many a score is."""
        low = LOW.match(self.code)
        return low is not None and low[2] is not None and float(low[2]) < SMALL_FILL

    @property
    def is_exponential(self) -> bool:
        """Whether the step that is done with it is to take its exponential."""
        return self.is_step and self.text.endswith(".exp()")

    @property
    def keeps_axis(self) -> bool:
        """Whether it does nothing but keep an axis that a sum, or the like, has taken away."""
        tree = parse_if_python(self.text) if KEPT in self.text else None
        match tree.body if tree is not None else []:
            case [ast.Expr(ast.Call(func, args, [*before, ast.keyword("keepdim", ast.Constant(True))]))]:
                return short(ast.Call(func, args, before)) == self.code
            case _:
                return False

    @property
    def leaves_axis(self) -> bool:
        """Whether it does nothing but take away an axis that a sum, or the like, was told to keep."""
        return KEPT in self.code and self.code.replace(f", {KEPT}", "").replace(KEPT, "") == self.text

    @property
    def line(self) -> int:
        """Where what is wrong stands."""
        return self.at or self.begin[0]

    def overlaps(self, other: Repair) -> bool:
        """Whether both change the same piece, or one a piece of the other's."""
        return self.begin < other.end and other.begin < self.end


# Changes that are made together.
Repairs = tuple[Repair, ...]


def in_all_places(some: Iterable[Repair]) -> list[Repairs]:
    """Changes that put the same in place of the same piece, wherever a few of them stand in a source."""
    found: dict[tuple[str, str, str], list[Repair]] = {}
    for each in some:
        if each.side is None and not each.is_step:
            found.setdefault((each.code, each.within, each.text), []).append(each)
    return [tuple(sorted(places, key=lambda each: each.begin)) for places in found.values() if 1 < len(places) <= FEW]


def repaired(source: str, repairs: Iterable[Repair]) -> str:
    """The source with pieces changed that do not overlap."""
    lines = source.encode().splitlines(keepends=True)
    for each in sorted(repairs, key=lambda repair: repair.begin, reverse=True):
        (first, start), (last, stop) = each.begin, each.end
        text = _indented(each.text, lines[first - 1 : last])
        lines[first - 1 : last] = [lines[first - 1][:start] + text + lines[last - 1][stop:]]
    return b"".join(lines).decode()


def line_before(line: int, repairs: Iterable[Repair]) -> int:
    """The line of the source that a line of the repaired one was: a piece of several may have one instead."""
    for each in sorted(repairs, key=lambda repair: repair.begin):
        (first, _), (last, _), put_in = each.begin, each.end, each.text.count("\n")
        if line > first + put_in:
            line += last - first - put_in
    return line


def put(node: ast.expr | ast.stmt | ast.Slice, text: str, quoted: ast.AST) -> Repair:
    """What puts a text in the place of a piece. quoted: what a sentence is to quote."""
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Repair((node.lineno, node.col_offset), end, text, short(quoted))


def behind(node: ast.expr | ast.stmt, text: str, quoted: ast.AST) -> Repair:
    """What puts a text behind a piece, which is left as it is. quoted: what a sentence is to quote."""
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return Repair(end, end, text, short(quoted))


def safe(node: ast.expr) -> str:
    """An expression that may stand within any other one."""
    text = ast.unparse(node)
    return text if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant) else f"({text})"


def _indented(text: str, lines: Sequence[bytes]) -> bytes:
    """What to put in the place of some lines, indented as these are where it is of as many characters: by tabs too."""
    indents = {len(indent): indent for line in lines if (indent := line[: len(line) - len(line.lstrip(b" \t"))])}
    head, *below = text.encode().split(b"\n")
    spaces = [len(line) - len(line.lstrip(b" ")) for line in below]
    return b"\n".join([head, *(indents.get(n, b" " * n) + line[n:] for n, line in zip(spaces, below, strict=True))])
