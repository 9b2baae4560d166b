"""What is said of a step whose result is spoilt elsewhere: by a result that it asks more of, or by what it calls."""

from __future__ import annotations

from dataclasses import replace

from grader.judge.summaries import SPOILT, is_said, parts_of, without_case
from grader.model.report import Verdict
from grader.model.text import as_sentence
from grader.words import heard, say


def briefly(decided: Verdict, its: Verdict) -> Verdict:
    """A verdict that comes of another step, without what that says of what spoils the result. its: that step's.

    That None came back is that step's mistake here as well.
    """
    if [found.id for found in its.diagnosis] == ["returns-none"] and _is_of_none(decided):
        return replace(decided, diagnosis=its.diagnosis)
    if not is_said(SPOILT, without_case(decided.summary)):
        return decided
    there = {as_sentence(each) for each in (*its.notes, *(found.message for found in its.diagnosis))}
    notes = tuple(note for note in decided.notes if as_sentence(note) not in there)
    remark = decided.remark if decided.remark in notes else None
    return replace(decided, summary=as_sentence(say("judge.nothing-yet")), notes=notes, remark=remark)


def _is_of_none(decided: Verdict) -> bool:
    """Whether a step that knows no mistake says nothing but that None came back."""
    given = parts_of("check.no-vector-each", decided.summary) or {"got": ""}
    sent_back = heard("judge.detached-no-tensor", decided.summary) or {"type": ""}
    is_none = given["got"] == "None" or sent_back["type"].split()[-1:] == ["NoneType"]
    return is_none and not decided.diagnosis


def is_scaled_there(its: Verdict, decided: Verdict) -> bool:
    """Whether what is called is divided by a root for nothing, by which it is divided once too often here."""
    is_divided = {found.id for found in decided.diagnosis} == {"scale-no-sqrt"}
    return is_divided and heard("judge.scaled-needlessly", its.remark or "") is not None
