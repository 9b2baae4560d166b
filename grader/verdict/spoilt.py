"""What is said of a step that asks for more than a result, where the result is spoilt."""

from __future__ import annotations

from dataclasses import replace

from grader.judge.summaries import SPOILT, is_said, without_case
from grader.model.report import Verdict
from grader.model.text import as_sentence
from grader.words import say


def briefly(decided: Verdict, its: Verdict) -> Verdict:
    """A verdict that comes of another step, without what that says of what spoils the result. its: that step's."""
    if not is_said(SPOILT, without_case(decided.summary)):
        return decided
    there = {as_sentence(each) for each in (*its.notes, *(found.message for found in its.diagnosis))}
    notes = tuple(note for note in decided.notes if as_sentence(note) not in there)
    remark = decided.remark if decided.remark in notes else None
    return replace(decided, summary=as_sentence(say("judge.nothing-yet")), notes=notes, remark=remark)
