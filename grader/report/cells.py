"""Cells of a CSV that spreadsheets open: nothing that a student wrote may be taken for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator

from grader.model.text import clean

# https://owasp.org/www-community/attacks/CSV_Injection; the wide ones are what a Japanese Excel takes as well.
SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
FORMULA = (*SIGNS, "\t", "\r")
# In German and many other languages a spreadsheet parts cells at semicolons, whatever stands in quotes.
BEHIND_SEMICOLON = re.compile(rf";(?=[\s\"]*[{re.escape(SIGNS)}])")
LONGEST = 1000


class Plain(str):
    """A cell of our own that stands as it is, such as Moodle's `-`."""

    __slots__ = ()


Cell = str | float | int | None


def rows(table: Iterable[Iterable[Cell]]) -> Iterator[str]:
    """Each row as a line."""
    for row in table:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow([_cell(value) for value in row])
        yield line.getvalue()


def number(value: float) -> str:
    """A number as every platform reads it: a point, no thousands, no needless zeros."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float | int):
        return number(value)
    if isinstance(value, Plain):
        return value
    text = BEHIND_SEMICOLON.sub(";'", clean(value, LONGEST))
    return f"'{text}" if value.startswith(FORMULA) or text.startswith(FORMULA) else text
