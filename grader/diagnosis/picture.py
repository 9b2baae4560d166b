"""Draws up what a result is beside what it should have been: of public cases alone, where it can be seen."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import RESULT
from grader.model.case import Case, Expected
from grader.model.check import Question
from grader.model.observation import Observation
from grader.model.report import CELLWISE, IN_TRAINING, THE_RESULT, Matrix, Picture
from grader.model.run import Action, Call, Mode, Run

# More rows or columns than this are too many for a report, and too small on a screen.
LARGEST = 64
# So many of a batch's matrices show what the others would; of large ones, the first does.
MOST_SLICES = 3
# Heads are not like one another: all that models of this size have.
MOST_HEADS = 16
# As many as anybody reads, and a float32 has hardly more.
DIGITS = 6
# Unless it takes more to see that a number is wrong: those tell apart what a float32 can, or a float64.
MORE_DIGITS = (DIGITS, 9, 17)


def picture_of_result(question: Question, run: Run, seen: Observation, expected: Expected) -> Picture | None:
    """A run's result beside the reference's; None where they are no matrices of one shape, or do not differ."""
    got, want = compare.tensor(seen, RESULT), compare.tensor(expected.observation, RESULT)
    if got is None or want is None or got.dtype.kind not in "fbiu":
        return None
    allowed = compare.tolerance(question, np.asarray(want, np.float64), expected.floors.get(RESULT, 0.0))
    modes = [each.training for each in itertools.takewhile(_is_before_result, run.actions) if isinstance(each, Mode)]
    return picture(question.case, IN_TRAINING if any(modes[-1:]) else THE_RESULT, want, got, allowed)


def _is_before_result(action: Action) -> bool:
    return not (isinstance(action, Call) and action.name == RESULT)


def picture(case: Case, name: str, expected: Any, got: Any, allowed: float) -> Picture | None:
    """An array beside the right one, both (..., rows, columns); None where there is nothing to be seen.

    Of several matrices those are taken that are wrong; of heads (sequences, heads, rows, columns) all of one sequence,
    the right ones too. allowed: how far a right number may be off. A fresh case's values are nobody's to see: they
    would be a table to copy from.
    """
    due, mine = np.asarray(expected), np.asarray(got)  # as they are, to be drawn
    expected, got = _plain(due), _plain(mine)
    if not case.is_public or got.shape != expected.shape or not 2 <= got.ndim <= 4:
        return None
    rows, columns = got.shape[-2:]
    if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST and got.size):
        return None
    with np.errstate(invalid="ignore"):  # inf - inf
        wrong = ~((got == expected) | (np.abs(got - expected) <= allowed))
    if not wrong.any():
        return None
    off = [place for place in np.ndindex(got.shape[:-2]) if wrong[place].any()]
    if max(rows, columns) > CELLWISE:
        places = off[:1]
    elif got.ndim == 4 and got.shape[1] > 1:
        places = _heads(off, got.shape[1])
    else:
        # Sequences of one batch are often alike, and then one of them shows it.
        distinct = {(expected[place].tobytes(), got[place].tobytes()): place for place in reversed(off)}
        places = sorted(distinct.values())[:MOST_SLICES]
    row, column = np.argwhere(wrong[off[0]])[0]
    digits = {place: _digits(expected[place], got[place], wrong[place]) for place in places}
    return Picture(
        case.name,
        name,
        slices=tuple(str(list(place)) if place else "" for place in places),
        expected=tuple(matrix(due[place], digits[place]) for place in places),
        got=tuple(matrix(mine[place], digits[place]) for place in places),
        row=int(row),
        column=int(column),
        right=tuple(number for number, place in enumerate(places) if place not in off),
        more=len({*off} - {*places}),
    )


def matrix(array: Any, digits: int = DIGITS) -> Matrix:
    """Rows of numbers, with as many digits as anybody reads, or of truth values."""
    if array.dtype.kind == "b":
        return tuple(tuple(map(bool, row)) for row in array)
    return tuple(tuple(float(f"{value:.{digits}g}") for value in row) for row in array)


def _digits(expected: Any, got: Any, wrong: Any) -> int:
    """How many digits show what tells the first wrong cell from what is due, and by how much it is off.

    The numbers beside it are off by as little. All: (rows, columns).
    """
    if not wrong.any():
        return DIGITS
    row, column = np.argwhere(wrong)[0]
    off = abs(got[row, column] - expected[row, column]) if np.isfinite(expected[row, column]) else math.inf
    largest = np.abs(got[np.isfinite(got)]).max(initial=0.0)
    if not math.isfinite(off):
        return DIGITS
    return next((each for each in MORE_DIGITS if off >= largest * 10.0 ** (2 - each)), MORE_DIGITS[-1])


def _heads(off: Sequence[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
    """The heads of the first sequence that is wrong, in their order; right ones only as far as there is room."""
    sequence = off[0][0]
    heads = sorted(((sequence, head) for head in range(count)), key=lambda place: place not in off)
    return sorted(heads[:MOST_HEADS])


def _plain(array: Any) -> Any:
    """Numbers to be compared: what hides a score is minus infinity, however it is written."""
    numbers = np.asarray(array, np.float64)
    return np.where(numbers <= compare.HIDDEN, -np.inf, numbers)
