"""Whoever hides scores that are 0 is told that a score may be 0, and nobody else."""
# ruff: noqa: E501 - sources read best on one line

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.by_value import filled_by_value


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("s = scores * ~mask\n    return s.masked_fill(s == 0, -torch.inf)", 3),
        ("s = torch.where(mask, 0, scores)\n    s[s == 0] = -torch.inf\n    return s", 3),
        ("s = (scores / 2).tril()\n    return torch.where(s == 0.0, -torch.inf, s)", 3),
        ("return scores.masked_fill(mask == 0, -torch.inf)", 0),
        ("n = scores.shape[-1]\n    s = torch.tril(torch.ones(n, n))\n    return scores.masked_fill(s == 0, -torch.inf)", 0),
        ("s = torch.ones_like(scores).tril()\n    return scores.masked_fill(s == 0, -torch.inf)", 0),
        ("s = scores.clone()\n    s[:] = 1\n    return scores.masked_fill(s == 0, -torch.inf)", 0),
        ("s = (scores / scores).tril()\n    return scores.masked_fill(s == 0, -torch.inf)", 0),
        ("scores = scores.softmax(-1)\n    return torch.where(scores == 0, mask, scores)", 0),
        ("def g(scores, s): return s.masked_fill(scores == 0, -torch.inf)\n    return g(mask, scores)", 0),
        ("s = scores.masked_fill(mask, -1e9)\n    return s.masked_fill(s == -1e9, -torch.inf)", 0),
    ],
)  # fmt: skip
def test_a_fill_that_asks_whether_a_score_is_0_is_told_with_its_line(body: str, line: int) -> None:
    tree = ast.parse(f"def f(scores, mask):\n    {body}\n")

    told = filled_by_value(tree, "f", {"scores"})

    assert (told[1] if told else 0) == line
