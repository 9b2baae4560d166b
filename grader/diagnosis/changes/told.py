"""What to say of the pieces of a source that are all that is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

from grader.diagnosis.changes.pieces import KEPT, Repair, Scope, Side
from grader.diagnosis.source.joined import Joined
from grader.model.text import clean
from grader.words import heard, say


def all_that_is_wrong(some: Sequence[Repair], source: Joined, scope: Scope, of: str) -> str:
    """What to say of the pieces of a source that are all that is wrong in a definition, one or a few of them."""
    first, *others = some
    if not others and first.side is Side.BEFORE:
        return say("judge.begun-in-each-turn", code=first.code)
    if not others and first.side is Side.INSIDE:
        return say("judge.begun-once", code=first.code)
    what = _what(first, others, source)
    match scope:
        case Scope.FILE:
            return say("judge.rest-is-right", what=what)
        case Scope.DEFINITION:
            return say("judge.right-within", of=of, what=what)
        case Scope.STEP:
            return say("judge.right-here", what=what)
        case Scope.DEFINITION_FOR_STEP:
            return say("judge.right-within-here", of=of, what=what)


def wrong_besides(repair: Repair, source: Joined) -> str:
    """What to say of a piece that is wrong beside what is told already, where the rest is right."""
    what = say("judge.wrong-besides", piece=_piece(repair), line=line_of(repair.line, source))
    return say("judge.rest-is-right", what=what)


def within(note: str, of: str) -> str:
    """What was said of pieces of a definition, where its rest is not right: it calls what goes wrong elsewhere."""
    found = heard("judge.rest-is-right", note)
    if found is None:
        return note
    is_besides = heard("judge.wrong-besides", found["what"]) is not None  # which claims no more than that
    return found["what"] if is_besides else say("judge.right-within", of=of, what=found["what"])


def line_of(line: int, source: Joined) -> str:
    """The number of a line, and where it does not stand in the exercise's own file, in which it does."""
    file, line = source.place(line)
    return say("judge.line-of-file", line=line, file=clean(file, 80)) if file else f"{line}"


def _what(first: Repair, others: Sequence[Repair], source: Joined) -> str:
    if not others and first.is_exponential:
        return say("judge.lacks-an-exponential", code=first.code)
    if not others and first.is_step:
        return say("judge.lacks-a-step", code=first.code)
    if not others and first.keeps_axis:
        return say("judge.lacks-an-axis", code=first.code)
    if not others and first.is_fill and first.is_like_others:
        return say("judge.all-that-is-wrong-is-a-score", piece=_piece(first))
    if not others and first.is_fill:
        return say("judge.all-that-is-wrong-is-a-fill", piece=_piece(first))
    pieces = _piece(first)
    told = {(pieces, first.line)}
    for other in others:
        if (_piece(other), other.line) in told:  # the same in one line is read once
            continue
        told.add((_piece(other), other.line))
        pieces = say("judge.piece-and-piece", one=pieces, other=_piece(other), line=line_of(other.line, source))
    return say("judge.all-that-is-wrong", pieces=pieces)


def _piece(repair: Repair) -> str:
    if repair.keeps_axis:
        return say("judge.piece-without-axis", code=repair.code)
    if repair.leaves_axis:
        return say("judge.piece-within", code=KEPT, whole=repair.code)
    whole = {"whole": repair.within} if repair.within else {}
    return say("judge.piece-within" if whole else "judge.piece", code=repair.code, **whole)
