"""What a wrong result comes of is told by what came back, in the line that makes it."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from grader.diagnosis.wrong_results import of_result
from grader.model.check import wrong
from grader.words import say
from tests.judge.hand_made import CLASS, answer, numbers, question

ATTENTION = """
class Attention(nn.Module):
    def __init__(self, d_in):
        self.W = d_in

    def forward(self, x):
        {first}
        return x
"""


@pytest.mark.parametrize(("room", "is_told"), [(8, True), (5, False)])
def test_a_mask_of_two_ends_is_told_where_it_is_larger_than_what_it_hides(room: int, is_told: bool) -> None:
    asked = question("output", {"x": numbers(2, 5, 3)}, of=CLASS, construct={"d_in": 3, "context_length": room})
    tree = ast.parse(ATTENTION.format(first="x = x.masked_fill(self.mask[:n, -n:], -torch.inf)"))

    found = of_result(asked, answer({"result": numbers(2, 5, 3)}), wrong("off"), tree)

    assert (found is not None and "takes rows from one end" in found[0]) == is_told


@pytest.mark.parametrize(("tokens_first", "is_told"), [(True, True), (False, False)])
def test_tokens_in_front_of_the_sequences_are_told_by_the_shape_that_came_back(
    tokens_first: bool, is_told: bool
) -> None:
    asked = question("output", {"x": numbers(2, 5, 3)}, of=CLASS)
    asked = replace(asked, exercise=replace(asked.exercise, axes={"x": ("B", "T", "d_in")}))
    tree = ast.parse(ATTENTION.format(first="y = torch.stack(rows)"))
    shape = (5, 2, 4) if tokens_first else (2, 5, 4)

    found = of_result(asked, answer({"result": numbers(*shape)}), wrong("off"), tree)

    said = "`torch.stack(rows)` puts the tokens in front of the sequences: stack along `dim=1`"
    assert found == ((said, 7) if is_told else None)


@pytest.mark.parametrize(("shape", "is_told"), [((1, 2, 5, 3), True), ((2, 2, 5, 3), False), ((2, 5, 3), False)])
def test_a_mask_of_four_axes_is_told_where_the_result_has_as_many(shape: tuple[int, ...], is_told: bool) -> None:
    asked = question("output", {"x": numbers(2, 5, 3)}, of=CLASS)
    asked = replace(asked, exercise=replace(asked.exercise, axes={"x": ("B", "T", "d_in")}))
    tree = ast.parse(ATTENTION.format(first="y = scores.masked_fill(self.mask[None, None], -torch.inf)"))

    found = of_result(asked, answer({"result": numbers(*shape)}), wrong("off"), tree)

    assert (found is not None and "gives the mask four axes" in found[0]) == is_told


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
    tree = ast.parse(ATTENTION.format(first=first))

    found = of_result(asked, answer({"result": numbers(2, 5, width)}), wrong("off"), tree)

    said = "`weights @ x` blends `x` itself: blend the values, which W_value makes of it"
    assert found == ((said, 0) if is_told else None)


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

    found = of_result(asked, answer({"result": numbers(5, 5)}), wrong(off), ast.parse(LATE.format(body)))

    assert (found is not None) == is_told
    assert found is None or "fills in minus infinity only after softmax" in found[0]
