"""The width of what goes in is told where a cut takes it for that of what comes out, and nowhere else."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.widths import width_of_the_input, widths_turned
from grader.model.observation import Fault, Frame

AXES = {"x": ("B", "T", "d_in")}
CLASS = """class A:
    def __init__(self, d_in, d_out, context_length, dropout, num_heads):
        {}
    def forward(self, x):
        {}
        return {}
"""
LAYER = "class A:\n    def __init__(self, {}):\n        self.W_query = {}\n"
TURNED = "`{}` has d_out before d_in, but d_in, the width of x, comes first"
KEPT, UNPACKED = "self.d_out = d_out", "B, T, C = x.shape"
JOIN, PARTS = "shape '[2, 5, 7]' is invalid for input of size 120", "too many values to unpack (expected 3)"
HEADS = "shape '[2, 5, 3, 2]' is invalid for input of size 120"


def said(cut: str, message: str, unpacked: str = UNPACKED, kept: str = KEPT) -> str:
    fault = Fault("exception", "RuntimeError", message, (Frame("a.py", 6, "forward"),))
    found = width_of_the_input(fault, ast.parse(CLASS.format(kept, unpacked, cut)), "A", AXES)
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        ("y.transpose(1, 2).contiguous().view(B, T, C)", JOIN),
        ("y.reshape((B, T, C))", JOIN),
        ("self.c_attn(x).split(C, dim=2)", PARTS),
        ("self.c_attn(x).split(C, 2)", "not enough values to unpack (expected 3, got 2)"),
    ],
)
@pytest.mark.parametrize("unpacked", [UNPACKED, "B, T, C = x.size()"])
@pytest.mark.parametrize(("kept", "due"), [(KEPT, "self.d_out"), ("self.width = d_out", "self.width"), ("x", "d_out")])
def test_the_width_of_the_input_is_told_where_that_of_the_result_is_due(
    cut: str, message: str, unpacked: str, kept: str, due: str
) -> None:
    told = said(cut, message, unpacked, kept)

    assert told.startswith("`C` is `d_in`, the width of what goes in")
    assert f"`{due}`" in told


def test_heads_that_share_out_the_width_of_the_input_are_told_what_they_share() -> None:
    told = said("q.view(B, T, self.num_heads, C // self.num_heads)", HEADS)

    assert told.startswith("`C // self.num_heads` shares out the width of what goes in")
    assert told.endswith("`self.d_out // self.num_heads`")


@pytest.mark.parametrize(
    ("cut", "message", "unpacked"),
    [
        ("y.view(B, T, self.d_out)", JOIN, UNPACKED),
        ("y.view(B, T, C)", "shape '[3, 5, 7]' is invalid for input of size 121", UNPACKED),
        ("y.view(B, T, C)", "another message", UNPACKED),
        ("y.view(B, T, C)", JOIN, "B, T, C = y.shape"),
        ("y.view(B, T, C)", JOIN, "B, C = x.shape"),
        ("y.view(B, T, C)", JOIN, "B, T, C = x.shape; C = self.d_out"),
        ("y.view(B, T, C)", JOIN, "x = self.c_attn(x); B, T, C = x.shape"),
        ("y.split(self.d_out, 2)", PARTS, UNPACKED),
    ],
)
def test_nothing_is_told_where_something_else_may_be_meant(cut: str, message: str, unpacked: str) -> None:
    assert said(cut, message, unpacked) == ""


def turned(widths: str, made: str, text: str) -> tuple[str, int] | None:
    fault = Fault("exception", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (5x3 and 2x3)")

    return widths_turned(fault, ast.parse(LAYER.format(widths, made)), "A", text)


@pytest.mark.parametrize(
    ("made", "text", "code"),
    [
        ("nn.Linear(d_out, d_in)", "queries = self.W_query(x)", "nn.Linear(d_out, d_in)"),
        ("nn.Parameter(torch.rand(d_out, d_in))", "queries = x @ self.W_query", "torch.rand(d_out, d_in)"),
        ("nn.Linear(d_in, d_out)", "queries = self.W_query(x)", ""),
        # of another layer's failure, or of a weight that is used on its side, it says nothing
        ("nn.Linear(d_out, d_in)", "keys = self.W_key(x)", ""),
        ("nn.Parameter(torch.rand(d_out, d_in))", "queries = x @ self.W_query.T", ""),
    ],
)
def test_a_layer_with_its_widths_exchanged_is_found_by_the_line_that_failed(made: str, text: str, code: str) -> None:
    assert turned("d_in, d_out", made, text) == ((TURNED.format(code), 3) if code else None)


def test_widths_that_are_taken_in_another_order_are_found_where_they_are_taken() -> None:
    taken = TURNED.format("__init__(self, d_out, d_in)"), 2

    assert turned("d_out, d_in", "nn.Linear(d_in, d_out)", "queries = self.W_query(x)") == taken
    assert turned("d_out, d_in", "nn.Linear(d_out, d_in)", "queries = self.W_query(x)") is None


def test_widths_are_those_of_the_very_layer_and_of_a_weight_that_is_multiplied_with() -> None:
    assert turned("d_in, d_out", "nn.Linear(d_out, d_in)", "y = self.W_query_and_more(x)") is None
    assert turned("d_in, d_out", "nn.Parameter(torch.rand(d_out, d_in))", "y = F.linear(x.T, self.W_query)") is None
