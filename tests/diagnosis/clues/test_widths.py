"""A width that is taken for another one is told where that is certain, and nowhere else."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.widths import divided_by_heads, width_of_a_head, width_of_the_input, widths_turned
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
WIDE = """
class A(nn.Module):
    def __init__(self, d_in, d_out, num_heads):
        self.num_heads = num_heads
        self.head_dim = {width}
        self.d_out = d_out
        self.W = nn.Linear(d_in, {layer})

    def forward(self, x):
        return self.W(x).view({sizes})
"""


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


@pytest.mark.parametrize(
    ("made", "due"),
    [
        ("self.head_dim = d_in // num_heads", "d_out // num_heads"),
        ("self.cut = (num_heads, d_in // num_heads)", "d_out // num_heads"),
        ("self.head_dim = d_out // num_heads", ""),
        ("self.half = d_in // 2", ""),
    ],
)
def test_the_width_of_the_input_shared_out_to_heads_is_told_with_an_error_about_a_cut(made: str, due: str) -> None:
    tree = ast.parse(f"class A:\n    def __init__(self, d_in, d_out, num_heads):\n        {made}")
    fault = Fault("exception", "RuntimeError", "shape '[2, 5, 3, 2]' is invalid for input of size 120")
    said = f"`d_in // num_heads` shares out the width of what goes in: heads share what comes out, `{due}`"

    assert width_of_a_head(fault, tree, "A") == ((said, 3) if due else None)
    assert width_of_a_head(Fault("exception", "RuntimeError", "no kernel"), tree, "A") is None


@pytest.mark.parametrize(
    ("source", "quotient"),
    [
        (
            "class A:\n    def __init__(self, d_out, num_heads):\n        self.d = d_out / num_heads\n",
            "d_out / num_heads",
        ),
        ("def f(x, w):\n    return x.view(2, x.shape[-1] / w.num_heads)\n", "x.shape[-1] / w.num_heads"),
        ("def f(s, keys):\n    return s / keys.shape[-1] ** 0.5\n", ""),
        ("def f(d_out, num_heads):\n    return d_out // num_heads\n", ""),
        ("def f(d_out, scores, heads):\n    mean = scores / heads\n    width = d_out / heads\n", ""),
    ],
)
def test_a_width_divided_into_a_float_is_found(source: str, quotient: str) -> None:
    found = divided_by_heads(ast.parse(source))

    assert (ast.unparse(found) if found else "") == quotient


def test_what_is_quoted_is_found_in_its_line() -> None:
    source = "class A:\n    def __init__(self, d_out, num_heads):\n        self.width = d_out / num_heads\n"

    found = divided_by_heads(ast.parse(source))
    assert found is not None
    assert (ast.unparse(found), found.lineno) == ("d_out / num_heads", 3)


@pytest.mark.parametrize(
    ("width", "layer", "sizes", "shape", "code", "line"),
    [
        ("d_out", "d_out", "2, 5, self.num_heads, self.head_dim", "2, 5, 3, 12", "self.head_dim = d_out", 5),
        ("d_out", "d_out", "2, 5, self.num_heads * self.head_dim", "2, 5, 36", "self.head_dim = d_out", 5),
        ("d_out // num_heads", "d_out", "2, 5, self.num_heads, self.d_out", "2, 5, 3, 12", "self.d_out", 10),
        ("d_out", "num_heads * d_out", "2, 5, self.num_heads, self.head_dim", "2, 5, 3, 12", "", 0),
        ("d_out", "d_out", "2, 5, self.num_heads, self.head_dim", "2, 5, 3, 7", "", 0),
        ("d_out", "d_out", "2, 5, 3, -1", "2, 5, 3, 12", "", 0),
        ("d_out // num_heads", "d_out", "(2, 5, self.num_heads, self.d_out)", "2, 5, 3, 12", "self.d_out", 10),
        ("d_out // num_heads", "d_out", "2, 5, self.num_heads, self.d_out // self.num_heads", "2, 5, 6, 4", "", 0),
        ("d_out // num_heads", "d_out", "2, self.num_heads, 5, self.d_out // 1", "2, 3, 5, 12", "", 0),
        ("d_out // num_heads", "d_out", "2, 5, self.num_heads, self.d_out", "2, 5, 2, 36", "", 0),
        ("d_out // num_heads", "d_out", "2, self.num_heads * 5, self.d_out", "2, 15, 12", "", 0),
    ],
)
def test_a_head_that_is_as_wide_as_all_of_them_is_told_where_it_gets_its_width(
    width: str, layer: str, sizes: str, shape: str, code: str, line: int
) -> None:
    message = f"shape '[{shape}]' is invalid for input of size 120"
    fault = Fault("exception", "RuntimeError", message, (Frame("a.py", 10, "forward"),))

    found = width_of_a_head(fault, ast.parse(WIDE.format(width=width, layer=layer, sizes=sizes)), "A")

    assert (found is not None and found[0].startswith(f"`{code}` ") and found[1] == line) if code else found is None
