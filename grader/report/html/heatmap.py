"""A picture of a report as heat maps: where each cell stands, how dark it is, what it says; large ones as images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.report import Matrix, Picture
from grader.report.html import bitmap
from grader.report.shades import first_wrong, number, shade, span, top
from grader.words import say

# Beyond so many columns the cells become narrow, and their numbers lose the zero in front.
WIDE = 8
HEIGHT, MARGIN = 22, 18
WIDTHS = {True: 40, False: 27}


@dataclass(frozen=True, slots=True)
class Cell:
    """One number. x, y: of its upper left corner. shade: the style's class. text: as the cell shows it."""

    x: int
    y: int
    shade: str
    text: str
    is_first_wrong: bool = False


@dataclass(frozen=True, slots=True)
class Map:
    """One matrix. title: whether it is expected or got. said: for whoever does not see it.

    columns, rows: labels with places. image: of a large one the address of its image, which has no cells; else "".
    """

    title: str
    said: str
    width: int
    height: int
    cell_width: int
    is_narrow: bool
    cells: tuple[Cell, ...]
    columns: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int, int], ...]
    image: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A slice, expected beside got, on one scale of colours. numbers: rows of the same as text, none of large ones."""

    slice: str
    maps: tuple[Map, Map]
    numbers: tuple[tuple[str, ...], ...]


def pairs(picture: Picture) -> Iterator[Pair]:
    """Every slice of a picture. The expected values set the scale: what lies beyond it is as dark as can be."""
    sides = zip(picture.slices, picture.expected, picture.got, strict=True)
    highest = top(picture.expected)
    draw = _image if picture.is_large else _map
    for position, (name, expected, got) in enumerate(sides):
        wrong = (picture.row, picture.column) if position == 0 else None
        what = {"what": " ".join(filter(None, (picture.name, name))), "size": f"{len(expected)} × {len(expected[0])}"}
        marked = f" {first_wrong(picture)}" if wrong else ""
        said = say("html.expected", **what, span=span(expected)), say("html.got", **what, span=span(got)) + marked
        yield Pair(
            name,
            (
                draw(say("report.expected"), said[0], expected, highest, None),
                draw(say("report.got"), said[1], got, highest, wrong),
            ),
            () if picture.is_large else tuple(map(_row, expected, got)),
        )


def _map(title: str, said: str, matrix: Matrix, highest: float, wrong: tuple[int, int] | None) -> Map:
    is_wide = len(matrix[0]) <= WIDE
    width = WIDTHS[is_wide]
    return Map(
        title,
        said,
        width=MARGIN + width * len(matrix[0]) + 2,
        height=MARGIN + HEIGHT * len(matrix) + 2,
        cell_width=width,
        is_narrow=not is_wide,
        cells=tuple(
            Cell(MARGIN + width * c, MARGIN + HEIGHT * r, shade(v, highest), number(v, is_wide), (r, c) == wrong)
            for r, row in enumerate(matrix)
            for c, v in enumerate(row)
        ),
        columns=tuple((c, MARGIN + width * c + width // 2) for c in range(len(matrix[0]))),
        rows=tuple((r, MARGIN + HEIGHT * r + HEIGHT // 2) for r in range(len(matrix))),
    )


def _image(title: str, said: str, matrix: Matrix, highest: float, wrong: tuple[int, int] | None) -> Map:
    return Map(
        title,
        said,
        width=bitmap.CELL * len(matrix[0]),
        height=bitmap.CELL * len(matrix),
        cell_width=bitmap.CELL,
        is_narrow=True,
        cells=(),
        columns=(),
        rows=(),
        image=bitmap.address(bitmap.png(matrix, highest, wrong)),
    )


def _row(expected: tuple[float, ...], got: tuple[float, ...]) -> tuple[str, ...]:
    """What was got, and what was expected where it does not read the same."""
    each = zip(map(number, expected), map(number, got), strict=True)
    return tuple(mine if mine == right else say("html.but-expected", got=mine, expected=right) for right, mine in each)
