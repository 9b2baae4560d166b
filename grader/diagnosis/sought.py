"""One of the reference's intermediate results while it is looked for, whole or in slices, in any order of its axes."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.judge.compare import HIDDEN

# Relative to a stage's largest value. Float32 attention errs by a millionth, amplified by scores that were not scaled.
TOLERANCE = 1e-4
# So often is one stage compared with values, each time in one arrangement: more than any loop over heads and tokens
# needs. Hostile code could make a thousand values that look alike.
MOST_TRIES = 4000

# The axes left out, the others' sizes as `_merged` says them, and the slices: (number, size).
_Cut = tuple[tuple[int, ...], frozenset[int], Any]


@dataclass(slots=True)
class Sought:
    """One stage while it is looked for. stage: its values, as `comparable` makes them. is_upright: only upright."""

    stage: Any
    is_upright: bool = False
    is_complete: bool = False
    tries: int = MOST_TRIES
    _sorted: Any = field(init=False)
    _allowed: float = field(init=False)
    _covered: dict[tuple[int, ...], Any] = field(default_factory=dict)
    _arranged: dict[int, list[_Cut]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stage = np.squeeze(comparable(self.stage))
        self._sorted = np.sort(self.stage, axis=None)
        self._allowed = allowed(self.stage)

    def takes(self, value: Any) -> bool:
        """Whether a value is this stage, or a slice of it; remembers which. One that is the same all over is not."""
        flat = value.reshape(-1)
        if self.stage.size % flat.size or not self._may_hold(flat) or (flat.size > 1 and np.ptp(flat) == 0):
            return False
        merged = _merged(value.shape)
        is_part = False
        for rest, sizes, rows in self._arrangements(flat.size):
            if self.tries == 0 or not (merged <= sizes or sizes <= merged):
                continue
            self.tries -= 1
            same = np.all(np.abs(rows - flat) <= self._allowed, axis=1)
            if same.any():
                is_part = True
                self._cover(rest, same)
        return is_part or self._takes_features(np.squeeze(value))

    def _takes_features(self, value: Any) -> bool:
        """Whether a value is some of the last axis's numbers next to each other, as one of several heads gives them."""
        *before, wide = self.stage.shape or (0,)
        *same_before, width = value.shape or (0,)
        if self.tries == 0 or before != same_before or not 1 < width < wide or wide % width:
            return False
        self.tries -= 1
        near = np.abs(self.stage.reshape(*before, -1, width) - value[..., None, :]) <= self._allowed
        same = near.all(axis=(*range(len(before)), -1))
        self._cover((-width,), same)
        return bool(same.any())

    def _cover(self, cut: tuple[int, ...], same: Any) -> None:
        """Remember which slices were found. cut: how they are cut, by the axes left out or by minus their width."""
        self._covered[cut] = self._covered.get(cut, False) | same
        self.is_complete = self.is_complete or bool(np.all(self._covered[cut]))

    def is_normalised_of(self, value: Any) -> bool:
        """Whether each row of a value, divided by its sum, is that row of this stage, as exponentials are of weights.

        Only of stages whose rows sum to 1; any other stage times a number is wrong by that number.
        """
        value = np.squeeze(value)
        if self.stage.ndim == 0 or value.shape not in (self.stage.shape, self.stage.shape[-1:]):
            return False
        if (self.stage < 0).any() or not np.allclose(self.stage.sum(axis=-1), 1.0, atol=TOLERANCE):
            return False
        sums = value.sum(axis=-1, keepdims=True)
        if not (np.isfinite(sums).all() and (sums > 0).all() and (value >= 0).all()):
            return False
        near = np.abs(value / sums - self.stage) <= TOLERANCE
        return bool(near.all() if value.shape == self.stage.shape else near.all(axis=-1).any())

    def _may_hold(self, flat: Any) -> bool:
        """Whether the first and the last number stand anywhere in the stage: most values fail here."""
        for number in (flat[0], flat[-1]):
            nearest = np.searchsorted(self._sorted, number - self._allowed)
            if nearest == self._sorted.size or self._sorted[nearest] > number + self._allowed:
                return False
        return True

    def _arrangements(self, size: int) -> list[_Cut]:
        """Every way to cut the stage into slices of a size: the axes left out, the other axes' sizes, the slices."""
        if size not in self._arranged:
            self._arranged[size] = list(self._cut(size))
        return self._arranged[size]

    def _cut(self, size: int) -> Iterator[_Cut]:
        axes = range(self.stage.ndim)
        for count in range(self.stage.ndim + 1):
            for chosen in itertools.permutations(axes, count):
                sizes = tuple(self.stage.shape[axis] for axis in chosen)
                is_turned = bool(chosen) and chosen[-1] != self.stage.ndim - 1
                if math.prod(sizes) == size and not (self.is_upright and is_turned):
                    rest = tuple(axis for axis in axes if axis not in chosen)
                    yield rest, _merged(sizes), self.stage.transpose(*rest, *chosen).reshape(-1, size)


def allowed(stage: Any) -> float:
    """How far off a stage's values may be, relative to its largest that is not hidden."""
    shown = np.abs(stage[stage > HIDDEN])
    return TOLERANCE * float(shown.max() if shown.size else 1.0)


def is_hidden_early(value: Any, stages: Sequence[Any]) -> bool:
    """Whether a value is one stage with just that hidden which another one hides: masked first, scaled only then.

    stages: what the solution was called with is one as well, such as the scores.
    """
    hidden = value == HIDDEN
    alike = [stage for stage in stages if stage.shape == value.shape] if hidden.any() else []
    if not any(np.array_equal(stage == HIDDEN, hidden) for stage in alike):
        return False
    return any(
        np.all(np.abs(value - stage)[~hidden] <= allowed(value)) for stage in alike if not (stage == HIDDEN).any()
    )


def is_mask(value: Any, stages: Sequence[Any]) -> bool:
    """Whether a value says by two numbers which cells one of the stages hides: a mask, which no stage is made of."""
    wide = [stage for stage in stages if value.ndim > 1 and value.shape == stage.shape[-value.ndim :]]
    if not wide or np.ptp(value) == 0 or not ((value == value.min()) | (value == value.max())).all():
        return False
    is_high = value == value.max()
    return any(
        np.array_equal(stage == HIDDEN, np.broadcast_to(each, stage.shape))
        for stage in wide
        for each in (is_high, ~is_high)
    )


def comparable(value: Any) -> Any:
    """Float64 numbers without infinities: what is hidden is alike, however it is hidden."""
    return np.maximum(np.asarray(value, np.float64), HIDDEN)


def _merged(shape: Sequence[int]) -> frozenset[int]:
    """How many numbers the first axes hold together, for each count of them. Merging neighbours leaves some out."""
    return frozenset(itertools.accumulate((size for size in shape if size > 1), operator.mul))
