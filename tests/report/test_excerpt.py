"""A line of the student's is shown with its neighbours, dedented, wherever it is."""

from __future__ import annotations

import pytest

from grader.report.excerpt import Excerpt, excerpt, folded

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


def test_a_tab_among_spaces_is_shown_as_one_where_it_stands() -> None:
    found = excerpt({"ex01_a": b"def f(x):\n    y = 1\n\treturn y\n"}, "ex01_a.py", 3)

    assert found is not None
    assert (found.lines, found.margin) == (((2, "    y = 1"), (3, "→   return y")), 0)


def test_before_a_line_stands_code_and_no_docstring() -> None:
    source = b'def f(x):\n    """What it is for.\n\n    And more.\n    """\n    return x\n'

    found = excerpt({"ex01_a": source}, "ex01_a.py", 6)

    assert found is not None
    assert [number for number, _ in found.lines] == [1, 6]


def test_an_empty_line_below_a_docstring_ends_what_stands_before() -> None:
    found = excerpt({"ex01_a": b'def f(x):\n    """What it is for."""\n\n    return x\n'}, "ex01_a.py", 4)

    assert found is not None
    assert [number for number, _ in found.lines] == [4]


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("    return x", ["    return x"]),
        ("    return first(x) + second(x)", ["    return first(x)", "    + second(x)"]),
        ("    return 'a string that goes on' + z(x)", ["    return 'a string", "    that goes on' +", "    z(x)"]),
        (
            "a = 'one and two and three and four and five'",
            ["a = 'one and two and", "    three and four", "    and five'"],
        ),
        (
            "a = 'one and two and three and four and five and six'",
            ["a = 'one and two and", "    three and four", "    and five and si…"],
        ),
        ("x" * 30, ["x" * 20, "    " + "x" * 10]),
        ("x = 'abcdefghijklmn ::error::no'", ["x = 'abcdefghijklmn", "    : :error::no'"]),
    ],
)
def test_a_long_line_is_folded_and_no_row_of_it_begins_with_a_command(line: str, rows: list[str]) -> None:
    assert [*folded(line, 20, 3)] == rows
