"""What is told of the pieces that are all that is wrong."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.changes.pieces import Repair, Scope, in_all_places
from grader.diagnosis.changes.repairs import repairs
from grader.diagnosis.changes.told import all_that_is_wrong, within, wrong_besides
from grader.diagnosis.source.joined import Joined
from grader.words import speaking
from tests.judge.hand_made import FUNCTION, function

ALONE = Joined("", "")


def of_file(*some: Repair, source: Joined = ALONE) -> str:
    return all_that_is_wrong(some, source, Scope.FILE, FUNCTION)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("return x * 2.0 ** x", "all that is wrong is `x * 2.0 ** x`; the rest is right as it stands"),
        ("return x.sum(dim=0)", "all that is wrong is `dim=0`; the rest is right as it stands"),
        ("return x.sum(0)", "all that is wrong is `0` in `x.sum(0)`; the rest is right as it stands"),
        (
            "return x / y.sum(-1)",
            "all that is missing is `keepdim=True` in `y.sum(-1)`, which keeps the axis; "
            "the rest is right as it stands",
        ),
        (
            "return x.sum(-1, keepdim=True)",
            "all that is wrong is `keepdim=True` in `x.sum(-1, keepdim=True)`; the rest is right as it stands",
        ),
        ("return x.sum(-2)", "all that is wrong is `-2` in `x.sum(-2)`; the rest is right as it stands"),
        (
            "return x.masked_fill(m, -100)",
            "all that is wrong is `-100` in `x.masked_fill(m, -100)`: that is a low score and not minus infinity, so "
            "beside scores as low as that it hides nothing; the rest is right as it stands",
        ),
    ],
)
def test_a_piece_is_quoted_so_that_it_is_found(source: str, said: str) -> None:
    assert said in [of_file(each) for each in repairs(ast.parse(function(source)), FUNCTION)]


def test_a_piece_in_several_places_is_read_once_for_each_line() -> None:
    wrong = function("y = g(len(x), len(x))", "return y[:len(x)]")
    some = next(each for each in in_all_places(repairs(ast.parse(wrong), FUNCTION)) if each[0].within == "len(x)")

    said = of_file(*some)

    assert "wrong is `x` in `len(x)` and, in line 3, `x` in `len(x)`;" in said


@pytest.mark.parametrize(
    ("line", "is_fill"),
    [
        ("return x.masked_fill(m, -100)", True),
        ("return x.masked_fill(m, value=-1e4)", True),
        ("x[m] = -50.0", True),
        ("return torch.where(m, -50, x)", True),
        ("return x + m * -100.0", True),
        ("return torch.where(x > 20.0, 20.0, x)", False),
        ("return x * (x > -20.0)", False),
        ("return x.clamp(-20.0, 20.0)", False),
        ("return x.clamp(min=-20.0)", False),
        ("return x / 64", False),
    ],
)
def test_a_number_is_told_to_hide_nothing_only_where_it_is_to_hide_something(line: str, is_fill: bool) -> None:
    large = [each for each in repairs(ast.parse(function(line)), FUNCTION) if each.text == "1e9"]

    assert {"low score" in of_file(each) for each in large} == {is_fill}


@pytest.mark.parametrize(
    ("line", "is_like_others"),
    [
        ("return x.masked_fill(m, -0.5)", True),
        ("return x.masked_fill(m, value=-1.0)", True),
        ("x[m] = -4.5", True),
        ("return x.masked_fill(m, -5.0)", False),
        ("return x.masked_fill(m, -1e20)", False),
    ],
)
def test_a_number_that_any_score_may_be_is_not_called_low(line: str, is_like_others: bool) -> None:
    (fill,) = {of_file(each) for each in repairs(ast.parse(function(line)), FUNCTION) if each.text == "1e9"}

    assert ("that is a score like any other, and it takes minus infinity to hide one" in fill) == is_like_others
    assert ("low score" in fill) != is_like_others


def test_what_was_forgotten_is_told_as_missing_and_two_pieces_with_the_second_ones_line() -> None:
    found = repairs(ast.parse(function("y = x + 2.0", "return y")), FUNCTION)
    step_of = next(each for each in found if each.is_step)
    exponential = next(each for each in found if each.is_step and each.text.endswith(".exp()"))
    first = next(each for each in found if each.code == "x + 2.0" and not each.is_step)
    last = next(each for each in found if each.line == 3 and each.is_step)

    assert of_file(step_of) == ("all that is missing is one more step with `x + 2.0`; the rest is right as it stands")
    assert of_file(exponential) == (
        "all that is missing is one more step with `x + 2.0`, the one that makes every number positive and keeps a "
        "larger one larger; the rest is right as it stands"
    )
    assert of_file(first, last) == (
        "all that is wrong is `x + 2.0` and, in line 3, `y`; the rest is right as it stands"
    )
    elsewhere = Joined("", "", (("helpers.py", 2),))
    assert "and, in line 1 of `helpers.py`, `y`;" in of_file(first, last, source=elsewhere)


def test_what_is_begun_on_the_wrong_side_of_a_loop_is_told_so() -> None:
    loop = function("for row in x:", "    s = 0.0", "    s = s + row", "return s")
    moved = next(each for each in repairs(ast.parse(loop), FUNCTION) if each.side)

    assert of_file(moved) == (
        "`s = 0.0` stands in the loop, so that each turn begins anew and only the last one counts: "
        "move it before the loop"
    )


def some_pieces() -> list[tuple[Repair, str]]:
    """A piece of each kind, and what is said of it."""
    number, fill, step_of = (
        repairs(ast.parse(function(line)), FUNCTION) for line in ("return x ** 3", "x[m] = -50.0", "return x + 2.0")
    )
    return [
        (next(each for each in number if each.code == "3"), "all that is wrong is `3` in `x ** 3`"),
        (
            next(each for each in fill if each.text == "1e9"),
            "all that is wrong is `-50.0` in `x[m] = -50.0`: that is a low score and not minus infinity, so beside "
            "scores as low as that it hides nothing",
        ),
        (next(each for each in step_of if each.is_step), "all that is missing is one more step with `x + 2.0`"),
    ]


def test_no_rest_is_called_right_that_another_step_or_definition_finds_wrong() -> None:
    for piece, what in some_pieces():
        assert [all_that_is_wrong([piece], ALONE, scope, FUNCTION) for scope in Scope] == [
            f"{what}; the rest is right as it stands",
            f"in `{FUNCTION}` itself, {what}",
            f"for this step, {what}",
            f"for this step, in `{FUNCTION}` itself, {what}",
        ]


@pytest.mark.parametrize("code", ["en", "de", "es"])
def test_nothing_that_was_said_of_a_rest_is_kept_where_it_calls_what_is_wrong(code: str) -> None:
    with speaking(code):
        for piece, _ in some_pieces():
            told = [all_that_is_wrong([piece], ALONE, scope, FUNCTION) for scope in Scope]

            assert within(told[0], FUNCTION) == told[1]
            assert [within(each, FUNCTION) for each in told[1:]] == told[1:]
            besides = wrong_besides(piece, ALONE)
            assert besides.startswith(within(besides, FUNCTION) + ";")


def test_one_of_several_pieces_is_told_what_it_lacks() -> None:
    source = function("y = x.sum(-1)\n    return x * y")
    lacking = next(each for each in repairs(ast.parse(source), FUNCTION) if each.keeps_axis)

    assert wrong_besides(lacking, ALONE).startswith(
        f"in line {lacking.line}, `x.sum(-1)` without `keepdim=True` is wrong"
    )
