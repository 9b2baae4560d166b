"""A view that torch refuses where heads are joined is told what has to come before it, and no other one."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.views import cut_in_front, out_of_order
from grader.model.observation import Fault, Frame

REFUSED = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
    "contiguous subspaces). Use .reshape(...) instead."
)
CLASS = """class A:
    def __init__(self, num_heads):
        pass
    def forward(self, x):
        c = {}
        return {}
"""
MOVE = "in `c` the heads stand in front of the tokens, and have to move behind them before they are joined: write "
ORDER = "after `c.{}` the numbers do not lie in order any more, as `.view` needs them: write "
JOIN = "`c.{}.contiguous().view(…)`"


def said(made: str, returned: str, shape: tuple[int, ...] = (2, 3, 5, 4), message: str = REFUSED) -> str:
    source = CLASS.format(made, returned)
    fault = Fault("exception", "RuntimeError", message, (Frame("a.py", 6, "forward"),), shapes=(("c", shape),))
    found = out_of_order(fault, ast.parse(source), "A")
    return found[0] if found else ""


@pytest.mark.parametrize("move", ["transpose(1, 2)", "swapaxes(1, 2)", "permute(0, 2, 1, 3)"])
def test_heads_that_were_moved_need_their_numbers_in_order(move: str) -> None:
    assert said("w @ v", f"c.{move}.view(b, t, self.d_out)") == ORDER.format(move) + JOIN.format(move)


@pytest.mark.parametrize("move", ["transpose(1, 2)", "permute(0, 2, 1, 3)"])
def test_heads_that_were_moved_a_line_before_need_their_numbers_in_order(move: str) -> None:
    due = ORDER.replace("c.", "(w @ v).").format(move) + "`c.contiguous().view(…)`"

    assert said(f"(w @ v).{move}", "c.view(b, t, -1)", (2, 5, 3, 4)) == due
    assert said(f"(w @ v).{move}", "c.view(b, h, t, d)", (2, 5, 12)) == ""


@pytest.mark.parametrize(
    "made", ["w @ v", "(v.mT @ w.mT).transpose(2, 3)", "torch.matmul(w, v)", "F.scaled_dot_product_attention(q, k, v)"]
)
def test_heads_that_stand_in_front_of_the_tokens_have_to_move(made: str) -> None:
    assert said(made, "c.view(b, t, -1)") == MOVE + JOIN.format("transpose(1, 2)")


@pytest.mark.parametrize(
    ("made", "returned", "shape"),
    [
        ("w @ v", "c.permute(0, 2, 3, 1).view(b, t, -1)", (2, 3, 5, 4)),
        ("w @ v", "c.view(b, h, t, d)", (2, 5, 12)),
        ("w @ v", "c.view(b, h, -1)", (2, 5, 12)),
        ("self.blended(w, v)", "c.view(b, t, -1)", (2, 5, 3, 4)),
        ("torch.einsum('bhqk,bhkd->bqhd', w, v)", "c.view(b, t, -1)", (2, 5, 3, 4)),
    ],
)
def test_of_another_view_nothing_is_said(made: str, returned: str, shape: tuple[int, ...]) -> None:
    assert said(made, returned, shape) == ""


def test_of_another_error_nothing_is_said() -> None:
    assert said("w @ v", "c.view(b, t, -1)", message="shape '[2, 5, 13]' is invalid for input of size 120") == ""


@pytest.mark.parametrize(
    ("view", "is_cut"),
    [
        ("c.view(b, self.num_heads, t, self.head_dim)", True),
        ("c.view(b, n_heads, -1, d_out // n_heads)", True),
        ("c.view(b, t, self.num_heads, self.head_dim)", False),
        ("c.view(b, self.num_heads, self.head_dim, t)", False),
        ("c.view(b, t, self.d_out)", False),
        ("c.view(b, 1, t, self.head_dim)", False),
    ],
)
def test_heads_that_are_cut_out_in_front_of_the_tokens_are_seen(view: str, is_cut: bool) -> None:
    tree = ast.parse(CLASS.format("w.chunk(3)", view))
    fault = Fault("exception", "RuntimeError", REFUSED, (Frame("a.py", 6, "forward"),))

    assert cut_in_front(fault, tree, "A") is is_cut
    assert not cut_in_front(Fault("exception", "RuntimeError", "another", fault.frames), tree, "A")
