"""What the source says of an error is quoted with its line, and only where it is certain."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.errors import cause, widths_turned
from grader.judge.diagnosis.remarks import Quoted
from grader.model.observation import Fault

MULTIPLIED = Fault("exception", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied (5x3 and 2x3)")
LAYER = "class A:\n    def __init__(self, {}):\n        self.W_query = {}\n"


def found(widths: str, made: str, text: str) -> Quoted | None:
    return widths_turned(ast.parse(LAYER.format(widths, made)), "A", text)


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
    assert found("d_in, d_out", made, text) == (Quoted(code, 3) if code else None)


def test_widths_that_are_taken_in_another_order_are_found_where_they_are_taken() -> None:
    taken = Quoted("__init__(self, d_out, d_in)", 2)

    assert found("d_out, d_in", "nn.Linear(d_in, d_out)", "queries = self.W_query(x)") == taken
    assert found("d_out, d_in", "nn.Linear(d_out, d_in)", "queries = self.W_query(x)") is None


def test_a_cause_is_told_with_its_line() -> None:
    tree = ast.parse(LAYER.format("d_in, d_out", "nn.Linear(d_out, d_in)"))

    said = cause(MULTIPLIED, tree, "A", "queries = self.W_query(x)", is_fresh=False)

    assert said == ("`nn.Linear(d_out, d_in)` has d_out before d_in, but d_in, the width of x, comes first", 3)
    assert cause(MULTIPLIED, None, "A", "queries = self.W_query(x)", is_fresh=False) is None
    assert cause(None, tree, "A", "queries = self.W_query(x)", is_fresh=False) is None
