"""The numbers of an error about shapes are told in the lesson's terms, and only where each is one thing."""
# ruff: noqa: E501 - a message and what is said of it read best side by side

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.diagnosis import sizes
from grader.model.pack import CaseTemplate, Draw

from ..judge.hand_made import exercise, step

AXES = {"x": ("B", "T", "d_in")}
MADE = ("B * T", "d_out / num_heads", "B * T * d_out")
CONSTRUCT = {"d_in": 7, "d_out": 12, "context_length": 9, "dropout": 0.0, "num_heads": 3, "qkv_bias": True}
MULTIPLIED = "mat1 and mat2 shapes cannot be multiplied ({} and {})"


def template(name: str, *shape: int, **construct: Any) -> CaseTemplate:
    return CaseTemplate(name, {**CONSTRUCT, **construct}, {"x": Draw("normal", shape)})


RANDOM = template("random", 2, 5, 7)
WIDE = template("wide", 4, 6, 8, d_in=8, d_out=10, num_heads=2)


def told(message: str, case: CaseTemplate = RANDOM, **options: Any) -> str:
    asked = step(cases=("random", "wide"), options=options)
    cases = {"random": RANDOM, "wide": WIDE}
    return sizes.explained(exercise(asked, cases=cases, axes=AXES, sizes=MADE), asked, case, message)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (MULTIPLIED.format("10x7", "12x7"), "10 = B·T, 7 = d_in, 12 = d_out"),
        (MULTIPLIED.format("10x4", "12x12"), "10 = B·T, 4 = d_out / num_heads, 12 = d_out"),
        (
            "The size of tensor a (5) must match the size of tensor b (9) at non-singleton dimension 3",
            "5 = T, 9 = context_length",
        ),
        ("shape '[2, 5, 3, 4]' is invalid for input of size 120", "2 = B, 5 = T, 3 = num_heads, 4 = d_out / num_heads, 120 = B·T·d_out"),
        ("Expected size for first two dimensions of batch2 tensor to be: [2, 7] but got: [2, 5].", "2 = B, 7 = d_in, 5 = T"),
        ("Sizes of tensors must match except in dimension 3. Expected size 5 but got size 7 for tensor number 2 in the list.", "5 = T, 7 = d_in"),
        ("expand(torch.FloatTensor{[12, 7]}, size=[7]): the number of sizes provided (1) must be greater or equal to the number of dimensions in the tensor (2)", "12 = d_out, 7 = d_in"),
        ("Expected a proper Tensor but got None (or an undefined Tensor) 12", ""),
        ("dropout probability has to be between 0 and 1, but got 5", ""),
        ("no shape at all", ""),
    ],
)  # fmt: skip
def test_a_number_with_one_reading_is_told(message: str, expected: str) -> None:
    assert told(message) == expected


def test_a_value_that_is_asked_for_beside_the_cases_is_a_reading_more() -> None:
    message = MULTIPLIED.format("10x7", "12x5")

    assert told(message, also={"d_out": 7}) == "10 = B·T, 12 = d_out, 5 = T"


def test_a_number_with_two_readings_is_left_out() -> None:
    square = template("square", 3, 5, 7, num_heads=3)

    assert told(MULTIPLIED.format("3x5", "12x7"), square) == "5 = T, 12 = d_out, 7 = d_in"


def test_of_a_shape_that_is_of_no_tensor_of_the_case_nothing_is_told() -> None:
    assert told(MULTIPLIED.format("11x3", "7x12")) == "7 = d_in, 12 = d_out"


def test_the_numbers_are_those_of_the_case_that_was_asked() -> None:
    heads = "Expected size for first two dimensions of batch2 tensor to be: [6, 4] but got: [6, 5]"

    assert told(heads) == ""  # 6 = B · num_heads has no name here, although there it is T
    assert told(heads, WIDE) == "6 = T, 4 = B, 5 = d_out / num_heads"


def test_an_argument_that_the_check_changes_is_left_out() -> None:
    assert told(MULTIPLIED.format("3x4", "7x12"), argument="num_heads") == "7 = d_in, 12 = d_out"


def test_an_argument_that_the_check_names_and_keeps_is_told() -> None:
    message = "The size of tensor a (5) must match the size of tensor b (9)"

    assert told(message, longest="context_length") == "5 = T, 9 = context_length"
    assert told(message, argument="context_length") == "5 = T"


def test_a_number_that_the_check_gives_an_argument_is_left_out() -> None:
    message = "The size of tensor a (12) must match the size of tensor b (7)"

    assert told(message, argument="num_heads", values=[2, 12]) == "7 = d_in"


def test_a_number_that_stands_in_the_source_of_what_failed_is_left_out() -> None:
    message = "The size of tensor a (2) must match the size of tensor b (5)"
    asked = step(cases=("random",))
    made = exercise(asked, cases={"random": RANDOM}, axes=AXES, sizes=MADE)

    assert sizes.explained(made, asked, RANDOM, message) == "2 = B, 5 = T"
    assert sizes.explained(made, asked, RANDOM, message, ("x2", "self.mask[:2, :n]")) == "5 = T"


def test_one_name_for_two_sizes_is_none() -> None:
    assert told(MULTIPLIED.format("8x8", "12x12"), template("odd", 2, 5, 8)) == "12 = d_out"


@pytest.mark.parametrize(
    ("draw", "shape"),
    [
        (Draw("eye", (4,)), (4, 4)),
        (Draw("normal", (2, 3)), (2, 3)),
        (Draw("stack", parts=(Draw("eye", (7,)), Draw("eye", (7,)))), (2, 7, 7)),
        (Draw("join", settings={"axis": -1}, parts=(Draw("normal", (3, 7, 7)), Draw("normal", (3, 7, 2)))), (3, 7, 9)),
        (Draw("repeat", settings={"axis": 0, "times": 4}, parts=(Draw("eye", (7,)),)), (28, 7)),
        (Draw("lesson", settings={"of": "embeddings"}), ()),
        (Draw("join", settings={"axis": 0}, parts=(Draw("lesson"), Draw("lesson"))), ()),
    ],
)
def test_the_shape_of_what_is_drawn_is_known_without_drawing(draw: Draw, shape: tuple[int, ...]) -> None:
    assert sizes.shape(draw) == shape


@given(st.text(alphabet="0123456789x()[], size shape", max_size=300))
def test_whatever_a_message_holds_only_true_equations_are_told(message: str) -> None:
    said = told(message)

    values = {"B": 2, "T": 5, "d_in": 7, "d_out": 12, "context_length": 9, "num_heads": 3, "B·T": 10,
              "d_out / num_heads": 4, "B·T·d_out": 120}  # fmt: skip
    for equation in said.split(", ") if said else []:
        number, _, name = equation.partition(" = ")
        assert values[name] == int(number)
