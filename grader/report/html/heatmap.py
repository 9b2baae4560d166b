"""A picture of a report as heat maps: where each cell stands, how dark it is, what it says; large ones as images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.report import Matrix, Picture, Shares, is_large
from grader.report.drawing import titled
from grader.report.html import bitmap
from grader.report.shades import differences, first_wrong, largest_share, number, shade, span, told_apart, top
from grader.words import say

# Beyond so many columns the cells become narrow, and their numbers lose the zero in front.
WIDE = 8
HEIGHT, MARGIN = 22, 18
WIDTHS = {True: 40, False: 27}


@dataclass(frozen=True, slots=True)
class Square:
    """One number. x, y: of its upper left corner. shade: the style's class. text: as the cell shows it."""

    x: int
    y: int
    shade: str
    text: str
    is_first_wrong: bool = False


@dataclass(frozen=True, slots=True)
class Map:
    """One matrix. title: what it is, such as expected or got. said: for whoever does not see it.

    columns, rows: labels with places. image: of a large one the address of its image, which has no cells; else "".
    """

    title: str
    said: str
    width: int
    height: int
    cell_width: int
    is_narrow: bool
    cells: tuple[Square, ...]
    columns: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int, int], ...]
    image: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Maps beside each other on one scale of colours: expected and got, or one alone of what is right.

    slice: which part of a tensor it is, "" for all. numbers: rows of the same as text, none of large ones.
    """

    slice: str
    maps: tuple[Map, ...]
    numbers: tuple[tuple[str, ...], ...]


def pairs(picture: Picture) -> Iterator[Pair]:
    """Every slice of a picture. The expected values set the scale: what lies beyond it is as dark as can be."""
    sides = zip(picture.slices, picture.expected, picture.got, strict=True)
    highest = top(picture.expected)
    for position, (name, expected, got) in enumerate(sides):
        wrong = (picture.row, picture.column) if position == picture.first else None
        what = {"what": " ".join(filter(None, (picture.name, name))), "size": f"{len(expected)} × {len(expected[0])}"}
        marked = f" {first_wrong(picture)}" if wrong else ""
        maps: tuple[Map, ...]
        off = differences(picture, position)
        if position in picture.right:
            said = say("html.right", **what, span=span(got))
            maps = (_drawn(say("html.as-expected"), said, got, highest),)
        else:
            said = say("html.expected", **what, span=span(expected))
            if off is not None:
                matrix, unit = off
                marked = say("html.difference", **what, unit=unit, span=span(matrix)) + marked
                beside = _drawn(say("report.difference", unit=unit), marked, matrix, top([matrix]), wrong)
            else:
                marked = say("html.got", **what, span=span(got)) + marked
                beside = _drawn(say("report.got"), marked, got, highest, wrong)
            maps = (_drawn(say("report.expected"), said, expected, highest), beside)
        rows = zip(expected, got, strict=True)
        numbers = () if picture.is_large else tuple(_row(*row, off is not None) for row in rows)
        yield Pair(name, maps, numbers)


def softmaxes(shares: Shares) -> Iterator[Pair]:
    """What softmax makes of each stage, one by one. A share of 1 is as dark as can be."""
    for title, matrix in titled(shares):
        size = f"{len(matrix)} × {len(matrix[0])}"
        said = say("html.shares-said", what=title, size=size, largest=largest_share(matrix))
        numbers = () if is_large(matrix) else tuple(tuple(map(number, row)) for row in matrix)
        yield Pair(title, (_drawn(title, said, matrix, 1.0),), numbers)


def _drawn(title: str, said: str, matrix: Matrix, highest: float, wrong: tuple[int, int] | None = None) -> Map:
    return (_image if is_large(matrix) else _map)(title, said, matrix, highest, wrong)


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
            Square(MARGIN + width * c, MARGIN + HEIGHT * r, shade(v, highest), number(v, is_wide), (r, c) == wrong)
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


def _row(expected: tuple[float, ...], got: tuple[float, ...], is_near: bool) -> tuple[str, ...]:
    """What was got, and what was expected where it does not read the same.

    is_near: none does as a cell shows it, and there are to be more digits.
    """
    pairs = zip(got, expected, strict=True)
    each = (told_apart(*pair) if is_near else (number(pair[0]), number(pair[1])) for pair in pairs)
    return tuple(mine if mine == right else say("html.but-expected", got=mine, expected=right) for mine, right in each)
