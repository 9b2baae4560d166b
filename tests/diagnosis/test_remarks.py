"""What is remarked of a wrong result stands in its line, and is what the source itself says."""

from __future__ import annotations

import ast
from dataclasses import replace

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


@pytest.mark.parametrize(("room", "is_told"), [(8, True), (5, False)])
def test_a_mask_of_two_ends_is_told_where_it_is_larger_than_what_it_hides(room: int, is_told: bool) -> None:
    asked = question("output", {"x": numbers(2, 5, 3)}, of=CLASS, construct={"d_in": 3, "context_length": room})
    tree = ast.parse(ATTENTION.format(heads="1", first="x = x.masked_fill(self.mask[:n, -n:], -torch.inf)"))

    found = remark(asked, answer({"result": numbers(2, 5, 3)}), wrong("off"), tree, DEFINITIONS)

    assert (found is not None and "takes rows from one end" in found[0]) == is_told


@pytest.mark.parametrize(("tokens_first", "is_told"), [(True, True), (False, False)])
def test_tokens_in_front_of_the_sequences_are_told_by_the_shape_that_came_back(
    tokens_first: bool, is_told: bool
) -> None:
    asked = question("output", {"x": numbers(2, 5, 3)}, of=CLASS)
    asked = replace(asked, exercise=replace(asked.exercise, axes={"x": ("B", "T", "d_in")}))
    tree = ast.parse(ATTENTION.format(heads="1", first="y = torch.stack(rows)"))
    shape = (5, 2, 4) if tokens_first else (2, 5, 4)

    found = remark(asked, answer({"result": numbers(*shape)}), wrong("off"), tree, DEFINITIONS)

    said = "`torch.stack(rows)` puts the tokens in front of the sequences: stack along `dim=1`"
    assert found == ((said, 7) if is_told else None)


@pytest.mark.parametrize(
    ("first", "width", "is_told"),
    [
        ("y = weights @ x", 3, True),
        ("y = weights @ x", 4, False),
        ("y = weights @ values", 3, False),
        ("y = x @ x", 3, False),
        ("y = self.W_key @ x", 3, False),
    ],
)
def test_a_blend_of_the_input_itself_is_told_by_its_width(first: str, width: int, is_told: bool) -> None:
    asked = question("output", {"x": numbers(2, 5, 3)}, of=CLASS, construct={"d_in": 3, "d_out": 4})
    tree = ast.parse(ATTENTION.format(heads="1", first=first))

    found = remark(asked, answer({"result": numbers(2, 5, width)}), wrong("off"), tree, DEFINITIONS)

    said = "`weights @ x` blends `x` itself: blend the values, which W_value makes of it"
    assert found == ((said, 0) if is_told else None)


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


LATE = """
def fill(scores, mask):
    return scores.masked_fill(mask, -torch.inf)
def attend(x, p):
    {}
"""


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("mask = causal_mask(5)\n    w = x.softmax(-1)\n    return fill(w, mask)", True),
        ("w = x.softmax(-1)\n    w = w.masked_fill(mask, -torch.inf)\n    return w", True),
        ("w = fill(x, mask).softmax(-1)\n    return w.log()", False),
    ],
)
def test_minus_infinity_that_is_filled_in_behind_softmax_is_told_there(body: str, is_told: bool) -> None:
    asked = question("output", {"x": numbers(5, 5)})
    off = say("judge.on-case", said=say("judge.infinite", count=3, infinity="-inf"), case="random")

    found = remark(asked, answer({"result": numbers(5, 5)}), wrong(off), ast.parse(LATE.format(body)), DEFINITIONS)

    assert (found is not None) == is_told
    assert found is None or "fills in minus infinity only after softmax" in found[0]
