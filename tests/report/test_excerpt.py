"""A line of the student's is shown with its neighbours, dedented, wherever it is."""

from __future__ import annotations

import pytest

from grader.report.excerpt import Excerpt, excerpt

SOURCES = {"ex01_a": b"def f():\n    x = 1\n\n    y = 2\n    return y\n", "book.ipynb cell 3": b"a\r\nb"}


def test_a_line_stands_between_its_neighbours_up_to_an_empty_one() -> None:
    found = excerpt(SOURCES, "ex01_a.py", 4, before=2, after=1)

    assert found == Excerpt("ex01_a.py:4", ((4, "y = 2"), (5, "return y")), number=4, margin=4)


def test_a_cell_of_a_notebook_is_called_by_its_name() -> None:
    found = excerpt(SOURCES, "book.ipynb cell 3", 2)

    assert found is not None
    assert (found.place, found.lines) == ("book.ipynb cell 3, line 2", ((1, "a"), (2, "b")))


@pytest.mark.parametrize(("file", "number"), [("ex01_a.py", 0), ("ex01_a.py", 3), ("ex01_a.py", 9), ("ex02_b.py", 1)])
def test_there_is_nothing_to_show_of_a_line_that_is_not_there_or_empty(file: str, number: int) -> None:
    assert excerpt(SOURCES, file, number) is None
