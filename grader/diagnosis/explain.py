"""Looks for the smallest set of known mistakes that gives what the solution gives, on every case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from grader.diagnosis.signature import Signature, agree
from grader.model.check import Question


@dataclass(frozen=True, slots=True)
class Explanations:
    """What every known mistake, and every two of them, makes of one definition's results.

    ids: of the mistakes of each explanation, (N,). sizes: how many edits it takes, (N,). cases: step and case of each
    column, (C,). counts: how many tensors a result has, (C,). forms: (N, C). values: (N, C, PROJECTIONS).
    Row 0 is no mistake.
    """

    ids: Sequence[frozenset[str]]
    sizes: Sequence[int]
    cases: Sequence[tuple[str, str]]
    counts: Sequence[int]
    forms: Any
    values: Any


@dataclass(frozen=True, slots=True)
class Answered:
    """What the solution gives on a case that known mistakes were asked.

    count: of tensors in a result. own: the signature; None for one that is not to be looked at.
    """

    question: Question
    count: int
    own: Signature | None


def explain(known: Explanations, own: Sequence[Signature | None]) -> set[frozenset[str]]:
    """The ids of every smallest set of mistakes that fits: several where outputs cannot tell them apart.

    own: the solution's signature for each case, None for one that is not to be looked at.
    """
    return {known.ids[row] for row in smallest(known, own)}


def smallest(known: Explanations, own: Sequence[Signature | None]) -> list[int]:
    """The rows that fit and take the fewest edits. own: as of `explain`."""
    fits = np.ones(len(known.ids), bool)
    looked_at = 0
    for column, signature in enumerate(own):
        if signature is not None:
            looked_at += not signature.is_empty
            fits &= agree(known.forms[:, column], known.values[:, column], signature)
    found = [int(row) for row in np.flatnonzero(fits)]
    if not looked_at or not found:
        return []
    fewest = min(known.sizes[row] for row in found)
    return [row for row in found if known.sizes[row] == fewest]


def says_no_more(known: Explanations, column: int, answered: Answered) -> bool:
    """Whether what came of a case says no more than that something crashed: that alone, or what is right."""
    own = answered.own
    if own is None or own.is_fault:
        return True
    return bool(agree(known.forms[:1, column], known.values[:1, column], own).all())


def have_crashed(known: Explanations, answered: Sequence[Answered]) -> bool:
    """Whether what came of the cases says no more than that something crashed, which many things may do."""
    return all(map(partial(says_no_more, known), range(len(answered)), answered))
