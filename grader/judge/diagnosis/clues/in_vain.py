"""What is computed in vain where a known mistake says that it is missing, and what else its words leave open."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.judge.diagnosis.clues.batch import rebound
from grader.judge.diagnosis.clues.lost import compared, lost
from grader.judge.diagnosis.clues.printed import printed
from grader.judge.diagnosis.clues.unseeing import all_but_zero, begun_askew, unseeing
from grader.judge.diagnosis.clues.unused import unused
from grader.judge.diagnosis.evidence import Mistake
from grader.judge.diagnosis.places.branches import exchanged
from grader.judge.diagnosis.places.dropout import dropped_again, only_outside
from grader.judge.diagnosis.places.statements import statements_of
from grader.judge.diagnosis.places.texts import short, written
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
        told = None
        if mistake.id == "dropout-missing" and (choice := only_outside(tree, of)):
            told = say("judge.dropped-outside", test=clean(f"if {written(choice.test)}:", 60)), choice.lineno
        elif mistake.id in MISSING:
            word = MISSING[mistake.id]
            told = compared(tree, of, word=word) or lost(tree, of, word=word) or rebound(tree, of, word)
            lines = {told[1]} if told else set()
            if not told and (made := unused(tree, of, word)):
                told, lines = made.told(), {made.first.line, made.last.line}
            if told and mistake.id == "scale-missing" and lines & masked:
                notes.append(told[0])
                continue
        elif mistake.id == "mask-missing" and (made := unused(tree, of, MASKING)) and made.after:
            told = made.told()  # what is let go for good is a mistake of its own
        elif mistake.id == "dropout-on-context" and (again := dropped_again(tree, of)):
            told = say("judge.dropped-again", code=clean(again.text, 80)), again.line
        elif mistake.id == "mask-inverted" and (branches := exchanged(statements_of(tree, of))):
            _, call, due = branches
            told = say("judge.branches-exchanged", code=short(call), due=clean(due, 120)), call.lineno
        elif mistake.id == "mask-diagonal":
            told = unseeing(tree, of) or begun_askew(tree, of)
        elif mistake.id == "mask-zero-fill":
            told = all_but_zero(tree, of)
        elif mistake.id == "returns-none":
            told = printed(tree, of)
        placed.append(replace(mistake, line=told[1]) if told and told[1] else mistake)
        notes += [told[0]] if told else []
    return tuple(placed), notes
