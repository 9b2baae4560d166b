"""Of what ran out of time the loop is told, always the same one; what stands below a failing line never ran."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.source.reached import is_past, is_unreached, loop_line
from grader.diagnosis.source.tree import parsed
from grader.model.observation import Frame

SOURCE = """\
def helper(x):
    while True:
        x += 1


def asked(x):
    for each in x:
        while each:
            each = 1
    return helper(x)


for each in ():
    def inner(x):
        return x


asked(3)
"""
TREE, FILE = ast.parse(SOURCE), "ex01.py"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([8], 8),  # the `while` rather than the `for` around it
        ([9], 8),
        ([7], 7),
        ([10, 3], 2),
        ([10, 2], 2),
        ([18, 9], 8),
        ([15], 15),  # in a function that a loop defines
        ([10], 10),
        ([], 0),
    ],
)
def test_the_loop_is_told_that_the_solution_was_in(lines: list[int], told: int) -> None:
    assert loop_line(TREE, FILE, [Frame(FILE, line, "f") for line in lines]) == told


def test_lines_of_another_file_and_of_no_python_are_no_loop_of_this_one() -> None:
    assert loop_line(TREE, FILE, [Frame("ex02.py", 2, "f")]) == 0
    assert loop_line(ast.parse(""), FILE, [Frame(FILE, 2, "f")]) == 2


LOOP = ast.parse("""\
def f(x):
    a = g(x)
    for i in x:
        b = i
        c = h(b)
    return a

def h(b):
    return b
""")


@pytest.mark.parametrize(
    ("raised", "line", "never_ran"),
    [
        (2, 6, True),
        (2, 5, True),
        (6, 2, False),
        (2, 2, False),
        (4, 5, False),
        (4, 6, True),
        (2, 9, False),
        (99, 100, False),
    ],
)
def test_what_stands_below_a_line_that_raised_never_ran_but_in_a_loop_or_another_function(
    raised: int, line: int, never_ran: bool
) -> None:
    assert is_unreached(LOOP, raised, line) is never_ran
    assert not is_unreached(ast.parse(""), raised, line)


OVER_LINES = ast.parse("""\
def f(x):
    x.masked_fill_(
        mask,
        0,
    )
    if g(
        x
    ):
        return x
    h = lambda x: (
        x
    )
""")


@pytest.mark.parametrize(("raised", "line", "never_ran"), [(2, 3, False), (2, 7, True), (6, 7, False), (6, 9, True)])
def test_what_is_written_over_several_lines_ran_with_the_first_of_them(raised: int, line: int, never_ran: bool) -> None:
    assert is_unreached(OVER_LINES, raised, line) is never_ran


@pytest.mark.parametrize("handing", ["    def forward(self, x):\n        return self._attend(x)\n", ""])
def test_what_is_handed_on_to_is_one_function_wherever_it_stands(handing: str) -> None:
    name = "_attend" if handing else "forward"
    source = f"""\
class A(nn.Module):
    def {name}(self, x):
        a = x.missing
        for each in x:
            b = each.missing
            c = b
        return c
"""
    tree = parsed(source + handing)

    assert is_unreached(tree, 3, 7)
    assert not is_unreached(tree, 7, 3)
    assert not is_unreached(tree, 5, 6)
    assert not is_unreached(tree, 6, 5)
    assert loop_line(tree, FILE, [Frame(FILE, 9, "forward"), Frame(FILE, 6, name)]) == 4


@pytest.mark.parametrize(
    ("line", "right", "past"),
    [(3, 5, True), (3, 2, False), (4, 5, False), (3, 6, True), (3, 8, False), (1, 5, False)],
)
def test_what_is_not_read_behind_what_is_right_cannot_have_spoilt_it(line: int, right: int, past: bool) -> None:
    source = (
        "def f(w, v):\n    w = v @ w\n    self.dropout(w)\n    v.transpose(1, 2)\n    c = w @ w\n    return c @ v\n"
        "def g(w):\n    return w\n"
    )

    assert is_past(ast.parse(source), line, right) is past


def test_a_loop_is_not_past_what_stands_in_it() -> None:
    source = "def f(n, s):\n    for i in range(n):\n        s[i] = n * i\n    return s\n"

    assert not is_past(ast.parse(source), 2, 3)
