"""A matrix as an image, where its cells are too many for numbers: PNG with a palette, https://www.w3.org/TR/png-3/."""

from __future__ import annotations

import base64
import math
import struct
import zlib

from grader.model.report import Matrix
from grader.report.colours import HIGH, LOW, ZERO

# How many pixels a cell is wide and high.
CELL = 6
# Shades on each side of zero: many, because no number says what a cell is.
FINE = 100
SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Red, green and blue of what is no number, of minus infinity, and of the frame around the cell to look at.
NO_NUMBER, MINUS_INFINITY, MARK = (208, 32, 32), (0, 0, 0), (64, 224, 255)


def _palette() -> tuple[tuple[int, ...], ...]:
    """Every colour by its number: from the largest below zero up to the largest, then those without a place between."""
    ends = [(LOW, FINE - n) if n < FINE else (HIGH, n - FINE) for n in range(2 * FINE + 1)]
    mixed = (tuple(round(z + (e - z) * n / FINE) for z, e in zip(ZERO, end, strict=True)) for end, n in ends)
    return (*mixed, NO_NUMBER, MINUS_INFINITY, MARK)


PALETTE = _palette()


def colour(value: float, highest: float) -> int:
    """The number of a value's colour. Brightness goes with the root, or small weights of a long row would be unseen."""
    if math.isnan(value):
        return PALETTE.index(NO_NUMBER)
    if value == -math.inf:
        return PALETTE.index(MINUS_INFINITY)
    level = round(math.sqrt(min(abs(value) / highest, 1.0)) * FINE)
    return FINE + (-level if value < 0 else level)


def png(matrix: Matrix, highest: float, wrong: tuple[int, int] | None = None) -> bytes:
    """An image of CELL × CELL pixels for each number. highest: what is as bright as can be. wrong: cell to frame."""
    lines = [bytearray(colour(value, highest) for value in row for _ in range(CELL)) for row in matrix]
    pixels = [bytearray(line) for line in lines for _ in range(CELL)]
    if wrong is not None:
        _frame(pixels, wrong)
    size = struct.pack(">IIBBBBB", len(pixels[0]), len(pixels), 8, 3, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + line for line in pixels), 9)
    palette = bytes(part for each in PALETTE for part in each)
    parts = ((b"IHDR", size), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, content) for kind, content in parts)


def address(image: bytes) -> str:
    """What an image's `src` is where the image is in the page itself."""
    return f"data:image/png;base64,{base64.b64encode(image).decode()}"


def _frame(pixels: list[bytearray], cell: tuple[int, int]) -> None:
    """Draw around a cell, outside of it where there is room, so that its colour is seen."""
    top, left = (max(0, each * CELL - 1) for each in cell)
    bottom, right = min(len(pixels) - 1, (cell[0] + 1) * CELL), min(len(pixels[0]) - 1, (cell[1] + 1) * CELL)
    for x in range(left, right + 1):
        pixels[top][x] = pixels[bottom][x] = PALETTE.index(MARK)
    for y in range(top, bottom + 1):
        pixels[y][left] = pixels[y][right] = PALETTE.index(MARK)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
