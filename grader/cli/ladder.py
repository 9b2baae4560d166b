"""A step's ladder of hints, as far as it is shown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from grader.report.lines import width
from grader.words import say

if TYPE_CHECKING:
    from grader.model.pack import Step


def ladder(step: Step, level: int, again: str) -> Iterator[str]:
    """The lines that show so many hints of a step. again: the command for one more."""
    yield f"{step.id}  {step.title}"
    for number, text in enumerate(step.hints[:level], 1):
        yield textwrap.fill(text, width(), initial_indent=f"  {number}. ", subsequent_indent="     ")
    left = len(step.hints) - level
    yield f"  {say('hint.more-left', left=left, again=again) if left > 0 else say('hint.was-last')}"
