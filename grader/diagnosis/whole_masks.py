"""Finds a mask of the whole context that met a shorter sequence: a mistake of its own, which spoils what it meets."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from grader.diagnosis import evidence
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.explain import Answered
from grader.diagnosis.place import unsliced
from grader.model.observation import Fault
from grader.model.text import line_at

# What a case raised, and in which line of the source; None and 0 for nothing, or nothing of its own.
Raised = tuple[Fault | None, int]


def uncut(
    answered: Sequence[Answered], raised: Sequence[Raised], tree: ast.Module, lines: Sequence[str]
) -> tuple[list[Answered], tuple[Mistake, ...]]:
    """What came of some cases without those that such a mask may have spoilt, and the mistake, if it is made.

    lines: of the source.
    """
    for each, (fault, line) in zip(answered, raised, strict=True):
        case = each.question.case
        if fault is not None and evidence.is_unsliced_mask(fault, line_at(lines, line), case):
            pairs = zip(answered, raised, strict=True)
            left = [replace(one, own=None) if _may_be_of_it(one, fault) else one for one, (fault, _) in pairs]
            return left, (Mistake("mask-not-sliced", unsliced(tree, each.question.step.of, line)),)
    return [*answered], ()


def _may_be_of_it(answered: Answered, fault: Fault | None) -> bool:
    return evidence.may_be_of_whole_context(fault, answered.question.case)
