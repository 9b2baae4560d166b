"""Large matrices as images, read back by a decoder that is not ours."""

from __future__ import annotations

import base64
import io
from dataclasses import replace

import pytest
from PIL import Image

from grader.model.report import CELLWISE
from grader.report.colours import HIGH, LOW, ZERO
from grader.report.html.bitmap import CELL, MARK, MINUS_INFINITY, NO_NUMBER, address, png
from grader.report.html.heatmap import pairs

from .made import INF, NAN, PICTURE

MATRIX = ((0.0, 1.0, -1.0), (NAN, -INF, 0.5))


def pixels(image: bytes) -> tuple[tuple[int, int], dict[tuple[int, int], tuple[int, ...]]]:
    """The size of an image, and the colour in the middle of each cell by row and column."""
    read = Image.open(io.BytesIO(image)).convert("RGB")
    middle = CELL // 2
    return read.size, {
        (y // CELL, x // CELL): tuple(read.crop((x, y, x + 1, y + 1)).tobytes())
        for y in range(middle, read.height, CELL)
        for x in range(middle, read.width, CELL)
    }


def test_every_number_is_a_square_of_its_shade() -> None:
    size, found = pixels(png(MATRIX, 1.0))

    assert size == (3 * CELL, 2 * CELL)
    assert [found[0, c] for c in range(3)] == [ZERO, HIGH, LOW]
    assert [found[1, c] for c in range(2)] == [NO_NUMBER, MINUS_INFINITY]
    assert all(zero < part < high for zero, part, high in zip(ZERO, found[1, 2], HIGH, strict=True))


def test_small_weights_of_a_long_row_are_told_from_nothing() -> None:
    _, found = pixels(png(((0.0, 1 / 64, 2 / 64),), 1.0))

    assert found[0, 0][0] + 10 < found[0, 1][0] < found[0, 2][0] - 5


@pytest.mark.parametrize("cell", [(0, 0), (1, 2), (0, 1)])
def test_the_wrong_cell_is_framed_and_keeps_its_colour(cell: tuple[int, int]) -> None:
    plain, framed = (Image.open(io.BytesIO(png(MATRIX, 1.0, wrong))).convert("RGB") for wrong in (None, cell))

    changed = [
        (x, y)
        for x in range(framed.width)
        for y in range(framed.height)
        if framed.getpixel((x, y)) != plain.getpixel((x, y))
    ]
    row, column = cell
    assert all(framed.getpixel(place) == MARK for place in changed)
    assert {x // CELL for x, _ in changed} <= {column - 1, column, column + 1}
    assert {y // CELL for _, y in changed} <= {row - 1, row, row + 1}
    assert pixels(png(MATRIX, 1.0, cell))[1] == pixels(png(MATRIX, 1.0))[1]


def test_a_large_picture_is_images_with_words_for_whoever_does_not_see_them() -> None:
    row = (0.5,) * (CELLWISE + 1)
    large = replace(PICTURE, slices=("",), expected=((row,),), got=(((1.0, *row[1:]),),))

    (pair,) = pairs(large)

    expected, got = pair.maps
    assert got.image == address(png(large.got[0], 0.5, (0, 0)))
    assert pixels(base64.b64decode(expected.image.partition(",")[2]))[0] == ((CELLWISE + 1) * CELL, CELL)
    assert got.said.endswith("The first wrong cell is row 0, column 0: 1.00, expected 0.50.")
    assert not got.cells
    assert not pair.numbers


def test_a_small_picture_is_drawn_cell_by_cell() -> None:
    assert not any(side.image for pair in pairs(PICTURE) for side in pair.maps)
