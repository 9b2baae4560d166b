"""Says known mistakes of the code that makes them, where their rubric would speak of code that is written otherwise."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from grader.diagnosis.clues.attention import dropped_always, never_dropped, unmasked
from grader.diagnosis.clues.dropout import dropped_outside
from grader.diagnosis.clues.fused import part_reused
from grader.diagnosis.clues.in_place import written_into
from grader.diagnosis.clues.in_vain import in_vain, masked_in_vain
from grader.diagnosis.clues.late_masks import kept_above
from grader.diagnosis.clues.output_layer import output_layer
from grader.diagnosis.clues.printed import printed
from grader.diagnosis.clues.reductions import summed_along
from grader.diagnosis.clues.scales import halved, rootless
from grader.diagnosis.clues.shares import by_the_largest
from grader.diagnosis.clues.unseeing import all_but_zero, begun_askew, rows_askew, unseeing
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.places.branches import exchanged
from grader.diagnosis.places.dropout import dropped_again
from grader.diagnosis.places.statements import Told, last_line, statements_of
from grader.diagnosis.places.texts import short
from grader.diagnosis.wrong_results import of_rows
from grader.model.check import Question
from grader.model.syntax import walk
from grader.model.text import clean
from grader.words import say

Finder = Callable[[ast.Module, str], Told | None]


def as_written(
    mistakes: Sequence[Mistake], tree: ast.Module, of: str, question: Question | None
) -> tuple[tuple[Mistake, ...], list[str]]:
    """Known mistakes with what there is to say of the code that makes them, and notes on what their words leave open.

    Such as of what is missing where it is computed in vain. They stay as they are where nothing is certain. Scores that
    are scaled in what is masked and let go are no mistake of their own: who goes on with that has both.
    """
    found, notes = [], []
    masked = {mistake.line for mistake in mistakes if mistake.id == "mask-discarded" and mistake.line}
    for mistake in mistakes:
        beside, lines = _beside(mistake.id, tree, of)
        notes += [beside[0]] if beside else []
        if mistake.id == "scale-missing" and not masked.isdisjoint(lines):
            continue
        instead = None if mistake.said else _instead(mistake.id, tree, of, question)
        said, line = instead or (mistake.said, 0)
        found.append(replace(mistake, said=said, line=line or (beside[1] if beside else 0) or mistake.line))
    return tuple(found), notes


def _instead(name: str, tree: ast.Module, of: str, question: Question | None) -> Told | None:
    """What says all of a mistake, so that its own words would say it twice or say less."""
    if name == "softmax-wrong-axis" and question is not None:  # no axis is wrong there, but one is lost
        is_flat = not question.exercise.definitions[of].is_class
        return of_rows(question, tree) or summed_along(tree, of, is_flat=is_flat)
    return next(filter(None, (find(tree, of) for find in INSTEAD.get(name, ()))), None)


def _beside(name: str, tree: ast.Module, of: str) -> tuple[Told | None, set[int]]:
    """What a mistake's own words leave open, and the lines where what they say to be missing is computed."""
    told = next(filter(None, (find(tree, of) for find in BESIDE.get(name, ()))), None)
    return (told, {told[1]}) if told is not None else in_vain(name, tree, of)


def _dropped_again(tree: ast.Module, of: str) -> Told | None:
    again = dropped_again(tree, of)
    return (say("judge.dropped-again", code=clean(again.text, 80)), again.line) if again is not None else None


def _branches_exchanged(tree: ast.Module, of: str) -> Told | None:
    branches = exchanged(statements_of(tree, of))
    if branches is None:
        return None
    _, call, due = branches
    return say("judge.branches-exchanged", code=short(call), due=clean(due, 120)), call.lineno


def _bare_return(tree: ast.Module, of: str) -> Told | None:
    line = last_line(tree, of)
    for node in walk(tree):
        match node:
            case ast.Return(None | ast.Constant(None)) if node.lineno == line:
                return say("judge.bare-return", code=short(node)), line
    return None


INSTEAD: Mapping[str, Sequence[Finder]] = {
    "dropout-in-eval": (dropped_always,),
    "dropout-missing": (never_dropped,),
    "input-mutated": (written_into,),
    "mask-diagonal": (unseeing, begun_askew, rows_askew),
    "mask-inverted": (kept_above,),
    "mask-missing": (unmasked,),
    "mask-zero-fill": (all_but_zero,),
    "out-proj-missing": (output_layer,),
    "projection-reused": (part_reused,),
    "returns-none": (_bare_return,),
    "scale-no-sqrt": (halved, rootless),
    "softmax-missing": (by_the_largest,),
}
BESIDE: Mapping[str, Sequence[Finder]] = {
    "dropout-missing": (dropped_outside,),
    "dropout-on-context": (_dropped_again,),
    "mask-inverted": (_branches_exchanged,),
    "mask-missing": (masked_in_vain,),
    "returns-none": (printed,),
}
