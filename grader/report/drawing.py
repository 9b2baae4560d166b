"""A picture of a report in a terminal: heat maps of colour blocks or, without colour, of numbers, within 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from grader.model.report import IN_TRAINING, THE_RESULT, Matrix, Picture, Shares, Verdict, is_large
from grader.model.text import clean
from grader.report.lines import BAD, DIM, PLAIN, STRONG, Line, width, wrapped
from grader.report.shades import differences, first_wrong, largest_share, number, shade, top
from grader.words import say

INDENT = 4
BETWEEN = 3
# More columns than this are blocks of colour without numbers, where there are colours.
NUMBERED = 8
# More columns than this have two digits, which do not fit above a block: every other one is left out.
TWO_DIGITS = 10
# Tokens longer than this would leave no room for what is drawn of them.
LABEL = 10
# A space at which no line is broken.
FIRM = "\u00a0"
# Of several matrices so many lines are drawn, which fit into a window of 24: the second shows whether the heads differ,
# and of the rest their names do. The first always is drawn.
MOST_LINES = 20


@dataclass(frozen=True, slots=True)
class Grid:
    """One matrix to be drawn. labels: of rows and columns; indices where there are none. wrong: the cell to mark.

    is_small: among many, where colours are to do without numbers even where there is room for these.
    """

    title: str
    matrix: Matrix
    highest: float
    labels: tuple[str, ...] = ()
    wrong: tuple[int, int] | None = None
    is_small: bool = False


def pictures_of(step: Verdict, *, coloured: bool) -> Iterator[Line]:
    """All that is drawn of a step."""
    if step.picture is not None:
        yield from picture_lines(step.picture, coloured=coloured)
    if step.shares is not None:
        yield from shares_lines(step.shares, coloured=coloured)


def picture_lines(picture: Picture, *, coloured: bool) -> Iterator[Line]:
    """The slices of a picture that are wrong, expected beside got, or above it where both are too broad.

    The first wrong one is drawn, and as many other heads as there is room for; the rest is named, as sequences are, of
    which one shows what is wrong. coloured: in 256 colours. Of a large one there is only said what is wrong first: a
    terminal has no room for it.
    """
    named = {THE_RESULT: say("report.the-result"), IN_TRAINING: say("report.the-result-in-training")}
    name = named.get(picture.name, picture.name)
    what = {n: clean(" ".join(filter(None, (name, part)))) for n, part in enumerate(picture.slices)}
    first, *others = [number for number in what if number not in picture.right] or [0]
    yield from wrapped(say("report.picture-of", what=what[first], case=clean(picture.case)), " " * INDENT, DIM)
    if picture.is_large:
        size = f"{len(picture.got[0])} × {len(picture.got[0][0])}"
        yield from wrapped(say("report.drawn-on-the-page", size=size), " " * INDENT, PLAIN)
        others = []
    drawn = [] if picture.is_large else _pair(picture, first, coloured)
    yield from map(_indent, drawn)
    yield from wrapped(first_wrong(picture), " " * INDENT, PLAIN)
    if picture.is_of_heads:
        blocks = [[[(what[n], DIM)], *_pair(picture, n, coloured, is_small=True)] for n in others]
        bands, left = _bands(blocks, MOST_LINES - len(drawn) - 1)
        yield from map(_indent, bands)
        others = others[len(others) - left :]
    if others:
        said = say("report.wrong-too", slices=_named(picture, others))
        if picture.more:
            said = say("report.wrong-too-and-more", slices=_named(picture, others), more=picture.more)
        yield from _whole_names(said)
    if picture.right:
        yield from _whole_names(say("report.slices-right", slices=_named(picture, picture.right)))


def shares_lines(shares: Shares, *, coloured: bool) -> Iterator[Line]:
    """What softmax makes of several stages, beside each other and on one scale."""
    drawn = titled(shares)
    yield from wrapped(say("report.shares-of", case=clean(shares.case)), " " * INDENT, DIM)
    if is_large(shares.matrices[0]):
        size = f"{len(shares.matrices[0])} × {len(shares.matrices[0][0])}"
        yield from wrapped(say("report.drawn-on-the-page", size=size), " " * INDENT, PLAIN)
    else:
        yield from map(_indent, _beside([Grid(title, each, 1.0) for title, each in drawn], coloured))
    largest = (f"{title}{FIRM}{largest_share(each)}" for title, each in drawn)
    yield from _whole_names(say("report.largest-shares", each=", ".join(largest)))


def titled(shares: Shares) -> list[tuple[str, Matrix]]:
    """Each matrix of shares with what it is called, one's own last."""
    drawn = [(f"softmax({clean(name)})", each) for name, each in zip(shares.names, shares.matrices, strict=True)]
    return [*drawn, (say("report.softmax-of-yours"), shares.own)] if shares.own is not None else drawn


