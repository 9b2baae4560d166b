"""What draws that are each on its own, all at one rate, show less than once in 10⁹ runs.

`gone` and `visible` are truth values, (calls, *shape): what was dropped, and of what that can be told, which is the
same in each call. Every bound holds for any number of draws, as Chernoff's do; none is a matter of experience.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

# A right answer fails less than once in so many runs, whatever is looked at; the looks share it out among themselves.
# The two that need many draws to see anything have most of it: what the others tell is hardly ever a near thing.
FAILURE = 1e-9
OF_SHARE, OF_COUNT = 0.5 * FAILURE, 0.4 * FAILURE
OF_REPEATS = OF_ALIKE = OF_PAIRS = OF_LINES = 0.1 / 4 * FAILURE
# How strongly lines that are uneven, and those that are too even, count in Chernoff's bound: which fits best depends
# on what is wrong, so that several are tried.
TILTS = np.array([-8.0, -2.0, -0.75, -0.3, -0.1, 0.1, 0.2, 0.3, 0.4])


def is_off(count: Any, total: Any, rate: float, failure: float = OF_SHARE) -> Any:
    """Whether so many of a total are too many or too few to come of a rate. Numbers or arrays."""
    with np.errstate(all="ignore"):
        share = np.divide(count, total)
        parts = ((share, rate), (1.0 - share, 1.0 - rate))
        divergence = sum(np.where(of > 0, of * np.log(of / due), 0.0) for of, due in parts)
    return (np.asarray(total) > 0) & (math.log(2.0) - total * divergence < math.log(failure))


def repeats(gone: np.ndarray, visible: np.ndarray, rate: float) -> int:
    """How many calls drop just what an earlier one has dropped; 0 where that may be chance."""
    calls = len(gone)
    again = calls - len({call.tobytes() for call in gone})
    likeliest = int(visible[0].sum()) * math.log(max(rate, 1.0 - rate))  # that any call drops what a given one does
    if again == calls - 1:
        by_chance = again * likeliest
    else:
        by_chance = math.log(math.comb(calls - 1, again)) + again * (math.log(calls - 1) + likeliest)
    return again if by_chance < math.log(OF_REPEATS) else 0


def are_counted_out(gone: np.ndarray, visible: int, rate: float) -> bool:
    """Whether each call drops as many as any other, of so many that can be seen."""
    counts = gone.reshape(len(gone), -1).sum(axis=1)
    likeliest = float(_binomial(visible, rate).max())
    by_chance = (len(counts) - 1) * likeliest  # whatever the first call drops, each other does with at most this
    return bool(by_chance < math.log(OF_COUNT) and (counts == counts[0]).all())


def goes_together(gone: np.ndarray, visible: np.ndarray, axis: int, rate: float) -> bool:
    """Whether any two slices along an axis are dropped alike wherever both can be seen."""
    alike, both = _pairs(gone, visible, axis)
    by_chance = (rate**2 + (1 - rate) ** 2) ** both
    return bool(((alike == both) & (by_chance * len(both) < OF_ALIKE / gone.ndim)).any())


def depend(gone: np.ndarray, visible: np.ndarray, rate: float) -> bool:
    """Whether slices along any axis agree on more or on less than draws of their own would.

    Two of them, or many pairs of which each slice is in one, so that they are draws of their own as well: those that
    lie as far apart, taking turns, and those that lie as far from one place to either side.
    """
    agrees = rate**2 + (1 - rate) ** 2
    looks: list[tuple[np.ndarray, np.ndarray]] = []
    for axis in range(gone.ndim):
        alike, both = _pairs(gone, visible, axis)
        first, second = np.triu_indices(gone.shape[axis], 1)
        apart = second - first
        looks.append((alike, both))
        groups = (2 * apart + first // apart % 2, first + second)
        looks += [(np.bincount(group, alike), np.bincount(group, both)) for group in groups]
    allowed = OF_PAIRS / max(1, sum(int((both > 0).sum()) for _, both in looks))
    return any(bool(is_off(alike, both, agrees, allowed).any()) for alike, both in looks)


def are_uneven(gone: np.ndarray, visible: np.ndarray, rate: float) -> bool:
    """Whether lines along an axis, or slices of it, lose more unlike, or more alike, many than draws have them lose."""
    allowed = math.log(OF_LINES / (2 * gone.ndim * len(TILTS)))
    for axis in range(gone.ndim):
        for over in (axis, tuple(other for other in range(gone.ndim) if other != axis)):
            totals, counts = (each.sum(axis=over).reshape(-1) for each in (visible, gone))
            if _least_likely(counts[totals > 1], totals[totals > 1], rate) < allowed:
                return True
    return False


def _least_likely(counts: np.ndarray, totals: np.ndarray, rate: float) -> float:
    """A bound, as a logarithm, on how likely counts are to stray so much or so little from what is due."""
    found = float(_strays(counts, totals, rate).sum())
    lengths, times = np.unique(totals, return_counts=True)
    due = sum(time * _moments(n, rate) for n, time in zip(lengths.tolist(), times.tolist(), strict=True))
    return float(np.min(due - TILTS * found))


@lru_cache(1024)
def _moments(total: int, rate: float) -> np.ndarray:
    """For each tilt the logarithm of what exp of the tilted straying of so many draws is on average."""
    tilted = _binomial(total, rate) + TILTS[:, None] * _strays(np.arange(total + 1), total, rate)
    most = tilted.max(axis=1)
    return np.asarray(most + np.log(np.exp(tilted - most[:, None]).sum(axis=1)))


def _strays(counts: Any, totals: Any, rate: float) -> Any:
    """How far counts lie from what is due, squared, in units of what that is on average."""
    return (counts - totals * rate) ** 2 / np.maximum(1, totals) / (rate * (1.0 - rate))


def _pairs(gone: np.ndarray, visible: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each two slices along an axis, on how many they agree and how many can be seen in both."""
    number = gone.shape[axis]
    dropped, seen = (np.moveaxis(each, axis, 0).reshape(number, -1).astype(np.float64) for each in (gone, visible))
    both, kept = seen @ seen.T, seen - dropped
    pairs = np.triu_indices(number, 1)
    return (dropped @ dropped.T + kept @ kept.T)[pairs], both[pairs]


def _binomial(total: int, rate: float) -> np.ndarray:
    """The logarithms of how likely each number from 0 to a total is."""
    factorials = np.concatenate([np.zeros(1), np.log(np.arange(1, total + 1)).cumsum()])
    dropped = np.arange(total + 1)
    ways = factorials[-1] - factorials - factorials[::-1]
    return np.asarray(ways + dropped * math.log(rate) + (total - dropped) * math.log1p(-rate))
