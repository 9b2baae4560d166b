"""An assertion without a message is told with the call that led to it."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.slips.asserted import led_to
from grader.judge.checks.asking import asked
from grader.model.observation import Fault, Frame
from grader.model.run import Call, Make
from tests.judge.hand_made import CLASS, EXERCISE, FUNCTION, numbers, question

SOURCE = """
def same(a, b):
    assert a == b

def attend(x, p):
    same(x.shape[0],
         p)
    same(x, x), same(same(x, x), p)
"""
HERE = Frame(f"{EXERCISE}.py", 6, FUNCTION), Frame(f"{EXERCISE}.py", 3, "same")
SEVERAL = Frame(f"{EXERCISE}.py", 8, FUNCTION), HERE[1]
OF_CLASS = question("output", {"x": numbers(2, 5, 3)}, of=CLASS, construct={"d_in": 3, "d_out": 2})
OF_FUNCTION = question("output", {"x": numbers(4, 3), "p": 0.5}, of=FUNCTION)


@pytest.mark.parametrize(
    ("asks", "of_class", "frames", "said"),
    [
        (Make, True, HERE[:1], "what was called is `Attention(d_in=3, d_out=2)`"),
        (Call, True, HERE[:1], "what was called is `Attention(d_in=3, d_out=2)(x)`, `x` is (2, 5, 3)"),
        (Call, False, HERE[:1], "what was called is `attend(x, 0.5)`, `x` is (4, 3)"),
        (
            Call,
            False,
            HERE,
            "what was called is `attend(x, 0.5)`, `x` is (4, 3); by way of `same(x.shape[0], p)`",
        ),
        (Call, False, SEVERAL, "what was called is `attend(x, 0.5)`, `x` is (4, 3)"),
    ],
)
def test_what_led_to_an_assertion_is_told(asks: type, of_class: bool, frames: tuple[Frame, ...], said: str) -> None:
    of = OF_CLASS if of_class else OF_FUNCTION
    actions = asked(of)
    (place,) = (number for number, action in enumerate(actions) if isinstance(action, asks))
    fault = Fault("exception", "AssertionError", "", frames, action=place)

    assert led_to(of, fault, actions, ast.parse(SOURCE)) == said


@pytest.mark.parametrize(
    "fault",
    [
        Fault("exception", "AssertionError", "widths differ", HERE),
        Fault("exception", "ValueError", "", HERE),
        Fault("exception", "AssertionError", "", HERE[:1], action=99),
    ],
)
def test_of_what_says_more_or_is_something_else_nothing_is_told(fault: Fault) -> None:
    assert led_to(OF_FUNCTION, fault, asked(OF_FUNCTION), ast.parse(SOURCE)) == ""


@pytest.mark.parametrize(
    ("type_", "line", "is_told"), [("ValueError", 3, True), ("NotImplementedError", 3, False), ("ValueError", 4, False)]
)
def test_what_led_to_an_error_that_the_solution_raises_itself_is_told(type_: str, line: int, is_told: bool) -> None:
    tree = ast.parse("def attend(x, p):\n    if p:\n        raise ValueError('no')\n    return x.view(7)\n")
    actions = asked(OF_FUNCTION)
    (place,) = (number for number, action in enumerate(actions) if isinstance(action, Call))
    fault = Fault("exception", type_, "no", (Frame(f"{EXERCISE}.py", line, FUNCTION),), action=place)

    said = "`p` is so, what was called is `attend(x, 0.5)`, `x` is (4, 3)"
    assert led_to(OF_FUNCTION, fault, actions, tree) == (said if is_told else "")
