"""What else is wrong in an answer than what its summary says, each with the line that decides it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from grader.diagnosis.changes.told import line_of
from grader.diagnosis.clues.draws import seeded
from grader.diagnosis.clues.spans import unread
from grader.diagnosis.clues.wrappers import one_for_all
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.place import culprit
from grader.diagnosis.places.dropout import calls_that_drop, decided, rescaled
from grader.diagnosis.places.statements import Statement, Told, statements_of
from grader.diagnosis.places.texts import LONGEST_QUOTE
from grader.diagnosis.source.joined import Joined
from grader.judge.binding.labels import NUMBER
from grader.judge.summaries import OF_BOTH, OF_SHARES, OF_SURVIVORS, TIED, is_said
from grader.model.check import Question
from grader.model.text import clean, line_at, source_lines
from grader.words import say

# What a line decides: what is dropped, how large the rest is, and whether that is done outside training.
DRAWN, LEFT, MODE = "drawn", "left", "mode"
# The mistake of whoever takes one argument for another, of which nothing is made then.
TAKEN_FOR_IT = "projection-reused"


def besides(
    some: Sequence[str], tree: ast.Module, of: str, source: Joined, told: Collection[int], known: int = 0
) -> tuple[str, ...]:
    """What to note of what else is wrong. told: the lines that are marked. known: theirs, where it is known."""
    notes = []
    for said, line in _with_lines(some, tree, of, known):
        notes.append(_noted_at(said, line, source) if line not in (0, *told) else say("judge.besides", said=said))
    return tuple(notes)


def behind(message: str, mistake: Mistake, source: Joined, marked: int) -> str:
    """What to note of a known mistake behind an exception, which quotes its line. message: what the rubric says of it.

    marked: the line that raised.
    """
    said = mistake.said or message
    code = clean(line_at(source_lines(source.text), mistake.line), LONGEST_QUOTE).replace("`", "'")
    if mistake.near or mistake.line in (0, marked) or not code:
        return say("judge.besides", said=said)
    return say("judge.behind", line=line_of(mistake.line, source), code=code, said=said)


def _with_lines(some: Sequence[str], tree: ast.Module, of: str, known: int) -> Iterator[Told]:
    for said in some:
        if is_said(TIED, said) and NUMBER.search(said) and (one := one_for_all(tree, of)):  # which says why
            yield one
        else:
            yield said, known or next(iter(_deciding(said, tree, of).values()), 0)


def unread_besides(question: Question, tree: ast.Module, source: Joined, told: Collection[int]) -> tuple[str, ...]:
    """What to note of an argument that nothing is made of, beside what is told: where another is taken for it."""
    exercise, of = question.exercise, question.step.of
    if exercise.definitions[of].is_class or TAKEN_FOR_IT not in exercise.mistakes:
        return ()
    name, line = unread(tree, of), culprit(tree, of, TAKEN_FOR_IT)
    if not name or not line:
        return ()
    return besides([say("judge.unread", name=clean(name, 60))], tree, of, source, told, line)


def at_another_rate(told: Told, source: Joined, lines: Collection[int]) -> tuple[str, ...]:
    """What to note of a class that drops at another rate than it is given, beside mistakes in other lines."""
    said, line = told
    return () if line in lines else (_noted_at(said, line, source),)


def line_of_dropout(summary: str, tree: ast.Module, of: str, *, is_class: bool) -> int:
    """The line that a summary on dropout speaks of; 0 for none. is_class: whether nothing is known of a result's."""
    if is_said(("check.neither-dropped-nor-scaled",), summary):  # so something else than the weights is dropped
        calls = calls_that_drop(tree, of)
        return calls[0][0].lineno if is_class and len(calls) == 1 else 0
    found = _deciding(summary, tree, of)
    return found.get(DRAWN, 0) or (found.get(LEFT, 0) if is_class else 0)


def places_of(summary: str, tree: ast.Module, of: str, source: Joined, told: Collection[int]) -> tuple[str, ...]:
    """The lines that a summary on dropout speaks of, of those that are not marked. told: the lines that are."""
    found = _deciding(summary, tree, of)
    drawn, left = found.get(DRAWN, 0), found.get(LEFT, 0)
    notes = []
    if drawn not in (0, *told):
        notes.append(say("judge.decided-at", line=line_of(drawn, source)))
    if left not in (0, *told, drawn):
        notes.append(say("judge.scaled-at", line=line_of(left, source)))
    return tuple(notes)


def _noted_at(said: str, line: int, source: Joined) -> str:
    return say("judge.besides-at", line=line_of(line, source), said=said)


def _deciding(said: str, tree: ast.Module, of: str) -> dict[str, int]:
    """The lines that decide what a sentence on dropout speaks of, by what they decide; none that is not certain."""
    statements = statements_of(tree, of)
    found: dict[str, int] = {}
    if is_said(("check.dropout-stays-on",), said):
        found[MODE] = culprit(tree, of, "dropout-in-eval")
    if is_said(OF_SHARES, said):
        seeding = seeded(tree, of) if is_said(("check.same-each-time",), said) else None
        found[DRAWN] = seeding.lineno if seeding is not None else _line(decided(statements))
    if is_said((*OF_SURVIVORS, *OF_BOTH), said):
        found[LEFT] = _line(rescaled(statements))
    return {what: line for what, line in found.items() if line}


def _line(statement: Statement | None) -> int:
    return statement.line if statement is not None else 0
