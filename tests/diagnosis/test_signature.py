"""A result's signature is the same for the same result in other arithmetic, and no other's."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.diagnosis.signature import FAULT, PROJECTIONS, Signature, agree, packed, signature, unpacked
from grader.model.observation import Ending, Fault, Observation

from ..judge.hand_made import answer, numbers


def of(*arrays: Any, count: int = 1, minus_infinity: float | None = None) -> Signature:
    value = arrays[0] if len(arrays) == 1 else arrays
    return signature(answer({"result": value}), "result", count, minus_infinity)


def same(a: Signature, b: Signature) -> bool:
    return bool(agree([a.form], [a.values], b)[0])


@given(st.integers(0, 10_000), st.floats(0.01, 100))
def test_float32_noise_changes_nothing(seed: int, scale: float) -> None:
    exact = numbers(4, 5, seed=seed).astype(np.float64) * scale

    assert same(of(exact), of(exact.astype(np.float32) * np.float32(1 + 1e-6)))


@given(st.integers(0, 10_000), st.integers(0, 19))
def test_one_value_that_is_off_by_a_hundredth_changes_it(seed: int, place: int) -> None:
    exact = numbers(4, 5, seed=seed).astype(np.float64)
    other = exact.copy()
    other.flat[place] += 0.01 * np.abs(exact).max()
    assume(np.abs(exact).max() > 0.1)

    assert not same(of(exact), of(other))


def test_shape_and_places_of_infinity_count() -> None:
    x = numbers(2, 6).astype(np.float64)
    hidden, elsewhere = x.copy(), x.copy()
    hidden[0, 1] = elsewhere[1, 0] = -np.inf

    assert not same(of(x), of(x.reshape(6, 2)))
    assert not same(of(x), of(hidden))
    assert not same(of(hidden), of(elsewhere))


def test_a_large_negative_number_is_minus_infinity_where_the_rubric_says_so() -> None:
    x = np.array([1.0, -np.inf, 2.0])

    assert same(of(np.array([1.0, -1e9, 2.0]), minus_infinity=-1e8), of(x, minus_infinity=-1e8))
    assert not same(of(np.array([1.0, -1e9, 2.0])), of(x))


def test_further_values_are_left_out() -> None:
    x, weights = numbers(3, seed=1), numbers(4, seed=2)

    assert same(of(x, weights), of(x))


def test_stacked_values_are_those_of_the_tuple_that_they_unpack_into() -> None:
    x, y = numbers(3, 2, seed=1), numbers(3, 2, seed=2)

    assert same(of(np.stack([x, y]), count=2), of(x, y, count=2))
    assert not same(of(np.stack([y, x]), count=2), of(x, y, count=2))
    assert of(np.stack([x, y, y]), count=2).is_fault


def test_what_did_not_come_back_is_a_fault() -> None:
    crashed = signature(Observation(ending=Ending.CRASHED), "result", 1)

    assert crashed.is_fault
    assert of(numbers(3), count=2).is_fault
    assert not same(crashed, of(np.zeros(3)))


def crashed(message: str, type: str = "RuntimeError") -> Signature:
    return signature(Observation(fault=Fault("exception", type, message)), "result", 1)


def test_faults_are_alike_where_torch_says_the_same_of_the_same_sizes() -> None:
    said = "mat1 and mat2 shapes cannot be multiplied (10x4 and 12x12)"

    assert same(crashed(said), crashed(said))
    assert not same(crashed(said), crashed(said.replace("10x4", "30x4")))


def test_a_method_that_writes_names_two_sizes_in_another_order_than_an_operator() -> None:
    said = "The size of tensor a (3) must match the size of tensor b (15) at non-singleton dimension 3"

    assert same(crashed(said), crashed(said.replace("(3)", "(0)").replace("(15)", "(3)").replace("(0)", "(15)")))
    assert not same(crashed(said), crashed(said.replace("(15)", "(5)")))
    assert not same(crashed(said), crashed(said.replace("dimension 3", "dimension 2")))


def test_no_other_fault_is_like_another() -> None:
    assert not same(crashed("no such name", "NameError"), crashed("no such name", "NameError"))
    assert not same(*[signature(Observation(ending=Ending.CRASHED), "result", 1)] * 2)


@given(
    st.lists(st.tuples(st.integers(0, 2**32 - 1), st.lists(st.floats(), min_size=PROJECTIONS, max_size=PROJECTIONS)))
)
def test_what_is_packed_comes_back_bit_for_bit(some: list[tuple[int, list[float]]]) -> None:
    signatures = [Signature(form, np.array(values)) for form, values in some]

    back = unpacked(packed([*signatures, of(count=2)]))

    assert [each.form for each in back] == [*(each.form for each in signatures), FAULT]
    assert all(a.values.tobytes() == b.values.tobytes() for a, b in zip(signatures, back, strict=False))
    assert back[-1].is_fault
