"""What keeps a gradient from flowing back is told with its line, and only where it is in the way."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.cut_off import cut_off

CLASS = """
class A(nn.Module):
    def __init__(self):
        self.scale = torch.tensor(2.0)

    {decorated}
    def forward(self, x):
        {body}
"""
MODE = "under `{}` torch remembers nothing that a gradient could flow back along"
ANEW = "`{}` makes anew in each call what is to be learnt: use what `__init__` made"
LOST = "no gradient goes through `{}`"


@pytest.mark.parametrize(
    ("decorated", "body", "said", "line"),
    [
        ("@torch.no_grad()", "return x", MODE.format("torch.no_grad()"), 6),
        ("pass", "with torch.no_grad():\n            return x", MODE.format("torch.no_grad()"), 8),
        ("pass", "with torch.inference_mode():\n            return x", MODE.format("torch.inference_mode()"), 8),
        ("pass", "return x @ self.W_key.data", LOST.format("self.W_key.data"), 8),
        ("pass", "k = self.W_key(x).detach()\n        return k", LOST.format(".detach()"), 8),
        ("pass", "x = x.detach_()\n        return x", LOST.format("x.detach_()"), 8),
        ("pass", "x.detach_()\n        return x", LOST.format("x.detach_()"), 8),
        ("pass", "return v[:, :1].detach() + x", LOST.format("v[:, :1].detach()"), 8),
        ("pass", "return v[:, w[0]].T.data", LOST.format("v[:, w[0]].T.data"), 8),
        ("pass", "return torch.tensor(x)", LOST.format("torch.tensor"), 8),
        ("pass", "with torch.enable_grad():\n            return x", "", 0),
        ("pass", "return x.database", "", 0),
        ("pass", "return x / torch.tensor(self.width, dtype=x.dtype).sqrt()", "", 0),
        ("pass", "return x / torch.tensor(x.shape[-1]).sqrt()", "", 0),
        ("pass", "d_k = x.size(-1)\n        return x / torch.tensor(d_k).sqrt()", "", 0),
        ("pass", "b, n, d = x.shape\n        return x / torch.tensor(d, dtype=x.dtype).sqrt()", "", 0),
        ("pass", "d = x.mean()\n        return x / torch.tensor(d)", LOST.format("torch.tensor"), 9),
        ("pass", "return x.detach() / torch.tensor(self.width, dtype=x.dtype)", LOST.format("x.detach()"), 8),
        ("pass", "return torch.tensor(self.width, dtype=x.dtype) * x.detach()", LOST.format("x.detach()"), 8),
        ("pass", "return as_tensor(x)", "", 0),
    ],
)  # fmt: skip
def test_a_gradient_is_cut_off(decorated: str, body: str, said: str, line: int) -> None:
    found = cut_off(ast.parse(CLASS.format(decorated=decorated, body=body)), "A")

    assert found == ((said, line) if said else None)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("self.W_key = nn.Parameter(self.W_key.data)", "self.W_key = nn.Parameter(self.W_key.data)"),
        ("W_key = torch.rand(3, 2)", "W_key = torch.rand(3, 2)"),
        ("self.out.weight = nn.Parameter(torch.rand(2, 2))", "self.out.weight = nn.Parameter(torch.rand(2, 2))"),
        ("self.other = nn.Parameter(torch.rand(2, 2))", ""),
        ("self.last = self.W_key", ""),
    ],
)
def test_a_weight_that_each_call_makes_anew_is_told(body: str, code: str) -> None:
    source = f"""
class A(nn.Module):
    def __init__(self):
        self.out = nn.Linear(2, 2)
        self.begin()

    def begin(self):
        self.out = nn.Linear(3, 2)

    def forward(self, x):
        {body}
        return x @ self.W_key
"""
    source = source.replace("self.begin()", "self.W_key = nn.Parameter(torch.rand(3, 2))\n        self.begin()")

    found = cut_off(ast.parse(source), "A")

    assert found == ((ANEW.format(code), 12) if code else None)
