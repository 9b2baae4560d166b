"""What is said of dropout where its output is spoilt already with p = 0, against which nothing can be measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.checks import chance
from grader.judge.checks.against_inputs import against_inputs
from grader.judge.checks.asking import is_class
from grader.judge.checks.law import VISIBLE, law, rate_of
from grader.judge.checks.outside import is_dropout
from grader.judge.summaries import is_said
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.words import say


def spoilt(question: Question, seen: Observation, plain: Any, evaluated: Any, dropped: Any) -> Finding:
    """What is found of an output with p = 0 in which nothing could be dropped, and what is wrong in it for certain."""
    # Of calls each of which changes what the next one is given, more and more is gone, whatever is drawn.
    is_told = not compare.changed_inputs(seen, question)
    found = wrong(_said_of(question, plain, evaluated, dropped, is_told=is_told))
    if not is_class(question):
        is_unclear = is_said(("check.nothing-to-drop",), found.summary)
        return found if is_unclear else against_inputs(question, seen, found, evaluated, dropped)
    return _of_finite_rows(question, seen, plain, evaluated, dropped) or found


def _of_finite_rows(question: Question, seen: Observation, plain: Any, evaluated: Any, dropped: Any) -> Finding | None:
    """What a class shows for certain in the tokens whose output is finite; None for nothing.

    A mask that hides everything from a token spoils that token alone.
    """
    rows = np.isfinite(plain).all(axis=-1) if plain.ndim > 1 else np.zeros(1, bool)
    is_shaped = evaluated.shape == plain.shape == dropped.shape[1:]
    if not is_shaped or not rows.any() or rows.all() or compare.changed_inputs(seen, question):
        return None
    before, outside, left = plain[rows], evaluated[rows], dropped[:, rows]
    if not before.any() and _keeps_what_is_to_go(question, outside, left):
        return wrong(say("check.all-dropped"))
    drawn = len(left) * int((np.abs(before) > VISIBLE).sum()) / question.step.options.get("copies", 1)
    if (1.0 - rate_of(question)) ** drawn > chance.FAILURE:  # of so few none may be dropped by chance
        return None
    found = law(question, before, left)
    found = found if found.mistakes and not found.else_said else RIGHT
    is_as_before = compare.values(question, outside, before.astype(np.float64)).right
    if not is_as_before and is_dropout(question, seen, before, outside):
        found = replace(wrong(say("check.dropout-stays-on"), "dropout-in-eval"), also=found.mistakes)
    return None if found.right else found


def _said_of(
    question: Question, plain: np.ndarray, evaluated: np.ndarray, dropped: np.ndarray, *, is_told: bool
) -> str:
    """What is said of an output with p = 0 where nothing could be dropped. is_told: whether it shows what is kept."""
    is_exchanged = is_told and _keeps_what_is_to_go(question, evaluated, dropped)
    if not np.isfinite(plain).all() and np.isfinite(dropped).all() and np.isfinite(evaluated).all():
        return say("check.kept-and-infinite-at-zero" if is_exchanged else "check.infinite-at-zero")
    if not is_exchanged or plain.any():
        return say("check.nothing-to-drop")
    return say("check.all-dropped") if is_class(question) else say("check.all-exchanged")


def _keeps_what_is_to_go(question: Question, evaluated: np.ndarray, dropped: np.ndarray) -> bool:
    """Whether in training about 1 - p of what is there outside training is gone, and not p of it."""
    rate = rate_of(question)
    is_there = (np.abs(evaluated) > VISIBLE).any() and dropped.any()  # which gives the whole of it for p = 1 alone
    if dropped.shape[1:] != evaluated.shape or not is_there:
        return False
    share = float((dropped == 0)[:, np.abs(evaluated) > VISIBLE].mean())
    return abs(share - (1.0 - rate)) < abs(share - rate)
