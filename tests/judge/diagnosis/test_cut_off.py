"""What keeps a gradient from flowing back is told with its line, and only where it is in the way."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.cut_off import cut_off

CLASS = """
class A(nn.Module):
    def __init__(self):
        self.scale = torch.tensor(2.0)

    {decorated}
    def forward(self, x):
        {body}
"""
MODE = "under `{}` torch remembers nothing that a gradient could flow back along"
LOST = "no gradient goes through `{}`"


@pytest.mark.parametrize(
    ("decorated", "body", "said", "line"),
    [
        ("@torch.no_grad()", "return x", MODE.format("torch.no_grad()"), 6),
        ("pass", "with torch.no_grad():\n            return x", MODE.format("torch.no_grad()"), 8),
        ("pass", "with torch.inference_mode():\n            return x", MODE.format("torch.inference_mode()"), 8),
        ("pass", "return x @ self.W_key.data", LOST.format("self.W_key.data"), 8),
        ("pass", "k = self.W_key(x).detach()\n        return k", LOST.format(".detach()"), 8),
        ("pass", "return v[:, :1].detach() + x", LOST.format("v[:, :1].detach()"), 8),
        ("pass", "return v[:, w[0]].T.data", LOST.format("v[:, w[0]].T.data"), 8),
        ("pass", "return torch.tensor(x)", LOST.format("torch.tensor"), 8),
        ("pass", "with torch.enable_grad():\n            return x", "", 0),
        ("pass", "return x.database", "", 0),
        ("pass", "return as_tensor(x)", "", 0),
    ],
)  # fmt: skip
def test_a_gradient_is_cut_off(decorated: str, body: str, said: str, line: int) -> None:
    found = cut_off(ast.parse(CLASS.format(decorated=decorated, body=body)), "A")

    assert found == ((said, line) if said else None)
