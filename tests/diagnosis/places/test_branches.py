"""The branches of `where` are only called exchanged where the mask itself says what is hidden."""

# ruff: noqa: E501 - what is written and what is due read best side by side

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.as_written import as_written
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.place import culprit

CLASS = """
class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mask", {})

    def forward(self, s):
        n = s.shape[1]
        s = {}
        return s.softmax(-1)
"""
UPPER = "torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)"
LOWER = "torch.tril(torch.ones(n, n, dtype=torch.bool))"
FUNCTION = "def mask_scores(scores, mask):\n    return {}\n"


@pytest.mark.parametrize(
    ("made", "used", "due"),
    [
        (UPPER, "torch.where(self.mask[:n, :n], s, -torch.inf)", "torch.where(self.mask[:n, :n], -torch.inf, s)"),
        (UPPER, "torch.where(self.mask.bool()[:n, :n], s, float('-inf'))", "torch.where(self.mask.bool()[:n, :n], float('-inf'), s)"),
        (UPPER, "torch.where(self.mask == 1, s, -1e9)", "torch.where(self.mask == 1, -1e9, s)"),
        (UPPER, "s.where(self.mask == 1, -torch.inf)", "s.where(~(self.mask == 1), -torch.inf)"),
        (UPPER, "s.where(self.mask[:n, :n], -torch.inf)", "s.where(~self.mask[:n, :n], -torch.inf)"),
        ("torch.arange(n) > torch.arange(n)[:, None]", "torch.where(self.mask, s, -torch.inf)", "torch.where(self.mask, -torch.inf, s)"),
        (LOWER, "torch.where(self.mask[:n, :n], -torch.inf, s)", "torch.where(self.mask[:n, :n], s, -torch.inf)"),
    ],
)  # fmt: skip
def test_exchanged_branches_are_told_at_their_line(made: str, used: str, due: str) -> None:
    tree = ast.parse(CLASS.format(made, used))

    placed, notes = as_written([Mistake("mask-inverted", 5)], tree, "A", None)

    assert culprit(tree, "A", "mask-inverted") == 9
    assert placed == (Mistake("mask-inverted", 9),)
    assert [note.partition("write ")[2] for note in notes] == [f"`{due}`"]


@pytest.mark.parametrize(
    ("made", "used"),
    [
        (UPPER, "torch.where(self.mask[:n, :n], -torch.inf, s)"),
        (UPPER, "torch.where(~self.mask[:n, :n], s, -torch.inf)"),
        (UPPER, "torch.where(self.mask[:n, :n], s, 0.0)"),
        (LOWER, "torch.where(self.mask[:n, :n], s, -torch.inf)"),
        (LOWER, "torch.where(self.mask == 0, -torch.inf, s)"),
        (LOWER, "torch.where(self.mask.logical_not(), s, -torch.inf)"),
        (UPPER, "s.masked_fill(~self.mask[:n, :n], -torch.inf)"),
    ],
)
def test_nothing_is_said_where_they_may_be_right(made: str, used: str) -> None:
    assert as_written([Mistake("mask-inverted", 5)], ast.parse(CLASS.format(made, used)), "A", None)[1] == []


@pytest.mark.parametrize(
    ("used", "is_told"),
    [
        ("torch.where(mask, scores, -torch.inf)", True),
        ("torch.where(mask, -torch.inf, scores)", False),
        ("torch.where(other, scores, -torch.inf)", False),
        ("torch.where(allowed, -torch.inf, scores)", True),
        ("torch.where(future, scores, -torch.inf)", True),
    ],
)
def test_a_mask_that_is_given_is_true_where_scores_are_hidden(used: str, is_told: bool) -> None:
    notes = as_written([Mistake("mask-inverted", 2)], ast.parse(FUNCTION.format(used)), "mask_scores", None)[1]

    assert bool(notes) is is_told
