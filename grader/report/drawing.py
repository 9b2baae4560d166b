"""A picture of a report in a terminal: heat maps of colour blocks or, without colour, of numbers, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model.report import Matrix, Picture
from grader.model.text import clean
from grader.report.lines import BAD, DIM, PLAIN, STRONG, WIDTH, Line
from grader.report.shades import first_wrong, number, shade, top
from grader.words import say

INDENT = 4
BETWEEN = 3
# More columns than this are blocks of colour without numbers, where there are colours.
NUMBERED = 8
# More columns than this have two digits, which do not fit above a block: every other one is left out.
TWO_DIGITS = 10
# Tokens longer than this would leave no room for what is drawn of them.
LABEL = 10


@dataclass(frozen=True, slots=True)
class Grid:
    """One matrix to be drawn. labels: of rows and columns; indices where there are none. wrong: the cell to mark."""

    title: str
    matrix: Matrix
    highest: float
    labels: tuple[str, ...] = ()
    wrong: tuple[int, int] | None = None


def picture_lines(picture: Picture, *, coloured: bool) -> Iterator[Line]:
    """Every slice of a picture, expected beside got, or above it where both are too broad. coloured: in 256 colours.

    Of a large one there is only said what is wrong first: a terminal has no room for it.
    """
    highest = top(picture.expected)
    sides = zip(picture.slices, picture.expected, picture.got, strict=True)
    for position, (part, expected, got) in enumerate(sides):
        name = say("report.the-result") if picture.name == "result" else picture.name
        what = " ".join(filter(None, (name, part)))
        title = say("report.picture-of", what=what, case=picture.case) if position == 0 else what
        yield [(" " * INDENT, PLAIN), (clean(title), DIM)]
        if picture.is_large:
            size = f"{len(got)} × {len(got[0])}"
            yield [(" " * INDENT, PLAIN), (say("report.drawn-on-the-page", size=size), PLAIN)]
            continue
        wrong = (picture.row, picture.column) if position == 0 else None
        left, right = say("report.expected"), say("report.got")
        yield from _beside(Grid(left, expected, highest), Grid(right, got, highest, wrong=wrong), coloured)
    yield [(" " * INDENT, PLAIN), (first_wrong(picture), PLAIN)]


def grid_lines(grid: Grid, *, coloured: bool) -> Iterator[Line]:
    """One matrix, in parts below each other where it is too broad."""
    for block in _parts(grid, coloured, len(grid.matrix[0]) <= NUMBERED):
        for line in block:
            yield [(" " * INDENT, PLAIN), *line]


def _beside(left: Grid, right: Grid, coloured: bool) -> Iterator[Line]:
    """The two side by side, with shorter numbers if need be; else one above the other."""
    for is_wide in (True, False):
        one, *more = _parts(left, coloured, is_wide)
        other, *others = _parts(right, coloured, is_wide)
        if not more and not others and _width(one) + _width(other) <= WIDTH - INDENT - BETWEEN:
            for mine, theirs in zip(one, other, strict=True):
                gap = " " * (_width(one) - _length(mine) + BETWEEN)
                yield [(" " * INDENT, PLAIN), *mine, (gap, PLAIN), *theirs]
            return
    yield from grid_lines(left, coloured=coloured)
    yield from grid_lines(right, coloured=coloured)


def _parts(grid: Grid, coloured: bool, is_wide: bool) -> Iterator[list[Line]]:
    """The matrix in as many parts as its columns need. is_wide: numbers have their zero in front."""
    columns = len(grid.matrix[0])
    labels = [clean(label, LABEL) for label in grid.labels] or [str(n) for n in range(max(columns, len(grid.matrix)))]
    texts = [[number(value, is_wide) for value in row] for row in grid.matrix]
    is_blocks = coloured and columns > NUMBERED and not grid.labels
    longest = max(len(text) for text in (*labels[:columns], *(text for row in texts for text in row)))
    part = _Part(grid, labels, texts, 2 if is_blocks else longest + 1, coloured, is_blocks)
    most = max(1, (WIDTH - INDENT - part.margin - 1) // part.cell)
    for first in range(0, columns, most):
        yield [*part.lines(range(first, min(first + most, columns)))]


@dataclass(frozen=True, slots=True)
class _Part:
    """How some columns of a matrix are drawn. texts: the numbers. cell: how many characters each takes."""

    grid: Grid
    labels: Sequence[str]
    texts: Sequence[Sequence[str]]
    cell: int
    coloured: bool
    is_blocks: bool

    @property
    def margin(self) -> int:
        return max(len(label) for label in self.labels[: len(self.grid.matrix)])

    def lines(self, shown: range) -> Iterator[Line]:
        columns = len(self.grid.matrix[0])
        title = self.grid.title
        if len(shown) != columns:
            title = say("report.columns", title=title, first=shown[0], last=shown[-1])
        if title:
            yield [(" " * (self.margin + 1), PLAIN), (title, STRONG)]
        step = 2 if self.is_blocks and columns > TWO_DIGITS else 1
        heads = [self.labels[n] if n % step == 0 else "" for n in shown]
        yield [(" " * self.margin, PLAIN), ("".join(head.rjust(self.cell) for head in heads) + " ", DIM)]
        for row in range(len(self.grid.matrix)):
            yield [(self.labels[row].rjust(self.margin), DIM), *self._cells(row, shown)]

    def _cells(self, row: int, shown: range) -> Line:
        """A row. Brackets mark the wrong cell, because colour alone tells nothing to some."""
        line: Line = [(" ", PLAIN)] if self.is_blocks else []
        marked = self.grid.wrong[1] if self.grid.wrong is not None and self.grid.wrong[0] == row else -1
        for column in shown:
            style = shade(self.grid.matrix[row][column], self.grid.highest) if self.coloured else PLAIN
            if self.is_blocks:
                line.append(("[]" if column == marked else "  ", style))
                continue
            edge = {marked: "[", marked + 1: "]"}.get(column, " ") if marked >= 0 else " "
            line += [(edge, PLAIN if edge == " " else BAD), (self.texts[row][column].rjust(self.cell - 1), style)]
        return [*line, ("]", BAD) if marked == shown[-1] and not self.is_blocks else (" ", PLAIN)]


def _length(line: Line) -> int:
    return sum(len(piece) for piece, _ in line)


def _width(block: Sequence[Line]) -> int:
    return max(_length(line) for line in block)