def grid_lines(grid: Grid, *, coloured: bool) -> Iterator[Line]:
    """One matrix, in parts below each other where it is too broad."""
    for block in _parts(grid, coloured, len(grid.matrix[0]) <= NUMBERED):
        yield from map(_indent, block)


def _named(picture: Picture, numbers: Iterable[int]) -> str:
    return ", ".join(clean(picture.slices[number]).replace(" ", FIRM) for number in numbers)


def _whole_names(said: str) -> Iterator[Line]:
    """A sentence in as many lines as it needs, none of which ends within a name."""
    for line in wrapped(said, " " * INDENT, PLAIN):
        yield [(piece.replace(FIRM, " "), style) for piece, style in line]


def _pair(picture: Picture, number: int, coloured: bool, *, is_small: bool = False) -> list[Line]:
    """One slice, expected and got, or by how much that is off where it would read the same."""
    highest = top(picture.expected)
    wrong = (picture.row, picture.column) if number == picture.first else None
    left = Grid(say("report.expected"), picture.expected[number], highest, is_small=is_small)
    right = Grid(say("report.got"), picture.got[number], highest, wrong=wrong, is_small=is_small)
    if off := differences(picture, number):
        right = replace(right, title=say("report.difference", unit=off[1]), matrix=off[0], highest=top(off[:1]))
    return _beside((left, right), coloured)


def _beside(grids: Sequence[Grid], coloured: bool) -> list[Line]:
    """The matrices side by side, with shorter numbers if need be; else one above the other."""
    for is_wide in (False,) if any(grid.is_small for grid in grids) else (True, False):
        parts = [[*_parts(grid, coloured, is_wide)] for grid in grids]
        if all(len(each) == 1 for each in parts):
            blocks = [each[0] for each in parts]
            if _breadth(blocks) <= width() - INDENT:
                return _joined(blocks)
    broad = ([*_parts(grid, coloured, len(grid.matrix[0]) <= NUMBERED)] for grid in grids)
    return [line for parts in broad for block in parts for line in block]


def _bands(blocks: Sequence[list[Line]], room: int) -> tuple[list[Line], int]:
    """As many blocks as there is room for, so many side by side as fit, and how many are left. room: lines."""
    drawn: list[Line] = []
    left = list(blocks)
    while left:
        count = 1
        while count < len(left) and _breadth(left[: count + 1]) <= width() - INDENT:
            count += 1
        band = _joined(left[:count])
        if len(drawn) + len(band) > room:
            break
        drawn, left = drawn + band, left[count:]
    return drawn, len(left)


def _joined(blocks: Sequence[list[Line]]) -> list[Line]:
    """Blocks side by side."""
    *before, last = blocks
    lines: list[Line] = [[] for _ in range(max(map(len, blocks)))]
    for block in before:
        width = _width(block) + BETWEEN
        for row, line in enumerate(lines):
            piece = block[row] if row < len(block) else []
            line += [*piece, (" " * (width - _length(piece)), PLAIN)]
    for line, piece in zip(lines, last, strict=False):
        line += piece
    return lines


def _parts(grid: Grid, coloured: bool, is_wide: bool) -> Iterator[list[Line]]:
    """The matrix in as many parts as its columns need. is_wide: numbers have their zero in front."""
    columns = len(grid.matrix[0])
    labels = [clean(label, LABEL) for label in grid.labels] or [str(n) for n in range(max(columns, len(grid.matrix)))]
    texts = [[number(value, is_wide) for value in row] for row in grid.matrix]
    is_blocks = coloured and (columns > NUMBERED or grid.is_small) and not grid.labels
    longest = max(len(text) for text in (*labels[:columns], *(text for row in texts for text in row)))
    part = _Part(grid, labels, texts, 2 if is_blocks else longest + 1, coloured, is_blocks)
    most = max(1, (width() - INDENT - part.margin - 1) // part.cell)
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


def _breadth(blocks: Sequence[Sequence[Line]]) -> int:
    """How broad blocks are side by side."""
    return sum(map(_width, blocks)) + BETWEEN * (len(blocks) - 1)


def _indent(line: Line) -> Line:
    return [(" " * INDENT, PLAIN), *line]
