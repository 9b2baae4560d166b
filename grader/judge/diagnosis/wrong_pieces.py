"""What to say of the pieces of a source that are all that is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from grader.judge.diagnosis.pieces import Repair, Side
from grader.judge.source.joined import Joined
from grader.model.text import as_sentence, clean
from grader.words import say


class Scope(Enum):
    """Where pieces of a source are all that is wrong."""

    FILE = auto()
    # Something else is wrong in what the definition makes use of.
    DEFINITION = auto()
    # Another step finds something else in the same definition.
    STEP = auto()


def all_that_is_wrong(some: Sequence[Repair], source: Joined, scope: Scope = Scope.FILE, of: str = "") -> str:
    """What to say of the pieces of a source that are all that is wrong in a definition, one or a few of them."""
    first, *others = some
    if not others and first.is_step and scope is Scope.FILE:
        return say("judge.lacks-a-step", code=first.code)
    if not others and first.side is Side.BEFORE:
        return say("judge.begun-in-each-turn", code=first.code)
    if not others and first.side is Side.INSIDE:
        return say("judge.begun-once", code=first.code)
    if not others and first.is_fill and scope is Scope.FILE:
        return say("judge.right-but-for-a-fill", piece=_piece(first))
    pieces = _piece(first)
    for other in others:
        pieces = say("judge.piece-and-piece", one=pieces, other=_piece(other), line=_line(other, source))
    match scope:
        case Scope.FILE:
            return say("judge.right-but-for", pieces=pieces)
        case Scope.DEFINITION:
            return say("judge.right-within-but-for", of=of, pieces=pieces)
        case Scope.STEP:
            return say("judge.right-here-but-for", pieces=pieces)


def wrong_besides(repair: Repair, source: Joined) -> str:
    """What to say of a piece that is wrong beside what is told already."""
    return as_sentence(say("judge.wrong-besides", piece=_piece(repair), line=_line(repair, source)))


def _line(repair: Repair, source: Joined) -> str:
    """The number of a line, and where it does not stand in the exercise's own file, in which it does."""
    file, line = source.place(repair.line)
    return say("judge.line-of-file", line=line, file=clean(file, 80)) if file else f"{line}"


def _piece(repair: Repair) -> str:
    whole = {"whole": repair.within} if repair.within else {}
    return say("judge.piece-within" if whole else "judge.piece", code=repair.code, **whole)
