"""What dropout's calls outside training show: whether it is dropout that makes them other than they should be."""

from __future__ import annotations

import numpy as np

from grader.judge import compare
from grader.judge.checks.law import VISIBLE, loose_of, rate_of
from grader.model.check import Question
from grader.model.observation import Observation

EVALUATED = "evaluated"
# Asked once more: what comes out differently each time is drawn at random.
EVALUATED_AGAIN = "evaluated again"


def is_dropout(question: Question, seen: Observation, plain: np.ndarray, evaluated: np.ndarray) -> bool:
    """Whether it is certain that what differs outside training is dropout."""
    return is_dropped(question, seen, plain, evaluated) or is_rescaled(question, plain, evaluated)


def is_dropped(question: Question, seen: Observation, plain: np.ndarray, evaluated: np.ndarray) -> bool:
    """Whether it is certain that something is dropped outside training."""
    is_random = differs(seen, EVALUATED, EVALUATED_AGAIN)  # although it does not where p = 0
    return is_random or drops(question, plain, evaluated)


def is_rescaled(question: Question, plain: np.ndarray, result: np.ndarray) -> bool:
    """Whether every value is 1 - p of what it was, or what a survivor would be."""
    kept = 1.0 - rate_of(question)
    return any(bool(np.allclose(result, plain * factor, atol=VISIBLE)) for factor in (kept, 1.0 / kept))


def differs(seen: Observation, once: str, again: str) -> bool:
    """Whether asking again gives something else."""
    first, second = compare.tensor(seen, once), compare.tensor(seen, again)
    if second is None or first.shape != second.shape:
        return False
    return not np.allclose(first, second, atol=VISIBLE, equal_nan=True)


def drops(question: Question, plain: np.ndarray, result: np.ndarray) -> bool:
    """Whether every visible value is either gone or as it was, scaled or not."""
    visible = np.abs(plain) > VISIBLE
    loose = loose_of(question)
    with np.errstate(all="ignore"):
        ratio = np.divide(result, plain, out=np.zeros_like(plain), where=visible)
    gone = visible & (np.abs(ratio) < loose)
    kept = (np.abs(ratio - 1.0) < loose) | (np.abs(ratio - 1.0 / (1.0 - rate_of(question))) < loose)
    return bool(gone.any() and (visible & kept).any() and (gone | kept)[visible].all())
