"""What is said of a step whose result is spoilt elsewhere: by a result that it asks more of, or by what it calls."""

from __future__ import annotations

from dataclasses import replace

from grader.judge.summaries import SPOILT, is_said, without_case
from grader.model.report import Verdict
from grader.model.text import as_sentence
from grader.words import heard, say


def briefly(decided: Verdict, its: Verdict) -> Verdict:
    """A verdict that comes of another step, without what that says of what spoils the result. its: that step's."""
    if not is_said(SPOILT, without_case(decided.summary)):
        return decided
    there = {as_sentence(each) for each in (*its.notes, *(found.message for found in its.diagnosis))}
    notes = tuple(note for note in decided.notes if as_sentence(note) not in there)
    remark = decided.remark if decided.remark in notes else None
    return replace(decided, summary=as_sentence(say("judge.nothing-yet")), notes=notes, remark=remark)


def is_scaled_there(its: Verdict, decided: Verdict) -> bool:
    """Whether what is called is divided by a root for nothing, by which it is divided once too often here."""
    is_divided = {found.id for found in decided.diagnosis} == {"scale-no-sqrt"}
    return is_divided and heard("judge.scaled-needlessly", its.remark or "") is not None
