"""An argument that stands where another is due is told with the order that is asked for, where that is sure."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.clues.arguments import misplaced
from grader.model.pack import Definition

ORDER = ("d_in", "d_out", "length", "drop", "bias")
HEAD = Definition("Head", "(d_in, d_out, length, drop, bias=False)", ORDER, is_class=True)
CLASS = """
class Heads(nn.Module):
    def __init__(self, d_in, d_out, length, drop, heads, bias=False):
        super().__init__()
        self.heads = nn.ModuleList(
            {call} for _ in range(heads)
        )
"""


@pytest.mark.parametrize(
    ("call", "given", "due"),
    [
        ("Head(d_in, d_out, drop, bias)", "drop", "length"),
        ("ex10.Head(d_in, d_out, length, bias, drop)", "bias", "drop"),
        ("Head(d_out, d_in, length, drop)", "d_out", "d_in"),
        ("Head(*both, drop)", "", ""),
        ("Head(d_in, d_out, heads, drop)", "", ""),
        ("Head(d_in, d_out, length, drop, bias)", "", ""),
        ("Head(d_in, d_out, length, bias=bias, drop=drop)", "", ""),
        ("Layer(d_out, d_in)", "", ""),
    ],
)
def test_an_argument_out_of_order_is_told_at_its_line(call: str, given: str, due: str) -> None:
    found = misplaced(ast.parse(CLASS.format(call=call)), "Heads", {"Head": HEAD})

    said = f"the order is Head(d_in, d_out, length, drop, bias=False), and `{given}` stands where `{due}` belongs"
    assert found == ((said, 6) if given else None)


def test_what_the_file_defines_itself_may_have_any_order() -> None:
    source = CLASS.format(call="Head(d_out, d_in)") + "\nclass Head: pass\n"

    assert misplaced(ast.parse(source), "Heads", {"Head": HEAD}) is None
