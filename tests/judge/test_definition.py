"""Where a result comes from is the last `return` of what was asked, and of nothing else."""

from __future__ import annotations

import ast

import pytest

from grader.judge.definition import is_unreached, result_line

TREE = ast.parse("""\
def plain(x):
    if x:
        return 1
    y = [lambda: 3]
    return y


@torch.no_grad()
def decorated(x):
    def inner():
        return 4
    return (
        inner()
    )


def nothing(x):
    print(x)
    return


class Attention:
    def __init__(self):
        return None

    def forward(self, x):
        return x
""")


@pytest.mark.parametrize(
    ("begins", "told"),
    [
        (1, 5),
        (8, 12),
        (17, 17),
        (23, 23),
        (26, 27),
        (99, 99),
    ],
)
def test_the_line_that_gives_the_result_is_told(begins: int, told: int) -> None:
    assert result_line(TREE, begins) == told


def test_of_what_is_no_python_its_beginning_is_told() -> None:
    assert result_line(None, 3) == 3


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
    assert not is_unreached(None, raised, line)
