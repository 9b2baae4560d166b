"""What is wrong with heads side by side is told once, by its cause and with its line; other steps point to it."""
# ruff: noqa: E501 - a mistake and what is said of it read best side by side

from __future__ import annotations

import pytest

from grader.model.report import Verdict

from .submissions import EX11, Marking, edited, verdicts, with_module

# Graded in passing: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

HANDED = "CausalAttention(d_in, d_out, context_length, dropout, qkv_bias) for"
EXCHANGED = edited(EX11, (HANDED, "CausalAttention(d_in, d_out, context_length, qkv_bias, dropout) for"))


def told(mark: Marking, source: str) -> dict[str, Verdict]:
    """The verdicts of a wrapper, by the short names of its steps."""
    found = verdicts(mark(with_module(EX11, source), EX11))
    return {name.removeprefix("ex11."): each for name, each in found.items()}


def line_of(source: str, text: str) -> int:
    (number,) = (i for i, line in enumerate(source.splitlines(), 1) if text in line)
    return number


def test_arguments_that_are_exchanged_are_told_at_the_first_step_and_no_mistake_that_comes_of_it(mark: Marking) -> None:
    steps = told(mark, EXCHANGED)

    said = "the order is CausalAttention(d_in, d_out, context_length, dropout, qkv_bias=False), and `qkv_bias` stands where `dropout` belongs"
    assert steps["parameters"].remark == said
    assert steps["parameters"].line == line_of(EXCHANGED, "qkv_bias, dropout) for")
    assert not any(each.diagnosis for each in steps.values())
    wrong = [name for name, each in steps.items() if each.status != "passed"]
    assert wrong == ["parameters", "bias", "dropout", "gradients"]
    for name in wrong[1:]:
        cause = steps[name].cause
        assert cause is not None and cause.step == "ex11.parameters", name
