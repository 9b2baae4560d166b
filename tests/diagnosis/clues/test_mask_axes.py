"""A mask that has axes for sequences and heads is told where its scores have none for heads."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.mask_axes import from_the_front, with_heads
from grader.model.observation import Fault

CLASS = """
class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("bias", {made})

    def forward(self, x):
        scores = x @ x.mT
        return scores.masked_fill({used}, -torch.inf)
"""
TRIL = "torch.tril(torch.ones(n, n))"


@pytest.mark.parametrize(
    ("made", "used", "told", "line"),
    [
        (f"{TRIL}.view(1, 1, n, n)", "self.bias[:, :, :n, :n] == 0", f"{TRIL}.view(1, 1, n, n)", 5),
        (f"{TRIL}.reshape((1, 1, n, n))", "self.bias == 0", f"{TRIL}.reshape((1, 1, n, n))", 5),
        ("torch.tril(torch.ones(1, 1, n, n))", "self.bias == 0", "torch.ones(1, 1, n, n)", 5),
        (f"{TRIL}[None, None]", "self.bias == 0", f"{TRIL}[None, None]", 5),
        (TRIL, "(self.bias == 0).unsqueeze(0).unsqueeze(0)", "(self.bias == 0).unsqueeze(0).unsqueeze(0)", 9),
        (TRIL, "self.bias[None, None, :n, :n] == 0", "self.bias[None, None, :n, :n]", 9),
        (TRIL, "self.bias == 0", "", 0),
        (f"{TRIL}[None]", "self.bias == 0", "", 0),
        (f"{TRIL}.view(1, n, n)", "self.bias == 0", "", 0),
        (f"{TRIL}.view(1, 1, n, n)", "self.bias[0, 0, :n, :n] == 0", "", 0),  # which it has no more
        (f"{TRIL}.view(1, 1, n, n)", "self.bias.squeeze() == 0", "", 0),
        ("torch.rand(n, n)[None, None]", "x == 0", "", 0),  # and no mask
    ],
)
def test_a_mask_with_an_axis_for_heads_is_told_where_it_is_given_that(
    made: str, used: str, told: str, line: int
) -> None:
    tree = ast.parse(CLASS.format(made=made, used=used))

    said = f"`{told}` gives the mask four axes, and with it the scores, which have three: leave it at two"
    assert with_heads(tree, "A") == ((said, line) if told else None)


@pytest.mark.parametrize(
    ("statement", "mask", "due"),
    [
        ("s[m] = -torch.inf", (5, 5), "s[..., m]"),
        ("s[m] = s[m] - 1e9", (5, 5), "s[..., m]"),
        ("s[:, m] = -torch.inf", (5, 5), ""),
        ("s[m] = -torch.inf", (3, 3), ""),
    ],
)
def test_a_mask_that_meets_the_first_axes_as_an_index_is_told(statement: str, mask: tuple[int, ...], due: str) -> None:
    said = f"The shape of the mask {[*mask]} at index 0 does not match the shape of the indexed tensor [2, 3, 5, 5] at"
    fault = Fault("exception", "IndexError", f"{said} index 0", shapes=(("s", (2, 3, 5, 5)), ("m", mask)))

    found = from_the_front(fault, ast.parse(f"def f(s, m):\n    {statement}\n"), 2)

    assert (found is not None) == bool(due)
    assert found is None or found[0].endswith(f"write `{due}`")
