"""A number with a comma is told as one where Python reads two, and nothing that is right looks like it."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.evidence import certain
from grader.diagnosis.slips.decimals import of_fault, split
from grader.model.observation import Fault

TOLD = "`{}` is two numbers to Python: write `{}`, with a point"


@pytest.mark.parametrize(
    ("code", "written", "due"),
    [
        ("return q @ k.T / d ** 0,5", "0,5", "0.5"),
        ("return torch.softmax(s * d ** -0,5, dim=-1)", "0,5", "0.5"),
        ("s = q * 0,125", "0,125", "0.125"),
        ("return w * mask / (1,0 - p)", "1,0", "1.0"),
        ("scale = 1,0 / math.sqrt(d)", "1,0", "1.0"),
    ],
)
def test_a_number_with_a_comma_is_told_with_what_to_write(code: str, written: str, due: str) -> None:
    tree = ast.parse(f"def f(q, k):\n    {code}\n")

    assert split(tree, "f") == (TOLD.format(written, due), 2)


@pytest.mark.parametrize(
    "code",
    [
        "return torch.rand(2,3)",
        "return x.transpose(0,1)",
        "return x.view(b,2*d)",
        "return x.view(2*n,5)",
        "return ((q - k)**2,1)",
        "return torch.sum((q - k)**2,1)",
        "return torch.where(a > 0,1,0)",
        "return x ** 0.5, 1",
        "return x + True,5",
    ],
)
def test_two_numbers_are_two_numbers(code: str) -> None:
    assert split(ast.parse(f"def f(x):\n    {code}\n"), "f") is None


def test_an_error_is_told_with_the_number_s_own_line() -> None:
    tree = ast.parse("def f(q, k):\n    scale = 3 ** 0,5\n    return q / scale\n")
    of_a_tuple = Fault("exception", "TypeError", "unsupported operand type(s) for /: 'Tensor' and 'tuple'")

    assert of_fault(of_a_tuple, tree, "f", "return q / scale") == (TOLD.format("0,5", "0.5"), 2)
    assert of_fault(Fault("exception", "RuntimeError", "shapes"), tree, "f", "return q / scale") is None


def test_what_python_cannot_read_is_told_too() -> None:
    fault = Fault("syntax", "SyntaxError", "invalid syntax")

    assert of_fault(fault, None, "f", "    if p == 1,0:") == (TOLD.format("1,0", "1.0"), 0)
    assert of_fault(fault, None, "f", "    if p == 1 0:") is None


def test_no_known_mistake_is_named_beside_it() -> None:
    source = "def f(q, k):\n    return q @ k.T / k.shape[-1] ** 0,5\n"

    assert certain({frozenset({"scale-missing"})}, source, "f") == ()
