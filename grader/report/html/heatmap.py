"""A picture of a report as heat maps: where each cell stands, how dark it is, and what it says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.report import Matrix, Picture

# Beyond so many columns the cells become narrow, and their numbers lose the zero in front.
WIDE = 8
HEIGHT, MARGIN = 22, 18
WIDTHS = {True: 40, False: 27}
# How many shades there are on each side of zero; the style has a class for each.
SHADES = 10


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
    """One matrix. title: "expected" or "got". said: for whoever does not see it. columns, rows: labels with places."""

    title: str
    said: str
    width: int
    height: int
    cell_width: int
    is_narrow: bool
    cells: tuple[Cell, ...]
    columns: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A slice, expected beside got, on one scale of colours. numbers: rows of the same as text."""

    slice: str
    maps: tuple[Map, Map]
    numbers: tuple[tuple[str, ...], ...]


def pairs(picture: Picture) -> Iterator[Pair]:
    """Every slice of a picture. The expected values set the scale: what lies beyond it is as dark as can be."""
    sides = zip(picture.slices, picture.expected, picture.got, strict=True)
    top = max((abs(value) for matrix in picture.expected for value in _finite(matrix)), default=0.0) or 1.0
    for number, (name, expected, got) in enumerate(sides):
        wrong = (picture.row, picture.column) if number == 0 else None
        what = " ".join(filter(None, (picture.name, name)))
        size = f"{len(expected)} × {len(expected[0])}"
        yield Pair(
            name,
            (
                _map("expected", f"Expected {what}, {size}, {_span(expected)}.", expected, top, None),
                _map("got", f"Got {what}, {size}, {_span(got)}.{_first(wrong, expected, got)}", got, top, wrong),
            ),
            tuple(map(_row, expected, got)),
        )


def _map(title: str, said: str, matrix: Matrix, top: float, wrong: tuple[int, int] | None) -> Map:
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
            Cell(MARGIN + width * c, MARGIN + HEIGHT * r, _shade(value, top), _text(value, is_wide), (r, c) == wrong)
            for r, row in enumerate(matrix)
            for c, value in enumerate(row)
        ),
        columns=tuple((c, MARGIN + width * c + width // 2) for c in range(len(matrix[0]))),
        rows=tuple((r, MARGIN + HEIGHT * r + HEIGHT // 2) for r in range(len(matrix))),
    )


def _shade(value: float, top: float) -> str:
    if math.isnan(value):
        return "nan"
    if value == -math.inf:
        return "hidden"
    level = round(min(abs(value) / top, 1.0) * SHADES)
    return f"{'n' if value < 0 else 'p'}{level}" if level else "p0"


def _text(value: float, is_wide: bool = True) -> str:
    """As many digits as a cell has room for."""
    if not math.isfinite(value):
        return {"inf": "∞", "-inf": "−∞"}.get(str(value), "NaN")
    size = abs(value)
    if size >= 1000:
        text = f"{value:.0e}".replace("e+0", "e")
    elif size >= 100 or (not is_wide and size >= 10):
        text = f"{value:.0f}"
    else:
        text = f"{value:.1f}" if size >= 10 else f"{value:.2f}"
        text = text if is_wide else text.replace("0.", ".", 1)
    return text.replace("-", "−")


def _span(matrix: Matrix) -> str:
    finite = list(_finite(matrix))
    return f"from {_text(min(finite))} to {_text(max(finite))}" if finite else "no number of them finite"


def _first(wrong: tuple[int, int] | None, expected: Matrix, got: Matrix) -> str:
    if wrong is None:
        return ""
    row, column = wrong
    pair = f"{_text(got[row][column])}, expected {_text(expected[row][column])}"
    return f" The first wrong cell is row {row}, column {column}: {pair}."


def _row(expected: tuple[float, ...], got: tuple[float, ...]) -> tuple[str, ...]:
    """What was got, and what was expected where it does not read the same."""
    each = zip(map(_text, expected), map(_text, got), strict=True)
    return tuple(mine if mine == right else f"{mine} (expected {right})" for right, mine in each)


def _finite(matrix: Matrix) -> Iterator[float]:
    return (value for row in matrix for value in row if math.isfinite(value))
