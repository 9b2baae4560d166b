"""A division by what a case makes 0 is told with its divisor, and only where that is certain."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.zeros import divided_by_zero


@pytest.mark.parametrize(
    ("body", "code", "divisor"),
    [
        ("return w * k / (1 - p)", "w * k / (1 - p)", "1 - p"),
        ("w /= 1 - p\n    return w", "w /= 1 - p", "1 - p"),
        ("q = 1.0 - p\n    return w.div(q)", "w.div(q)", "q"),
        ("return torch.div(w, -p + 1)", "torch.div(w, -p + 1)", "-p + 1"),
        ("return w / p", "", ""),
        ("return w / n", "", ""),
        ("p = p / 2\n    return w / (1 - p)", "", ""),
        ("q = 1 - p\n    q = q + 1\n    return w / q", "", ""),
        ("return w / (1 - p[0])", "", ""),
    ],
)
def test_a_division_by_zero_is_found(body: str, code: str, divisor: str) -> None:
    found = divided_by_zero(ast.parse(f"def f(w, p):\n    {body}\n"), "f", {"p": 1.0})

    said = f"`{code}` divides by `{divisor}`, which is 0 in this case, and 0 / 0 is NaN: "
    said += "see to that case before you divide"
    assert found == ((said, 2 + (body[0] == "q")) if code else None)
