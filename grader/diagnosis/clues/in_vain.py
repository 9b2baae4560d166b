"""What is computed in vain where a known mistake says that it is missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from grader.diagnosis.clues.batch import rebound
from grader.diagnosis.clues.lost import compared, lost
from grader.diagnosis.clues.unused import unused
from grader.diagnosis.places.statements import Told

MASKING = re.compile(r"masked_fill")
# What is missing where the result of a call is, by a word that the call has.
MISSING: Mapping[str, re.Pattern[str]] = {
    "scale-missing": re.compile(r" / |\*|div|mul|sqrt"),
    "softmax-missing": re.compile(r"softmax|sum\("),
    "dropout-missing": re.compile(r"drop|ke(ep|pt)|\* [\w.]*mask"),
    "mask-discarded": re.compile(r"^[^(]* \+ "),  # of what masked_fill gives, the mistake's own words tell
    "out-proj-missing": re.compile(r"self\.(?!\w*drop)\w*(out|proj)"),
}


def in_vain(mistake: str, tree: ast.Module, of: str) -> tuple[Told | None, set[int]]:
    """What to say of what a mistake says to be missing, and the lines where it is computed; None and none for neither.

    mistake: its id.
    """
    word = MISSING.get(mistake)
    if word is None:
        return None, set()
    told = compared(tree, of, word=word) or lost(tree, of, word=word) or rebound(tree, of, word)
    if told is None and (made := unused(tree, of, word)):
        return made.told(), {made.first.line, made.last.line}
    return told, {told[1]} if told is not None else set()


def masked_in_vain(tree: ast.Module, of: str) -> Told | None:
    """What to say of scores that are masked in vain; what is let go for good is a mistake of its own."""
    made = unused(tree, of, MASKING)
    return made.told() if made is not None and made.after else None
