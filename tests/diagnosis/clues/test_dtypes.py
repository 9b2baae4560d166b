"""The one call that gives a result another type is told with its line."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.dtypes import retyped


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("y = x.double()", "x.double()"),
        ("y = (x / x.sum()).to(torch.float64)", "(x / x.sum()).to(torch.float64)"),
        ("y = x.softmax(-1, dtype=torch.float64)", "x.softmax(-1, dtype=torch.float64)"),
        ("y = x.double().half()", "x.double().half()"),
        ("y = x.to(x.device)", ""),
        ("y = x.double() @ x.double()", ""),
    ],
)
def test_another_type_is_told_where_it_is_given(body: str, code: str) -> None:
    found = retyped(ast.parse(f"def f(x):\n    {body}\n    return y\n"), "f")

    assert found == ((f"`{code}` gives another type", 2) if code else None)
