"""Marks in a file that are none of Python's: of Markdown, where it was copied from, and of Git, where it was merged."""

from __future__ import annotations

import re

from grader.model.observation import Fault
from grader.words import say

FENCE = re.compile(r"\s*```")
CONFLICT = re.compile(r"\s*([<=>|])\1{6}(\s|$)")


def of_fault(fault: Fault, text: str) -> str:
    """What there is to say of a line that Python cannot read, and that is such a mark; "" elsewhere."""
    if fault.kind != "syntax":
        return ""
    if FENCE.match(text):
        return say("judge.fence")
    return say("judge.conflict") if CONFLICT.match(text) else ""
