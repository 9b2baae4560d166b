"""What is said of a step whose result is spoilt elsewhere: by a result that it asks more of, or by what it calls."""

from __future__ import annotations

import re
from dataclasses import replace

from grader.diagnosis.changes.told import within
from grader.judge.summaries import SPOILT, is_said, parts_of, without_case
from grader.model.report import Cause, Status, Verdict
from grader.model.text import as_sentence
from grader.words import heard, say

# What fails by its result alone may have it from another.
BY_RESULT = (Status.FAILED, Status.PARTIAL)
# A piece of source in a sentence, in whatever language.
QUOTED = re.compile("`([^`]*)`")


def behind(decided: Verdict, cause: Cause, of: str, its: Verdict) -> Verdict:
    """A verdict on a definition that comes of another step, with nothing said of it that is said there, or is false.

    its: that step's.
    """
    decided = _briefly(decided, its)
    notes, remark = decided.notes, decided.remark
    if told := heard("judge.cause-called", cause.message):
        if makes_up(decided) or is_void(decided, str(told["called"])):
            notes, remark = tuple(note for note in notes if note != remark), None
        notes, remark = tuple(within(note, of) for note in notes), remark and within(remark, of)
    # Up to where it is right is told where it is made, or was told there: here it would be said of a call.
    return replace(decided, cause=cause, stage=None, summary=_said_behind(decided.summary), notes=notes, remark=remark)


def _briefly(decided: Verdict, its: Verdict) -> Verdict:
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


def _said_behind(summary: str) -> str:
    """What is said of a failure that may come of another: no advice that would only help where that one is right."""
    is_advice = is_said(("check.neither-dropped-nor-scaled",), summary)
    return as_sentence(say("check.dropout-unclear")) if is_advice else summary


def makes_up(decided: Verdict) -> bool:
    """Whether a result came right by one piece alone, whatever else is wrong: beside a call of what is, it makes up.

    What is wrong on its first cases would else not have left the rest right.
    """
    return decided.status in BY_RESULT and heard("judge.rest-is-right", decided.remark or "") is not None


def is_void(decided: Verdict, called: str) -> bool:
    """Whether nothing may be said of a piece that is wrong: it calls what is wrong elsewhere, or nothing was computed.

    Nothing is where a file that is imported cannot be read.
    """
    return _calls(decided, called) or heard("judge.cannot-read-imported", decided.summary) is not None


def _calls(decided: Verdict, called: str) -> bool:
    """Whether a piece that is told to be wrong for a step calls a definition, by its whole name."""
    remark = decided.remark or ""
    told = heard("judge.right-here", remark) or heard("judge.right-within-here", remark)
    pieces = QUOTED.findall(str(told["what"])) if told is not None else []
    return any(re.search(rf"(?<![\w.]){re.escape(called)}\(", code) for code in pieces)


def is_scaled_there(its: Verdict, decided: Verdict) -> bool:
    """Whether what is called is divided by a root for nothing, by which it is divided once too often here."""
    is_divided = {found.id for found in decided.diagnosis} == {"scale-no-sqrt"}
    return is_divided and heard("judge.scaled-needlessly", its.remark or "") is not None
