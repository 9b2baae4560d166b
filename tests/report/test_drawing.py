"""Pictures fit into eighty columns, say the same in colour and without, and mark the first wrong cell."""

from __future__ import annotations

import math

import pytest

from grader.model.report import Matrix, Picture
from grader.report.drawing import Grid, grid_lines, picture_lines
from grader.report.lines import text
from grader.report.shades import shade

from .hand_made import FAILED


def plain(picture: Picture, *, coloured: bool = False) -> list[str]:
    return [text(line) for line in picture_lines(picture, coloured=coloured)]


def filled(rows: int, columns: int, value: float = -0.25) -> Matrix:
    return tuple(tuple(value * (r + c) / 4 for c in range(columns)) for r in range(rows))


def picture(rows: int, columns: int) -> Picture:
    got = [list(row) for row in filled(rows, columns)]
    got[rows - 1][columns - 1] = math.nan
    made = tuple(tuple(row) for row in got)
    return Picture("lesson", "weights", ("[0, 1]",), (filled(rows, columns),), (made,), rows - 1, columns - 1)


def test_expected_stands_beside_got_with_the_first_wrong_cell_in_brackets() -> None:
    assert FAILED.picture is not None

    assert plain(FAILED.picture) == [
        "    weights of the public case random",
        "      expected       got",
        "         0    1         0    1",
        "    0 1.00 0.00    0[0.50]0.50",
        "    1 0.25 0.75    1 0.25 0.75",
        "    The first wrong cell is row 0, column 0: 0.50, expected 1.00.",
    ]


@pytest.mark.parametrize("size", [(1, 1), (2, 16), (6, 6), (8, 8), (9, 9), (16, 16), (16, 1)])
@pytest.mark.parametrize("coloured", [False, True])
def test_no_line_is_broader_than_eighty_columns(size: tuple[int, int], coloured: bool) -> None:
    drawn = plain(picture(*size), coloured=coloured)

    assert max(map(len, drawn)) <= 80
    assert sum("[" in line and "]" in line for line in drawn[1:]) == 1
    assert "The first wrong cell is" in drawn[-1]


def test_every_column_of_a_broad_matrix_is_there_in_parts() -> None:
    drawn = "\n".join(plain(picture(2, 16)))

    for number in range(16):
        assert drawn.count(f" {number} ") + drawn.count(f" {number}\n") >= 2, f"column {number} of both sides"
    assert "columns 0 to" in drawn


def test_colours_are_those_of_the_page() -> None:
    assert FAILED.picture is not None

    styles = [style for line in picture_lines(FAILED.picture, coloured=True) for _, style in line]

    expected = [shade(value, 1.0) for value in (1.0, 0.0, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75)]
    assert [style for style in styles if style in {"p10", "p0", "p5", "p2", "p8"}] == expected


def test_tokens_stand_on_both_axes_and_are_harmless() -> None:
    grid = Grid("head 0", filled(2, 2, 1.0), 1.0, labels=("the", "\033[31m" + "cat" * 20))

    drawn = [text(line) for line in grid_lines(grid, coloured=False)]

    assert drawn[1].split() == ["the", "[31mcatca…"]
    assert [line.split()[0] for line in drawn[2:]] == ["the", "[31mcatca…"]
    assert "\033" not in "".join(drawn)


@pytest.mark.parametrize(
    ("got", "expected", "said"),
    [
        (0.1591, 0.1596, "0.1591, expected 0.1596"),
        (-1.00000012, -1.0, "−1.00000012, expected −1"),
        (2.0, 1.0, "2.00, expected 1.00"),
        (math.inf, math.inf, "∞, expected ∞"),
    ],
)
def test_two_numbers_that_would_look_alike_are_told_with_more_digits(got: float, expected: float, said: str) -> None:
    drawn = plain(Picture("lesson", "weights", ("",), (((expected,),),), (((got,),),), 0, 0))

    assert drawn[-1].endswith(f"column 0: {said}.")


def test_of_a_large_picture_it_is_said_where_it_is_drawn_and_what_is_wrong_first() -> None:
    title, where, wrong = plain(picture(20, 17))

    assert "weights [0, 1]" in title
    assert where == "    20 × 17: too large to be drawn here; the page has it."
    assert wrong.startswith("    The first wrong cell is row 19, column 16: NaN")
