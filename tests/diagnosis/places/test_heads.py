"""Where heads are gone through one by one."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.heads import looped


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("n = 1\n        for h in self.heads:\n            y = [h(t) for t in x]\n        return y", 4),
        ("y = cat(\n            [h(x) for h in self.heads])\n        return y", 4),
        ("return cat([h(x) for h in self.heads] + [g(x) for g in self.heads])", 0),
        ("return self.attend(x)", 0),
    ],
)
def test_the_one_loop_of_forward_is_found(body: str, line: int) -> None:
    other = "    def other(self):\n        for h in self.heads: pass\n"

    assert looped(ast.parse(f"class A(nn.Module):\n    def forward(self, x):\n        {body}\n\n{other}"), "A") == line
