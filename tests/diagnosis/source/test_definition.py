"""Where a result comes from is the last `return` of what was asked, and of nothing else."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.source.definition import result_line

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
        (1, 4),
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
    assert result_line(ast.parse(""), 3) == 3


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(w, training):\n    if training:\n        return w / 2\n    return w\n", 3),
        ("def f(w, training):\n    if training:\n        w = w / 2\n    return w\n", 3),
        ("def f(w):\n    return w\n", 2),
    ],
)
def test_what_hands_back_an_argument_as_it_is_counts_only_where_nothing_else_does(source: str, line: int) -> None:
    assert result_line(ast.parse(source), 1) == line


def test_a_return_that_is_never_reached_is_none() -> None:
    assert result_line(ast.parse("def f(x):\n    y = x\n    return y\n    return x + y\n"), 1) == 2


def test_of_a_name_it_is_what_is_right_above_and_gives_it_its_value() -> None:
    assert result_line(ast.parse("def f(x):\n    if x:\n        y = x * 2\n        return y\n    return x\n"), 1) == 3
    assert result_line(ast.parse("def f(x):\n    y = x * 2\n    print(y)\n    return y\n"), 1) == 4
    assert result_line(ast.parse("def f(x):\n    y = x * 2\n    z = 3\n    return y\n"), 1) == 4


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("if t:\n        x = x * 2\n    return x", 3),
        ("for y in x:\n        c = y\n    return c", 3),
        ("if t:\n        x = x * 2\n    else:\n        x = x * 3\n    return x", 6),
        ("if t:\n        x = x * 2\n        print(x)\n    return x", 5),
        ("if t:\n        y = x * 2\n    return x", 4),
    ],
)
def test_what_a_branch_without_another_makes_is_told_where_it_is_made(body: str, line: int) -> None:
    assert result_line(ast.parse(f"def f(x, t):\n    {body}\n"), 1) == line


@pytest.mark.parametrize(
    ("body", "item", "line"),
    [
        ("a = x.std()\n    b = x.var()\n    return a, b", 1, 2),
        ("a = x.var()\n    b = a / 2\n    return a, b", 2, 3),
        ("p = x * 2\n    q = p / 3\n    a = p.var()\n    b = q.var()\n    return a, b", 2, 3),  # a variance is right
        ("p = x * 2\n    q = p / 3\n    a, b = torch.var(p), q.var()\n    return (a, b)", 1, 2),
        ("p = x * 2\n    p = p.sum(-1)\n    a = p.var()\n    return a, a", 1, 3),
        ("p = x * 2\n    p /= 3\n    return [x.var(), p.var()]", 2, 3),
        ("p = x * 2\n    return torch.stack([x.var(), p.var()])", 2, 2),
        ("p = x * 2\n    a = p.var(dim=0)\n    return a, a", 1, 3),
        ("p = x * 2\n    a = p.std()\n    a += p.var()\n    return a, a", 1, 4),  # which is no variance alone
        ("if n:\n        a = x.std()\n    else:\n        a = x.var()\n    return a, a", 1, 3),
        ("a = x.std()\n    return a, a", 3, 3),
        ("a = x.var()\n    return a, a", 1, 2),
        ("return x.std(), x.var()", 1, 2),
        ("a = f(x)\n    return a", 1, 2),
        ("a, b = f(x)\n    return a, b", 1, 3),
    ],
)
def test_of_several_values_it_is_the_statement_that_makes_the_one_that_is_meant(
    body: str, item: int, line: int
) -> None:
    assert result_line(ast.parse(f"def f(x):\n    {body}\n"), 1, item) == line


EARLY = """def f(w, p, training):
    if not training or p == 0:
        return w
    if p >= 1:
        return 0
    kept = w / (1 - p)
    return kept
"""


@pytest.mark.parametrize(
    ("source", "numbers", "line"),
    [
        (EARLY, {"p": 1.0, "training": True}, 5),
        (EARLY, {"p": 0.0, "training": True}, 3),
        (EARLY, {"p": 0.3, "training": True}, 6),
        (EARLY, {"p": 0.3, "training": False}, 3),
        # what cannot be decided is not decided
        (EARLY, {"p": 1.0}, 6),
        (EARLY.replace("    if not", "    p = 1 - p\n    if not"), {"p": 1.0, "training": True}, 7),
        (EARLY.replace("p >= 1", "p >= w.max()"), {"p": 1.0, "training": True}, 6),
        (
            EARLY.replace("    if not", "    for row in w:\n        return row\n    if not"),
            {"p": 1.0, "training": True},
            8,
        ),
        # a branch that does not end the call is passed
        (EARLY.replace("    if not", "    if w.any():\n        print(w)\n    if not"), {"p": 1.0, "training": True}, 7),
    ],
)
def test_of_early_returns_it_is_the_one_that_the_numbers_lead_to(
    source: str, numbers: dict[str, float | bool], line: int
) -> None:
    assert result_line(ast.parse(source), 1, numbers=numbers) == line


@pytest.mark.parametrize(
    ("appended", "line"),
    [("dots.append(q * x)", 5), ("dots.append(q * x)\n        dots.append(q)", 7), ("dots += [q * x]", 6)],
)
def test_of_a_list_that_is_joined_it_is_what_is_appended(appended: str, line: int) -> None:
    body = f"    dots = []\n    for x in xs:\n        q = x\n        {appended}\n    dots = torch.stack(dots)\n"
    tree = ast.parse(f"def f(xs):\n{body}    return dots.var(), (dots / 2).var()\n")

    assert result_line(tree, 1, 1) == line
