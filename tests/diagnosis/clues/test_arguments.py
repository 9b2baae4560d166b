"""An argument that stands where another is due is told with the order that is asked for, where that is sure."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.arguments import misplaced, overwritten, parameter, reordered
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


def test_an_argument_is_found_by_its_place_whatever_it_is_called() -> None:
    tree = ast.parse("def f(w, p, training, gen=None, /):\n    return w\n\ndef g(*all):\n    return all\n")

    assert parameter(tree, "f", 3, "generator") == "gen"
    assert parameter(tree, "g", 3, "generator") == "generator"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("d_in, d_out, dropout, context_length", True),
        ("d_in, d_out, context_length, dropout", False),
        ("a, b, dropout, context_length", False),
        ("d_in, d_out, context_length", False),
    ],
)
def test_arguments_in_another_order_are_told(arguments: str, found: bool) -> None:
    due = ("d_in", "d_out", "context_length", "dropout")

    for source in (
        f"class A:\n    def __init__(self, {arguments}):\n        pass\n",
        f"\ndef A({arguments}):\n    pass\n",
    ):
        said = reordered(ast.parse(source), "A", due)
        assert (said is not None and arguments in said[0] and said[1] == 2) == found


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("query = inputs[1]\n    return inputs @ query", "query"),
        ("n = inputs.shape[0]\n    query = inputs[1]\n    return inputs @ query", "query"),
        ("query = query / 2\n    return inputs @ query", ""),
        ("scores = inputs @ query\n    query = inputs[1]\n    return scores", ""),
        ("if query is None:\n        query = inputs[1]\n    return inputs @ query", ""),
        ("keys = inputs\n    return keys @ query", ""),
    ],
)
def test_an_argument_that_is_given_another_value_before_it_is_read_is_found(body: str, name: str) -> None:
    found = overwritten(ast.parse(f"def f(query, inputs):\n    {body}\n"), "f")

    assert (found[1] if found else "") == name
