"""A result that nobody keeps is told with what to write, and what changes something in its place is not."""

from __future__ import annotations

import re

import pytest

from grader.diagnosis.clues.lost import compared, lost
from tests.judge.hand_made import class_doing


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("x.transpose(1, 2)", "x"),
        ("x.masked_fill(x > 0, -torch.inf)", "x"),
        ("torch.softmax(x, dim=-1)", "x"),
        ("nn.functional.dropout(x, 0.5)", "x"),
        ("F.softmax(x, -1)", "x"),
        ("self.out_proj(x)", "x"),
        ("self.dropout(x)", "x"),
        ("x / x.shape[-1] ** 0.5", "x"),
    ],
)
def test_a_result_that_nobody_keeps_is_told_with_what_to_write(statement: str, name: str) -> None:
    said = f"`{statement}` gives a new tensor that nothing keeps: write `{name} = {statement}`"

    assert lost(class_doing(statement), "A") == (said, 11)


def test_a_result_that_has_no_name_to_go_under_is_told_too() -> None:
    said = "`(x @ x).transpose(1, 2)` gives a new tensor that nothing keeps: give it a name, and go on with that"

    assert lost(class_doing("(x @ x).transpose(1, 2)"), "A") == (said, 11)


@pytest.mark.parametrize(
    "statement",
    [
        "x = x.transpose(1, 2)",
        "x.masked_fill_(x > 0, -torch.inf)",
        "x.transpose_(1, 2)",
        "torch.softmax(x, dim=-1, out=x)",
        "F.dropout(x, 0.5, inplace=True)",
        "self.sudden(x)",
        "self.heads(x)",
        "self.view(x)",
        "self.train()",
        "print(x.transpose(1, 2))",
        "rows.append(x.view(2, 3))",
        "nn.init.eye_(x)",
        "x.sum()",
        "','.join(x)",
        "softmax(x)",
        "'a string about x.view(2)'",
    ],
)
def test_what_changes_something_or_is_no_tensors_is_not_told(statement: str) -> None:
    assert lost(class_doing(statement), "A") is None


def test_only_another_shape_explains_an_error_about_sizes() -> None:
    assert lost(class_doing("x.softmax(-1)"), "A", shaping=True) is None
    assert lost(class_doing("x / 2"), "A", shaping=True) is None
    assert lost(class_doing("x.softmax(-1)\n        x.view(2, 3)"), "A", shaping=True) == (
        "`x.view(2, 3)` gives a new tensor that nothing keeps: write `x = x.view(2, 3)`",
        12,
    )


@pytest.mark.parametrize(
    ("statement", "due"),
    [
        ("x == self.dropout(x)", "x = self.dropout(x)"),
        ("self.width == x.shape[-1]", "self.width = x.shape[-1]"),
        ("x = y == self.dropout(x)", ""),
        ("assert x == y", ""),
        ("x < y", ""),
        ("x == y == z", ""),
        ("1 == x", ""),
    ],
)
def test_a_comparison_that_was_to_be_an_assignment_is_told(statement: str, due: str) -> None:
    said = f"`==` compares and keeps nothing: write `{due}`"

    assert compared(class_doing(statement), "A") == ((said, 11) if due else None)


def test_a_comparison_is_looked_for_by_the_name_to_its_left() -> None:
    assert compared(class_doing("x == self.dropout(x)"), "A", "x") is not None
    assert compared(class_doing("x == self.dropout(x)"), "A", "y") is None
    assert compared(class_doing("x == self.dropout(x)"), "A", word=re.compile("softmax")) is None
