"""The statement that is pointed at is the one that a teacher would point at, in whatever style it is written."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.place import FINDERS, culprit
from tests.suite.reading import Wrong, wrong

# Places that are a matter of taste, or of values that source alone does not show.
AT_LEAST = 0.85


def definition(tree: ast.Module, line: int) -> str:
    """The function or class of the file that a line lies in."""
    names = [n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.lineno <= line]
    return names[-1] if names else ""


def marked(solution: Wrong) -> list[tuple[str, int, int]]:
    """Each mistake of a solution that is looked for in its source, the line marked, and the line found."""
    tree = ast.parse(solution.path.read_text("utf-8"))
    return [
        (name, line, culprit(tree, definition(tree, line), name))
        for name, line in solution.lines.items()
        if name in FINDERS
    ]


def test_nearly_every_marked_line_is_found() -> None:
    found = [(solution.name, *each) for solution in wrong() for each in marked(solution)]

    off = [each for each in found if abs(each[2] - each[3]) > 1]

    assert len(found) > 250
    assert len(off) <= (1 - AT_LEAST) * len(found), off


def test_a_mistake_without_a_look_of_its_own_has_no_line() -> None:
    assert culprit(ast.parse("def f(x):\n    return x\n"), "f", "global-variable") == 0
    assert culprit(ast.parse("def f(x):\n    return x\n"), "f", "mask-inverted") == 0


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(q, k):\n    s = q @ k.T\n    return s / k.shape[-1]\n", 3),
        ("def f(q, k):\n    q = q / k.shape[-1]\n    return q @ k.T\n", 2),
        ("def f(q, k):\n    return (q @ k.T) / k.shape[-1]\n", 2),
    ],
)
def test_a_scale_is_found_before_or_after_the_product(source: str, line: int) -> None:
    assert culprit(ast.parse(source), "f", "scale-no-sqrt") == line


def test_a_function_that_forgets_its_return_is_pointed_at_where_it_ends() -> None:
    source = "def f(x):\n    y = x\n    if y:\n        y = y + 1\n    z = y\n"

    assert culprit(ast.parse(source), "f", "returns-none") == 5


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    y = " + " + ".join(["x"] * 900) + "\n    y\n",
        "def f(x):\n    a = '" + "( * " * 15_000 + "'\n    return a\n",
        "def f(x):\n    a = '" + "[:" * 15_000 + "] = '\n    return a\n",
    ],
    ids=["a very long sum", "brackets and stars", "slices"],
)
def test_source_that_is_made_to_take_long_is_searched_all_the_same(source: str) -> None:
    tree = ast.parse(source)

    assert {culprit(tree, "f", mistake) for mistake in [*FINDERS, "returns-none"]} <= {0, 2, 3}
