"""What is computed in vain where a known mistake says that it is missing, and what else its words leave open."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from grader.diagnosis.clues.batch import rebound
from grader.diagnosis.clues.lost import compared, lost
from grader.diagnosis.clues.printed import printed
from grader.diagnosis.clues.unseeing import all_but_zero, begun_askew, unseeing
from grader.diagnosis.clues.unused import unused
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.places.branches import exchanged
from grader.diagnosis.places.dropout import asks_outside, dropped_again, only_outside
from grader.diagnosis.places.patterns import DROPOUT
from grader.diagnosis.places.statements import Told, outside_init, statements_of
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

MASKING = re.compile(r"masked_fill")
# What is missing where the result of a call is, by a word that the call has.
MISSING: Mapping[str, re.Pattern[str]] = {
    "scale-missing": re.compile(r" / |\*|div|mul|sqrt"),
    "softmax-missing": re.compile(r"softmax|sum\("),
    "dropout-missing": re.compile(r"drop|ke(ep|pt)|\* [\w.]*mask"),
    "mask-discarded": re.compile(r"^[^(]* \+ "),  # of what masked_fill gives, the mistake's own words tell
    "out-proj-missing": re.compile(r"self\.(?!\w*drop)\w*(out|proj)"),
}


def in_vain(mistakes: Sequence[Mistake], tree: ast.Module, of: str) -> tuple[tuple[Mistake, ...], list[str]]:
    """Known mistakes, and what to say: of what is missing where it is computed in vain, of None where it is print's.

    Also of dropout that is called where it does nothing, or once more, and of branches that have changed places. Scores
    that are scaled in what is masked and let go are no mistake of their own: who goes on with that has both.
    """
    placed, notes = [], []
    masked = {mistake.line for mistake in mistakes if mistake.id == "mask-discarded" and mistake.line}
    for mistake in mistakes:
        told, lines = _told_of(mistake, tree, of)
        if mistake.id != "scale-missing" or masked.isdisjoint(lines):
            placed.append(replace(mistake, line=told[1]) if told and told[1] else mistake)
        if told and mistake.id in SAID_INSTEAD:
            placed[-1] = replace(placed[-1], said=told[0])
        else:
            notes += [told[0]] if told else []
    return tuple(placed), notes


def _told_of(mistake: Mistake, tree: ast.Module, of: str) -> tuple[Told | None, set[int]]:
    """What to say of a mistake, and the lines where what it says to be missing is computed."""
    finder, word = (SAID_BY | SAID_INSTEAD).get(mistake.id), MISSING.get(mistake.id)
    told = finder(tree, of) if finder is not None else None
    if told is None and word is not None:
        told = compared(tree, of, word=word) or lost(tree, of, word=word) or rebound(tree, of, word)
        if told is None and (made := unused(tree, of, word)):
            return made.told(), {made.first.line, made.last.line}
    return told, {told[1]} if told is not None else set()


def _dropped_outside(tree: ast.Module, of: str) -> Told | None:
    if (choice := only_outside(tree, of)) is not None:
        return say("judge.dropped-outside", test=clean(f"if {written(choice.test)}:", 60)), choice.lineno
    if (chosen := _chosen_outside(tree, of)) is not None:
        test = chosen.test if asks_outside(chosen.test) else ast.UnaryOp(ast.Not(), chosen.test)
        return say("judge.dropped-outside", test=clean(f"if {written(test)}", 60)), chosen.lineno
    return None


def _chosen_outside(tree: ast.Module, of: str) -> ast.IfExp | None:
    """The choice within a statement that calls dropout outside training, where a definition calls it nowhere else."""
    dropping = [each for each in outside_init(statements_of(tree, of)) if DROPOUT.search(each.text)]
    if len(dropping) != 1:
        return None
    calls = [each for each in walk(dropping[0].node) if isinstance(each, ast.Call) and DROPOUT.search(written(each))]
    for choice in (each for each in walk(dropping[0].node) if isinstance(each, ast.IfExp)):
        outside = choice.body if asks_outside(choice.test) else choice.orelse
        within = {id(inner) for inner in walk(outside)}
        if asks_outside(choice.test) is not None and calls and all(id(each) in within for each in calls):
            return choice
    return None


def _masked_in_vain(tree: ast.Module, of: str) -> Told | None:
    made = unused(tree, of, MASKING)
    return made.told() if made is not None and made.after else None  # what is let go for good is a mistake of its own


def _dropped_again(tree: ast.Module, of: str) -> Told | None:
    again = dropped_again(tree, of)
    return (say("judge.dropped-again", code=clean(again.text, 80)), again.line) if again is not None else None


def _branches_exchanged(tree: ast.Module, of: str) -> Told | None:
    branches = exchanged(statements_of(tree, of))
    if branches is None:
        return None
    _, call, due = branches
    return say("judge.branches-exchanged", code=short(call), due=clean(due, 120)), call.lineno


def _diagonal(tree: ast.Module, of: str) -> Told | None:
    return unseeing(tree, of) or begun_askew(tree, of)


# What speaks of a mistake, where something is said of it that its own words leave open.
SAID_BY: dict[str, Callable[[ast.Module, str], Told | None]] = {
    "dropout-missing": _dropped_outside,
    "dropout-on-context": _dropped_again,
    "mask-inverted": _branches_exchanged,
    "mask-missing": _masked_in_vain,
    "returns-none": printed,
}
# The same where that says all, so that the mistake's own words would say it twice.
SAID_INSTEAD: dict[str, Callable[[ast.Module, str], Told | None]] = {
    "mask-diagonal": _diagonal,
    "mask-zero-fill": all_but_zero,
}
