"""Weights of heads that are copied into one layer and do not fit are told how to be joined, where that is certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.errors import cause
from grader.model.observation import Fault, Frame

SIZES = "The size of tensor a (20) must match the size of tensor b (4) at non-singleton dimension 1"
KEYS = (
    "Error(s) in loading state_dict for SplitHeadAttention:\n\tMissing key(s) in state_dict: {}. \n"
    '\tUnexpected key(s) in state_dict: "heads.0.mask", "heads.0.W_query.weight", "heads.1.W_query.weight". '
)


def told(line: str, message: str) -> str:
    fault = Fault("exception", "RuntimeError", message, (Frame("ex13.py", 2, "copy_heads"),))
    said = cause(fault, ast.parse(f"def copy_heads(wrapper, split):\n    {line}\n"), "copy_heads", line, is_fresh=False)
    return said[0] if said else ""


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("split.W_query.weight.copy_(torch.stack([h.W_query.weight for h in wrapper.heads]))", True),
        ("split.W_key.bias.data.copy_(torch.stack([h.W_key.bias.detach() for h in wrapper.heads], dim=0))", True),
        ("split.W_key.weight.copy_(torch.stack([wrapper.heads[0].W_key.weight, wrapper.heads[1].W_key.weight]))", True),
        ("split.W_query.weight.copy_(torch.cat([h.W_query.weight for h in wrapper.heads], dim=1))", False),
        ("split.W_query.weight.copy_(torch.stack([h.W_query.weight[0] for h in wrapper.heads]))", False),
        ("split.W_query.weight.copy_(torch.stack([h.W_query.bias for h in wrapper.heads]))", False),
        ("split.W_query.weight.copy_(torch.stack([h.W_query.weight for h in wrapper.heads]).view(-1, 4))", False),
    ],
)
def test_weights_that_are_stacked_for_a_layer_are_told_to_be_joined_row_below_row(line: str, is_told: bool) -> None:
    assert ("torch.cat(…, dim=0)" in told(line, SIZES)) is is_told
    assert told(line, "something else") == ""


@pytest.mark.parametrize(
    ("missing", "key"),
    [('"mask", "W_query.weight", "W_key.weight"', "`W_query.weight`"), ('"query.weight"', ""), ('"W_key.bias"', "")],
)
def test_keys_of_heads_are_told_which_key_they_go_to(missing: str, key: str) -> None:
    said = told("split.load_state_dict(wrapper.state_dict())", KEYS.format(missing))

    assert said.startswith(key)
    assert ("`heads.0.W_query.weight`, `heads.1.W_query.weight`" in said) is bool(key)
    assert told("copy(wrapper, split)", KEYS.format(missing)) == ""
    assert told("split.load_state_dict(sd)", KEYS.format(missing).replace("heads.1", "head")) == ""  # but one
