"""A mask of the whole context that met a shorter sequence is one mistake, and what it spoilt says nothing of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.diagnosis.explain import Answered
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.whole_masks import Raised, uncut
from grader.model.case import Case
from grader.model.check import Question
from grader.model.observation import Fault
from grader.model.pack import CaseTemplate, Definition, Exercise, Step

SOURCE = """class A(nn.Module):
    def forward(self, x):
        s = x @ x.mT
        s = s.masked_fill(self.mask, float("-inf"))
        return s
"""
TREE, LINES = parsed(SOURCE), SOURCE.splitlines()
MET = Fault("exception", "RuntimeError", "The size of tensor a (8) must match the size of tensor b (5)")
STEP = Step("ex90.output", "ex90_mask", "", 1, of="A", check="output")
EXERCISE = Exercise("ex90_mask", "", "", (STEP,), {}, {}, {"A": Definition("A", "(n)", ("n",), is_class=True)})
SEEN: Any = object()  # whatever came


def answered(tokens: int, most: int = 8) -> Answered:
    template = CaseTemplate(f"{tokens} of {most}", construct={"context_length": most})
    case = Case(template, "public", inputs={"x": np.zeros((2, tokens, 3))})
    return Answered(Question(EXERCISE, STEP, case), 1, SEEN)


def test_a_case_that_such_a_mask_spoilt_is_left_out_and_the_mistake_is_told_at_its_line() -> None:
    raised: list[Raised] = [(None, 0), (MET, 4), (None, 0)]

    left, (mistake,) = uncut([answered(8), answered(5), answered(1)], raised, TREE, LINES)

    # A single token's scores are stretched to any mask that they meet.
    assert [each.own is None for each in left] == [False, True, True]
    assert (mistake.id, mistake.line) == ("mask-not-sliced", 4)


def test_what_raises_in_a_line_without_a_mask_is_none_and_all_is_looked_at() -> None:
    some = [answered(8), answered(5)]

    assert uncut(some, [(None, 0), (MET, 3)], TREE, LINES) == (some, ())
    assert uncut(some, [(MET, 4), (None, 0)], TREE, LINES) == (some, ())  # of a sequence that is as long
    assert uncut(some, [(None, 0), (None, 0)], TREE, LINES) == (some, ())
