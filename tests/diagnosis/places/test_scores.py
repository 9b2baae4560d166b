"""A second division by a root is one of what the first gave."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.place import culprit
from grader.diagnosis.places.scores import scaled_again
from grader.diagnosis.places.statements import statements_of


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("s = q @ k.T / d ** 0.5\n    return softmax(s / d ** 0.5)", 3),
        ("s = q @ k.T / d ** 0.5\n    s = s.masked_fill(m, 0)\n    return softmax(s / math.sqrt(d)) @ v", 4),
        ("s = q @ k.T\n    s = s / math.sqrt(d)\n    s /= math.sqrt(d)\n    return softmax(s)", 4),
        ("s = (q @ k.T).div(d ** 0.5)\n    return softmax(torch.div(s, d ** 0.5))", 3),
        ("s = q @ k.T * (1 / d ** 0.5)\n    return softmax(s * (1 / math.sqrt(d)))", 3),
        ("n = (q ** 2).sum().sqrt() / 2\n    s = q @ k.T / d\n    return s.std() / math.sqrt(d)", 0),
        ("s = q @ k.T / d ** 0.5\n    n = q.std() / math.sqrt(d)\n    return softmax(s)", 0),
        ("s = q @ k.T\n    if t:\n        s = s / d ** 0.5\n    else:\n        s = s / math.sqrt(8)\n    return s", 0),
        ("s = q @ k.T / d ** 0.5\n    self.spread = s.std() / math.sqrt(d)\n    return softmax(s)", 0),
        ("q = q / q.norm() ** 0.5\n    s = q @ k.T / d ** 0.5\n    return softmax(s)", 0),
        ("s = q @ k.T / d ** 0.5\n    s = q @ k.T\n    return softmax(s / d ** 0.5)", 0),
    ],
)
def test_what_a_root_has_divided_is_divided_by_one_again(body: str, line: int) -> None:
    found = scaled_again(statements_of(ast.parse(f"def f(q, k, v, d, m, t):\n    {body}\n"), "f"))

    assert (found.line if found else 0) == line


@pytest.mark.parametrize(
    "body",
    [
        "length = (q**2).sum().sqrt() / 2\n    s = q @ k.T / d\n    spread = s.std() / math.sqrt(d)\n    return s",
        "length = q.norm() ** 0.5\n    s = q @ k.T / d\n    return s",
    ],
)
def test_a_root_that_only_something_nobody_reads_is_made_of_is_not_where_scores_are_scaled(body: str) -> None:
    tree = ast.parse(f"def f(q, k, d):\n    {body}\n")

    assert culprit(tree, "f", "scale-no-sqrt") == 3
