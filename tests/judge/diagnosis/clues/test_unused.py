"""A result with a name that nothing reads is told at the line that passes it by."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.clues.unused import passed_by
from tests.judge.hand_made import class_doing


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("shifted = x - x.max()\n        e = torch.exp(x)", 12),
        ("shifted = x - x.max()\n        e = torch.exp(shifted)", 0),
        ("shifted = x - x.max()\n        e = torch.exp(y)", 0),
        ("x.add_(1)\n        e = torch.exp(x)", 0),
        ("n = len(x)\n        e = torch.exp(x)\n        for i in range(n):\n            e[i, i + 1:] = 0", 0),
        ("n = len(x)\n        e = torch.exp(x)\n        if n > 1:\n            e = e / n", 0),
    ],
)
def test_the_line_that_passes_a_result_by_is_told(body: str, line: int) -> None:
    found = passed_by(class_doing(f"{body}\n        x = e / e.sum()"), "A")

    said = "nothing is done with what `shifted = x - x.max()` makes: go on with `shifted`"
    assert found == ((said, line) if line else None)


def test_a_tensor_of_a_size_alone_is_not_what_the_next_line_was_to_read() -> None:
    source = "def f(n):\n    {} = torch.{}(n, n)\n    mask = torch.zeros(n, n)\n    return mask\n"

    assert passed_by(ast.parse(source.format("everywhere", "ones")), "f") is None
    assert passed_by(ast.parse(source.format("mine", "triu")), "f") is not None
