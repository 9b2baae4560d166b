"""What else is wrong in an answer than what its summary says, each with the line that decides it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

import numpy as np

from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.checks.asking import RESULT
from grader.judge.diagnosis.clues.arguments import numbers_given
from grader.judge.diagnosis.clues.draws import seeded
from grader.judge.diagnosis.clues.zeros import divided_by_zero
from grader.judge.diagnosis.place import culprit
from grader.judge.diagnosis.places.dropout import decided, rescaled
from grader.judge.diagnosis.places.statements import Told, statements_of
from grader.judge.diagnosis.wrong_pieces import line_of
from grader.judge.source.joined import Joined
from grader.judge.summaries import OF_BOTH, OF_SHARES, OF_SURVIVORS, is_said
from grader.model.check import Question
from grader.model.observation import Observation
from grader.model.run import World
from grader.model.text import clean
from grader.words import heard, say


def besides(some: Sequence[str], tree: ast.Module, of: str, source: Joined, told: int) -> tuple[str, ...]:
    """What to note of what else is wrong. told: the line that the summary speaks of, 0 for none."""
    notes = []
    for said in some:
        line = _decides(said, tree, of)
        is_elsewhere = line not in (0, told)
        at = {"line": line_of(line, source)} if is_elsewhere else {}
        notes.append(say("judge.besides-at" if at else "judge.besides", said=said, **at))
    return tuple(notes)


def at_another_rate(told: Told, source: Joined, lines: Collection[int]) -> tuple[str, ...]:
    """What to note of a class that drops at another rate than it is given, beside mistakes in other lines."""
    said, line = told
    return () if line in lines else (say("judge.besides-at", line=line_of(line, source), said=said),)


def line_of_dropout(summary: str, tree: ast.Module, of: str, *, is_class: bool) -> int:
    """The line that a summary on dropout speaks of; 0 for none. is_class: whether nothing is known of a result's."""
    is_decided = is_said(OF_SHARES, summary) or (is_class and is_said(OF_SURVIVORS, summary))
    return _decides(summary, tree, of) if is_decided else 0


def places_of(summary: str, tree: ast.Module, of: str, source: Joined, told: Collection[int]) -> tuple[str, ...]:
    """The lines that a summary on dropout speaks of, of those that are not marked. told: the lines that are."""
    statements = statements_of(tree, of)
    drawn = decided(statements) if is_said(OF_SHARES, summary) else None
    left = rescaled(statements) if is_said((*OF_SURVIVORS, *OF_BOTH), summary) else None
    notes = []
    if drawn is not None and drawn.line not in told:
        notes.append(say("judge.decided-at", line=line_of(drawn.line, source)))
    if left is not None and left.line not in (*told, drawn.line if drawn is not None else 0):
        notes.append(say("judge.scaled-at", line=line_of(left.line, source)))
    return tuple(notes)


def divided_elsewhere(
    question: Question, asker: Asker, tree: ast.Module, source: Joined, world: World
) -> tuple[str, ...]:
    """What to note of a division by 0 in another public case of a step, which spoils the result there."""
    exercise, step = question.exercise, question.step
    for case in asker.bench.cases(exercise, step, world):
        other = asker.question(exercise, step, case)
        found = divided_by_zero(tree, step.of, numbers_given(other, tree)) if case.is_public else None
        parts = heard("judge.divided-by-zero", found[0]) if found is not None else None
        if found is None or parts is None or case.name == question.case.name:
            continue
        ways = asker.bound(other, asker.bench.plan(other), world)
        seen = ways if isinstance(ways, Observation) else asker.observe(ways[0].run, world)
        result = compare.tensor(seen, RESULT) if seen.is_whole else None
        if result is not None and compare.are_floats(result) and not np.isfinite(result).all():
            at = line_of(found[1], source)
            return (say("judge.divided-elsewhere", case=clean(case.name, 60), line=at, **parts),)
    return ()


def _decides(said: str, tree: ast.Module, of: str) -> int:
    """The line that decides what a sentence on dropout speaks of; 0 where none does for certain."""
    if is_said(("check.same-each-time",), said) and (seeding := seeded(tree, of)):
        return seeding.lineno
    if is_said(("check.dropout-stays-on",), said):
        return culprit(tree, of, "dropout-in-eval")
    finder = decided if is_said(OF_SHARES, said) else rescaled if is_said(OF_SURVIVORS, said) else None
    found = finder(statements_of(tree, of)) if finder is not None else None
    return found.line if found is not None else 0
