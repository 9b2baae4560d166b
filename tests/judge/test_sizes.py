"""The numbers of an error about shapes are told in the lesson's terms, and only where each is one thing."""
# ruff: noqa: E501 - a message and what is said of it read best side by side

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge import sizes
from grader.model.pack import CaseTemplate, Draw

from .hand_made import exercise, step

AXES = {"x": ("B", "T", "d_in")}
MADE = ("B * T", "d_out / num_heads", "B * T * d_out")
CONSTRUCT = {"d_in": 7, "d_out": 12, "context_length": 9, "dropout": 0.0, "num_heads": 3, "qkv_bias": True}
MULTIPLIED = "mat1 and mat2 shapes cannot be multiplied ({} and {})"


def template(name: str, *shape: int, **construct: Any) -> CaseTemplate:
    return CaseTemplate(name, {**CONSTRUCT, **construct}, {"x": Draw("normal", shape)})


RANDOM = template("random", 2, 5, 7)
WIDE = template("wide", 4, 6, 8, d_in=8, d_out=10, num_heads=2)


def told(message: str, *cases: CaseTemplate, **options: Any) -> str:
    given_cases = cases or (RANDOM,)
    named = {case.name: case for case in given_cases}
    asked = step(cases=tuple(named), options=options)
    return sizes.explained(exercise(asked, cases=named, axes=AXES, sizes=MADE), asked, message)


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
        ("Expected a proper Tensor but got None (or an undefined Tensor) 12", ""),
        ("dropout probability has to be between 0 and 1, but got 5", ""),
        ("no shape at all", ""),
    ],
)  # fmt: skip
def test_a_number_with_one_reading_is_told(message: str, expected: str) -> None:
    assert told(message) == expected


def test_a_number_with_two_readings_is_left_out() -> None:
    square = template("square", 3, 5, 7, num_heads=3)

    assert told(MULTIPLIED.format("3x5", "12x7"), square) == "5 = T, 12 = d_out, 7 = d_in"


def test_of_a_shape_that_is_of_no_tensor_of_the_case_nothing_is_told() -> None:
    assert told(MULTIPLIED.format("11x3", "7x12")) == "7 = d_in, 12 = d_out"


def test_the_case_is_the_one_that_has_a_reading_for_every_number() -> None:
    assert told(MULTIPLIED.format("24x8", "10x8"), RANDOM, WIDE) == "24 = B·T, 8 = d_in, 10 = d_out"
    assert told(MULTIPLIED.format("10x4", "12x12"), RANDOM, WIDE) == "10 = B·T, 4 = d_out / num_heads, 12 = d_out"


def test_what_two_cases_read_in_two_ways_is_left_out() -> None:
    other = template("other", 5, 2, 7)

    assert told(MULTIPLIED.format("10x7", "5x7"), RANDOM, other) == "10 = B·T, 7 = d_in"


def test_an_argument_that_the_check_changes_is_left_out() -> None:
    assert told(MULTIPLIED.format("3x4", "7x12"), argument="num_heads") == "7 = d_in, 12 = d_out"


def test_an_argument_that_the_check_names_and_keeps_is_told() -> None:
    message = "The size of tensor a (5) must match the size of tensor b (9)"

    assert told(message, longest="context_length") == "5 = T, 9 = context_length"
    assert told(message, argument="context_length") == "5 = T"


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
