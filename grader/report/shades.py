"""How a matrix is shown, in whatever format: how dark a number is, what it reads as, and what is said of the whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from grader.model.report import Matrix, Picture
from grader.words import say

# How many shades there are on each side of zero; each format has a colour for each.
LEVELS = 10
NAN, HIDDEN = "nan", "hidden"
# How many significant digits are tried in turn; with nine, any two numbers of float32 differ, with 17, of float64.
DIGITS = (4, 6, 9, 17)
# Up to which number a cell has room for so many decimals; beyond these it has a power of ten.
WIDE: Mapping[int, int] = {2: 10, 1: 100, 0: 1000}
NARROW: Mapping[int, int] = {2: 10, 0: 1000}


def top(matrices: Iterable[Matrix]) -> float:
    """The size that is as dark as can be. The expected values set it: what lies beyond it is no darker."""
    return max((abs(value) for matrix in matrices for value in _finite(matrix)), default=0.0) or 1.0


def shade(value: float, top: float) -> str:
    """p0 to p10, n1 to n10, `nan`, or `hidden` for minus infinity."""
    if math.isnan(value):
        return NAN
    if value == -math.inf:
        return HIDDEN
    level = round(min(abs(value) / top, 1.0) * LEVELS)
    return f"{'n' if value < 0 else 'p'}{level}" if level else "p0"


def number(value: float, is_wide: bool = True) -> str:
    """As many digits as a cell has room for; a narrow one has none for the zero in front. Truth values are words."""
    if isinstance(value, bool):
        return str(value) if is_wide else str(value)[0]
    if not math.isfinite(value):
        return {"inf": "∞", "-inf": "−∞"}.get(str(value), "NaN")
    # What is written decides, not what was rounded: 9.999 reads as 10.0 does.
    texts = ((f"{value:.{places}f}", room) for places, room in (WIDE if is_wide else NARROW).items())
    text = next(
        (text for text, room in texts if abs(float(text)) < room), f"{value:.0e}".replace("e+0", "e").replace("e+", "e")
    )
    if not is_wide:  # nor for more than one nought behind
        text = text.replace("0.", ".", 1) if abs(float(text)) < 1 else text.replace(".00", ".0")
    return text.replace("-", "−")


def span(matrix: Matrix) -> str:
    """From which number to which the matrix goes."""
    finite = list(_finite(matrix))
    if not finite:
        return say("report.none-finite")
    return say("report.span", lowest=number(min(finite)), highest=number(max(finite)))


def first_wrong(picture: Picture) -> str:
    """Where the first wrong cell is, and what stands there."""
    row, column = picture.row, picture.column
    values = (side[picture.first][row][column] for side in (picture.got, picture.expected))
    got, expected = told_apart(*values)
    return say("report.first-wrong", row=row, column=column, got=got, expected=expected)


def differences(picture: Picture, at: int) -> tuple[Matrix, str] | None:
    """By how much each cell of a slice is off, and in which power of ten; None where one reads otherwise, or all agree.

    Of a result that is nearly right the cells read as what was expected, and beside it would show nothing.
    """
    sides = (picture.expected[at], picture.got[at])
    pairs = [list(zip(*rows, strict=True)) for rows in zip(*sides, strict=True)]
    if at in picture.right or any(number(due) != number(mine) for row in pairs for due, mine in row):
        return None
    off = [[mine - due if math.isfinite(due) else 0.0 for due, mine in row] for row in pairs]
    if not any(each for row in off for each in row):
        return None
    most = top([tuple(map(tuple, off))])
    unit = 10.0 ** math.floor(math.log10(most))
    return tuple(tuple(each / unit for each in row) for row in off), f"{unit:.0e}"


def largest_share(matrix: Matrix) -> str:
    """How even or one-sided rows of shares are: the largest of a row, on average."""
    return number(sum(map(max, matrix)) / len(matrix))


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers as the picture shows them, with more digits where that would make them look alike."""
    pair = number(one), number(other)
    for digits in DIGITS:
        if pair[0] != pair[1] or not math.isfinite(one):
            break
        pair = f"{one:.{digits}g}".replace("-", "−"), f"{other:.{digits}g}".replace("-", "−")
    return pair


def _finite(matrix: Matrix) -> Iterator[float]:
    return (value for row in matrix for value in row if math.isfinite(value))
