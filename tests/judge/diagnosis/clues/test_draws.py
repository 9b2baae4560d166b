"""One vector that is drawn for all trials is told, and none that is drawn anew for each."""

# ruff: noqa: E501 - a source and what is said of it read best side by side

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.clues.draws import drawn_once

LOOP = "for _ in range(n):\n        k = torch.randn(d, generator=g)\n        out.append(q @ k)\n    return out"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("q = torch.randn(d, generator=g)\n    " + LOOP, "torch.randn(d, generator=g)"),
        ("q = torch.randn(d, generator=g)\n    k = torch.randn(n, d, generator=g)\n    return k @ q", "torch.randn(d, generator=g)"),
        ("q = torch.randn((1, d), generator=g)\n    k = torch.randn(n, d, generator=g)\n    return k @ q.T", "torch.randn((1, d), generator=g)"),
        ("q = torch.randn(n, d, generator=g)\n    k = torch.randn(n, d, generator=g)\n    return (q * k).sum(-1)", ""),
        ("q = torch.randn(n, d, generator=g)\n    " + LOOP, ""),
        ("return [torch.randn(d, generator=g) @ torch.randn(d, generator=g) for _ in range(n)]", ""),
        ("q = torch.randn(d, generator=g)\n    k = torch.randn(d, generator=g)\n    return q @ k", ""),
    ],
)  # fmt: skip
def test_a_vector_that_is_drawn_once_is_found(body: str, code: str) -> None:
    found = drawn_once(ast.parse(f"def f(d, n, g):\n    {body}\n"), "f", "d")

    said = f"`{code}` draws one vector for all trials: each of them needs a new one"
    assert found == ((said, 2) if code else None)
