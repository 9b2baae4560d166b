"""What is remarked of a finding stands in its line, and is what the source itself says."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.remarks import remark
from grader.model.check import wrong
from grader.words import say
from tests.judge.hand_made import CLASS, DEFINITIONS, answer, numbers, question

ATTENTION = """
class Attention(nn.Module):
    def __init__(self, d_in, num_heads):
        self.heads = {heads}

    def forward(self, x):
        {first}
        return x
"""


@pytest.mark.parametrize(
    ("heads", "first", "said", "line"),
    [
        ("num_heads", "x = x @ x.mT", "nothing is made of `num_heads`, which says how many heads there are to be", 0),
        ("range(num_heads)", "x == x.softmax(-1)", "`==` compares and keeps nothing: write `x = x.softmax(-1)`", 7),
        ("range(num_heads)", "x = x.view(b, n, hd, h).permute(0, 3, 1, 2)", "num_heads has to come before head_dim", 7),
        ("range(num_heads)", "x = x.view(b, n, h, hd)", "", 0),
    ],
)
def test_what_the_source_says_of_a_result_is_remarked(heads: str, first: str, said: str, line: int) -> None:
    asked = question("output", {"x": numbers(2, 5, 3)}, of=CLASS, construct={"d_in": 3, "num_heads": 2})
    tree = ast.parse(ATTENTION.format(heads=heads, first=first))

    found = remark(asked, answer({"result": numbers(2, 5, 3)}), wrong("off"), tree, DEFINITIONS)

    assert (found is None) == (said == "")
    assert found is None or (said in found[0] and found[1] == line)


def test_of_what_was_only_made_nothing_is_remarked_that_happens_when_it_is_called() -> None:
    asked = question("parameters", {"x": numbers(2, 5, 3)}, of=CLASS, construct={"d_in": 3, "num_heads": 2})
    tree = ast.parse(ATTENTION.format(heads="num_heads", first="x == x.softmax(-1)"))

    assert remark(asked, answer({}), wrong("a bias too many"), tree, DEFINITIONS) is None


@pytest.mark.parametrize("first", ["self.dropout.p = 0", "self.dropout = nn.Identity()", "x = self.dropout(x)"])
def test_what_ends_dropout_is_told_only_of_dropout_that_did_not_come_back(first: str) -> None:
    asked = question("dropout", {"x": numbers(2, 5, 3)}, of=CLASS, construct={"d_in": 3}, options={"rate": "dropout"})
    tree = ast.parse(ATTENTION.format(heads="1", first=first))

    def told(said: str) -> object:
        return remark(asked, answer({"plain": numbers(2, 5, 3)}), wrong(said), tree, DEFINITIONS)

    due = f"`{first}` ends dropout for good: `eval()` and `train()` switch an nn.Dropout off and on by themselves."
    assert told(say("check.dropout-ended")) == (None if "(x)" in first else (due, 7))
    assert told(say("check.dropout-stays-on")) is None


@pytest.mark.parametrize(
    ("summary", "advice"),
    [
        ("shape (); expected (6,)", ": collect them in a list and join them by torch.stack"),
        ("shape (6,); expected (6, 6)", ": collect them in a list and join them by torch.stack"),
        ("shape (6, 1); expected (6, 6)", ": add them up, or collect them in a list and join them by torch.stack"),
        ("6 of 6 values are off", ": add them up, or collect them in a list and join them by torch.stack"),
    ],
)
def test_turns_of_a_loop_are_not_to_be_added_up_where_the_result_lacks_their_axis(summary: str, advice: str) -> None:
    tree = ast.parse("def attend(x):\n    for i in range(len(x)):\n        c = x[i]\n    return c\n")
    asked = question("output", {"x": numbers(6, 3)})

    found = remark(asked, answer({"result": numbers(3)}), wrong(summary), tree, DEFINITIONS)

    assert found == (f"each turn of the loop puts a new `c` in place of the last one{advice}", 3)
