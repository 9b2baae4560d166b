"""What draws that are each on its own, all at one rate, show less than once in 10⁹ runs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.judge.checks import chance

SHAPE = (8, 16, 24)
RATES = st.floats(0.02, 0.98)
SHAPES = st.lists(st.integers(1, 9), min_size=1, max_size=4).map(tuple)

Drops = Callable[[Any, float], Any]


def is_seen(gone: Any, visible: Any, rate: float) -> bool:
    """Whether anything is said of these draws."""
    return bool(
        chance.is_off(gone.sum(), visible.sum(), rate)
        or chance.repeats(gone, visible, rate)
        or any(chance.goes_together(gone, visible, axis, rate) for axis in range(1, gone.ndim))
        or chance.are_counted_out(gone, int(visible[0].sum()), rate)
        or chance.depend(gone, visible, rate)
        or chance.are_uneven(gone, visible, rate)
    )


@given(st.integers(2, 16), SHAPES, RATES, st.floats(0.1, 1.0), st.integers(0, 2**32 - 1))
def test_of_draws_of_their_own_nothing_is_said(
    calls: int, shape: tuple[int, ...], rate: float, seen: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    visible = np.broadcast_to(rng.random(shape) < seen, (calls, *shape))

    assert not is_seen(visible & (rng.random((calls, *shape)) < rate), visible, rate)


def in_turn(rng: Any, rate: float) -> Any:
    masks = rng.random((4, *SHAPE[1:])) < rate
    return masks[np.arange(len(rng.random(SHAPE))) % 4]


def antithetic(rng: Any, rate: float) -> Any:
    drawn = rng.random((4, *SHAPE[1:]))
    return np.stack([drawn, 1.0 - drawn], axis=1).reshape(SHAPE) < rate


def often_as_before(rng: Any, rate: float) -> Any:
    drawn = rng.random(SHAPE)
    for before, after in itertools.pairwise(drawn):
        after[:] = np.where(rng.random(before.shape) < 0.6, before, after)
    return drawn < rate


def half_of_a_row_mirrored(rng: Any, rate: float) -> Any:
    drawn = rng.random((*SHAPE[:-1], 12))
    return np.concatenate([drawn, 1.0 - drawn], axis=-1) < rate


def mirrored_row(rng: Any, rate: float) -> Any:
    drawn = rng.random((*SHAPE[:-1], 12))
    return np.concatenate([drawn, 1.0 - drawn[..., ::-1]], axis=-1) < rate


def counted_in_each_row(rng: Any, rate: float) -> Any:
    return rng.permuted(np.broadcast_to(np.arange(24) / 24, SHAPE), axis=-1) < rate


def nearly_counted_in_each_row(rng: Any, rate: float) -> Any:
    places = rng.permuted(np.broadcast_to(np.arange(24.0), SHAPE), axis=-1)
    return (places + rng.random((*SHAPE[:-1], 1))) / 24 < rate


def some_more_than_others(rng: Any, rate: float) -> Any:
    return rng.random(SHAPE) < rate * np.linspace(0.2, 1.8, 24)


def rows_at_rates_of_their_own(rng: Any, rate: float) -> Any:
    return rng.random(SHAPE) < rate * rng.uniform(0.2, 1.8, (*SHAPE[:-1], 1))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rate", [0.3, 0.6])
@pytest.mark.parametrize(
    "drop",
    [
        in_turn,
        often_as_before,
        antithetic,
        half_of_a_row_mirrored,
        mirrored_row,
        counted_in_each_row,
        nearly_counted_in_each_row,
        some_more_than_others,
        rows_at_rates_of_their_own,
    ],
)
def test_draws_that_hang_together_or_are_not_alike_are_seen(drop: Drops, rate: float, seed: int) -> None:
    gone = drop(np.random.default_rng(seed), rate)

    assert abs(float(gone.mean()) - rate) < 0.06
    assert is_seen(gone, np.ones(SHAPE, bool), rate)


def test_masks_that_come_again_are_counted_where_they_can_be_told_from_chance() -> None:
    masks = np.eye(4, dtype=bool)[[0, 1, 0, 1, 2, 0]]
    larger = np.tile(masks, 20)

    assert chance.repeats(masks, np.ones_like(masks), 0.3) == 0
    assert chance.repeats(larger, np.ones_like(larger), 0.3) == 3


def test_nothing_is_said_of_how_many_are_dropped_where_that_may_be_chance() -> None:
    few, all_alike = np.ones((5, 2), bool), np.ones((5, 2), bool)
    few[:, 0] = all_alike[:, 0] = False

    assert not chance.are_counted_out(few, 2, 0.5)
    assert chance.are_counted_out(np.tile(all_alike, (10, 1)), 2, 0.5)


@given(st.integers(0, 400), st.integers(1, 400), RATES)
def test_a_share_that_hoeffding_allows_by_far_is_seldom_off(count: int, more: int, rate: float) -> None:
    """Chernoff's bound is never wider than Hoeffding's, which takes every rate for one half."""
    total = count + more
    distance = abs(count / total - rate)

    if 2.0 * total * distance**2 > np.log(2.0 / chance.OF_SHARE):
        assert chance.is_off(count, total, rate)
