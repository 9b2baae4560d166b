"""Of one layer for three roles its parts are spoken of, and of three layers they themselves."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.fused import part_reused


@pytest.mark.parametrize(
    ("made", "layer"),
    [
        (["self.c_attn = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)"], "self.c_attn"),
        (["self.qkv = nn.Parameter(torch.rand(d_in, d_out * 3))"], "self.qkv"),
        (["self.qkv = nn.Linear(d_in, 3 * heads * width)", "self.proj = nn.Linear(d_out, d_out)"], "self.qkv"),
        (["self.W_query = nn.Linear(d_in, d_out)", "self.W_key = nn.Linear(d_in, d_out)"], ""),
        (["self.kv = nn.Linear(d_in, 2 * d_out)", "self.q = nn.Linear(d_in, d_out)"], ""),
        (["self.width = 3 * d_out"], ""),
        (["self.dropout = nn.Dropout(3 * dropout)"], ""),
        (["self.qkv = weight_norm(nn.Linear(d_in, 3 * d_out))", "self.mask = torch.ones(3 * length)"], "self.qkv"),
    ],
)
def test_a_layer_that_makes_all_three_is_spoken_of_by_its_name(made: list[str], layer: str) -> None:
    tree = ast.parse("class A:\n    def __init__(self):\n" + "".join(f"        {each}\n" for each in made))

    said = "makes the queries, the keys and the values, and one of these parts is used where another is due"
    assert part_reused(tree, "A") == ((f"`{layer}` {said}", 0) if layer else None)
