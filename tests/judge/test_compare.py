"""A result is right only if its kind, shape, type, device, pattern and values are; nothing is broadcast."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.judge import compare
from grader.model.case import FRESH, Expected
from grader.model.check import RIGHT, Finding
from grader.model.observation import Observation, Returned

from .hand_made import answer, described, numbers, question

ASKED = question("output", {"x": numbers(2, 3)})
WANTED = np.array([[1.0, -2.0, 3.0], [4.0, 5.0, -8.0]])
shapes = st.lists(st.integers(0, 3), max_size=3).map(tuple)


def f32(values: Any) -> Any:
    return np.asarray(values, np.float32)


def judged(got: Any, wanted: Any = WANTED, **options: Any) -> Finding:
    """The finding on one result, in the face of the reference's."""
    asked = options.pop("asked", ASKED)
    return compare.returned(asked, "result", answer({"result": got}), Expected(answer({"result": wanted})), **options)


def test_the_same_values_are_right() -> None:
    assert judged(f32(WANTED)) == RIGHT


@given(st.integers(0, 5), st.floats(0.0, 0.99), st.sampled_from([-1, 1]))
def test_an_error_within_the_tolerance_is_right(place: int, share: float, sign: int) -> None:
    allowed = compare.tolerance(ASKED, WANTED, floor=1e-3)
    got = WANTED.copy()
    got.flat[place] += sign * share * allowed

    assert compare.values(ASKED, got, WANTED, floor=1e-3).right


@given(st.integers(0, 5), st.floats(1.01, 1e30), st.sampled_from([-1, 1]))
def test_an_error_beyond_the_tolerance_is_wrong(place: int, share: float, sign: int) -> None:
    allowed = compare.tolerance(ASKED, WANTED, floor=1e-3)
    got = WANTED.copy()
    got.flat[place] += sign * share * allowed

    finding = compare.values(ASKED, got, WANTED, floor=1e-3)

    assert not finding.right
    assert finding.summary.startswith("1 of 6 values is off; the worst at ")


@given(st.sets(st.integers(0, 5), min_size=1))
def test_nan_is_never_right(places: set[int]) -> None:
    got = f32(WANTED)
    got.flat[list(places)] = np.nan

    verb = "is" if len(places) == 1 else "are"
    assert judged(got).summary == f"{len(places)} of 6 elements {verb} NaN (case random)"


def test_nan_equals_nothing_not_even_nan() -> None:
    wanted = WANTED.copy()
    wanted[0, 0] = np.nan

    assert not judged(f32(wanted), wanted).right


def test_nothing_equals_the_references_nan() -> None:
    wanted = WANTED.copy()
    wanted[0, 0] = np.nan

    assert not judged(f32(WANTED), wanted).right


@given(st.lists(st.sampled_from([0.5, np.inf, -np.inf]), min_size=6, max_size=6), st.data())
def test_infinities_must_stand_where_they_are_expected(values: list[float], data: st.DataObject) -> None:
    wanted = np.array(values)
    got = wanted.copy()
    place = data.draw(st.integers(0, 5))
    got[place] = data.draw(st.sampled_from([0.5, np.inf, -np.inf]))

    finding = judged(f32(got), wanted)

    assert finding.right == (got[place] == wanted[place])


@pytest.mark.parametrize(
    ("got", "wanted", "told"),
    [
        ([1.0, -np.inf], [1.0, 2.0], "1 element is -inf where a finite value is expected (case random)"),
        ([np.inf, np.inf], [1.0, 2.0], "2 elements are inf where a finite value is expected (case random)"),
        ([1.0, 2.0], [1.0, -np.inf], "1 element is not -inf where -inf is expected (case random)"),
        ([1.0, np.inf], [1.0, -np.inf], "1 element is not -inf where -inf is expected (case random)"),
        ([1.0, 1e38], [1.0, np.inf], "1 element is not inf where inf is expected (case random)"),
    ],
)
def test_a_wrong_infinity_is_told(got: list[float], wanted: list[float], told: str) -> None:
    assert judged(f32(got), np.array(wanted)).summary == told


@given(shapes, shapes)
def test_shapes_are_never_broadcast(got: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    assume(got != wanted)

    finding = judged(np.ones(got, np.float32), np.ones(wanted))

    assert finding.summary == f"shape {got}; expected {wanted} (case random)"


def test_one_zero_is_not_five() -> None:
    assert judged(np.zeros(1, np.float32), np.zeros(5)).summary == "shape (1,); expected (5,) (case random)"


@pytest.mark.parametrize("dtype", ["float64", "float16", "int64", "bool", "uint8"])
def test_another_type_than_that_of_the_inputs_is_told_with_what_may_have_changed_it(dtype: str) -> None:
    told = f"dtype {dtype}; expected float32, as the inputs have it: leave out what changes it, such as `.double()`"
    assert judged(WANTED.astype(dtype)).summary == f"{told} or `dtype=` (case random)"


@pytest.mark.parametrize("dtype", ["bool", "int64"])
def test_a_type_that_is_no_float_is_expected_as_it_is(dtype: str) -> None:
    wanted = np.eye(3).astype(dtype)

    assert judged(wanted, wanted).right
    assert judged(f32(wanted), wanted).summary == f"dtype float32; expected {dtype} (case random)"


def test_another_device_is_told() -> None:
    seen = described(f32(WANTED), "result", device="cuda")

    assert judged(seen).summary == "on the device cuda; its inputs are on cpu (case random)"


def test_the_shape_is_told_before_the_type_and_the_type_before_the_device() -> None:
    both = described(np.zeros(2), "result", device="cuda")
    later = described(WANTED, "result", device="cuda")

    assert judged(both).summary.startswith("shape")
    assert judged(later).summary.startswith("dtype")


def test_the_pattern_is_told_before_the_values() -> None:
    got = f32(WANTED) + 1.0
    got[0, 0] = np.nan

    assert judged(got).summary == "1 of 6 elements is NaN (case random)"


def test_the_worst_value_is_told_with_its_place() -> None:
    got = f32(WANTED)
    got[0, 1] += 0.5
    got[1, 2] = -1.5

    told = "2 of 6 values are off; the worst at [1, 2]: got -1.5, expected -8 (case random)"
    assert judged(got).summary == told


def test_of_what_is_nearly_right_it_is_told_how_near_is_near_enough() -> None:
    near, far = (compare.values(ASKED, WANTED * factor, WANTED, floor=1e-6) for factor in (1.0001, 1.01))

    said = r"nearly right in this case: off by [\de.-]+, and rounding accounts for at most [\de.-]+"
    assert re.fullmatch(said, near.nearly)
    assert (near.right, far.right, far.nearly) == (False, False, "")
    assert not compare.values(
        question("output", {"x": numbers(2, 3)}, origin=FRESH), WANTED * 1.0001, WANTED, floor=1e-6
    ).nearly


def test_a_fresh_cases_values_are_never_told() -> None:
    asked = question("output", {"x": numbers(2, 3)}, origin=FRESH)
    got = f32(WANTED)
    got[1, 2] = -1.5

    told = "1 of 6 values is off (inputs drawn afresh like case random)"
    assert judged(got, asked=asked).summary == told


def test_a_fresh_cases_truth_values_are_never_told() -> None:
    asked = question("output", {"x": numbers(2, 3)}, origin=FRESH)

    told = "2 of 4 elements differ (inputs drawn afresh like case random)"
    assert judged(np.eye(2) > 0, np.ones((2, 2), bool), asked=asked).summary == told


@given(st.sets(st.integers(0, 8), min_size=1))
def test_a_single_wrong_truth_value_is_wrong(places: set[int]) -> None:
    wanted = np.triu(np.ones((3, 3), bool), 1)
    got = wanted.copy()
    got.flat[list(places)] ^= True
    first = min(places)

    summary = judged(got, wanted).summary

    row, column = divmod(first, 3)
    assert summary.startswith(f"{len(places)} of 9 elements differ, the first at [{row}, {column}]: {got[row, column]}")


def test_whole_numbers_are_compared_exactly() -> None:
    assert judged(np.array([2**40 + 1]), np.array([2**40])).summary == (
        f"1 of 1 element differ, the first at [0]: {2**40 + 1}, expected {2**40} (case random)"
    )


@pytest.mark.parametrize(
    ("got", "told"),
    [
        (Returned("none", type="None"), "returned None; expected a tensor of shape (2, 3) (case random)"),
        (Returned("other", type="dict"), "returned a dict; expected a tensor of shape (2, 3) (case random)"),
        (
            Returned("number", type="float", number=1.0),
            "returned a float; expected a tensor of shape (2, 3) (case random)",
        ),
        (
            Returned("number", type="int", number=1.0),
            "returned an int; expected a tensor of shape (2, 3) (case random)",
        ),
        (Returned("sequence", type="list"), "returned a list of 0; expected a tensor of shape (2, 3) (case random)"),
        (
            Returned("sequence", type="list", items=2 * (Returned("sequence", type="list"),)),
            "returned a list of 2; expected a tensor of shape (2, 3), as torch.tensor makes of it (case random)",
        ),
        (
            Returned("sequence", type="list", items=3 * (Returned("sequence", type="list"),)),
            "returned a list of 3; expected a tensor of shape (2, 3) (case random)",
        ),
        (
            Returned("sequence", type="list", items=2 * (Returned("number", type="float", number=1.0),)),
            "returned a list of 2; expected a tensor of shape (2, 3) (case random)",
        ),
        (
            Returned("other", type="numpy.ndarray"),
            "returned a numpy.ndarray; expected a tensor of shape (2, 3): compute with torch alone, without numpy and "
            "`.numpy()` (case random)",
        ),
    ],
)
def test_something_that_is_no_tensor_is_told(got: Returned, told: str) -> None:
    assert judged(got).summary == told


def test_a_result_that_did_not_come_is_told() -> None:
    seen = compare.returned(ASKED, "result", Observation(), Expected(answer({"result": WANTED})))

    assert seen.summary == "nothing came back"


def test_values_that_did_not_come_are_told() -> None:
    seen = Observation(returned={"result": described(f32(WANTED), "")})

    finding = compare.returned(ASKED, "result", seen, Expected(answer({"result": WANTED})))

    assert finding.summary == "its values could not be read"


def test_that_the_first_of_several_counts_is_told_also_where_it_is_of_another_shape() -> None:
    finding = judged((f32(np.ones(7)), f32(WANTED)))

    assert not finding.right
    assert finding.notes == ("1 further value returned beside the result; accepted, and the first one was graded",)


def test_further_values_beside_the_result_are_accepted_and_told() -> None:
    finding = judged((f32(WANTED), f32(np.ones(2))))

    assert finding.right
    assert finding.notes == ("1 further value returned beside the result; accepted, and the first one was graded",)


def test_one_value_in_a_list_has_nothing_beside_it() -> None:
    assert judged([f32(WANTED)]) == Finding(True)


def test_a_list_is_as_long_as_it_is_however_much_of_it_is_told() -> None:
    number, row = Returned("number", type="float", number=0.5), Returned("sequence", type="list", further=3)

    long = judged(Returned("sequence", type="list", items=(number,) * 16, further=4), np.ones(20))
    assert long.summary == (
        "returned a list of 20; expected a tensor of shape (20,), as torch.tensor makes of it (case random)"
    )
    nested = judged(Returned("sequence", type="tuple", items=(row, row)), (np.ones((3, 2)), np.ones((3, 2))))
    assert nested.summary == "result 1 of 2: returned a list of 3; expected a tensor of shape (3, 2) (case random)"


def test_the_first_of_several_values_is_the_one_that_counts() -> None:
    assert not judged((f32(WANTED) + 1, f32(WANTED))).right


def test_a_tuple_is_compared_item_by_item() -> None:
    wanted = (WANTED, np.ones(2))

    assert judged((f32(WANTED), f32(np.ones(2))), wanted).right
    assert judged((f32(WANTED), f32(np.zeros(2))), wanted).summary.startswith("result 2 of 2: 2 of 2 values are off")
    assert judged((f32(WANTED), f32(np.ones(3))), wanted).summary.startswith("result 2 of 2: shape (3,)")
    assert (
        judged((f32(WANTED),), wanted).summary == "returned a tuple of 1; expected 2 tensors in a tuple (case random)"
    )
    assert judged(f32(WANTED), wanted).summary.startswith("returned a tensor of shape (2, 3); expected 2 tensors")


def test_a_list_for_a_tuple_is_accepted_and_told() -> None:
    finding = judged([f32(WANTED), f32(np.ones(2))], (WANTED, np.ones(2)))

    assert finding == Finding(True, notes=("a list for a tuple; accepted",))


def test_one_tensor_that_unpacks_as_the_tuple_does_is_accepted_and_told() -> None:
    pair = (WANTED, WANTED + 1)

    finding = judged(f32(np.stack(pair)), pair)

    assert finding == Finding(True, notes=("one tensor for a tuple of 2; accepted",))
    assert judged(f32(np.stack(pair[::-1])), pair).summary.startswith("result 1 of 2: ")
    assert not judged(f32(np.stack((*pair, WANTED))), pair).right


def test_a_number_for_a_tensor_without_axes_is_accepted_and_told() -> None:
    wanted = np.array(2.5)

    finding = judged(Returned("number", type="float", number=2.5), wanted)

    assert finding == Finding(True, notes=("a float for a 0-d tensor; accepted",))
    assert judged(Returned("number", type="float", number=2.6), wanted).summary == (
        "1 of 1 value is off; the worst: got 2.6, expected 2.5 (case random)"
    )
    assert not judged(Returned("number", type="float", number=float("nan")), wanted).right


def test_a_wrong_number_is_wrong_where_the_reference_gives_a_number() -> None:
    wanted = Returned("number", type="float", number=2.5)

    assert judged(Returned("number", type="float", number=2.5), wanted).right
    assert not judged(Returned("number", type="float", number=7.0), wanted).right


def test_a_very_negative_number_stands_for_minus_infinity_only_where_one_is_expected() -> None:
    wanted = np.array([1.0, -np.inf])

    accepted = judged(f32([1.0, -1e9]), wanted, minus_infinity=-1e8)
    too_small = judged(f32([1.0, -1e7]), wanted, minus_infinity=-1e8)
    elsewhere = judged(f32([-1e9, -1e9]), wanted, minus_infinity=-1e8)

    assert accepted == Finding(True, notes=("-1e+09 stands for -inf; accepted",))
    assert too_small.summary == "1 element is not -inf where -inf is expected (case random)"
    assert not elsewhere.right


def test_the_lowest_number_of_float16_stands_for_minus_infinity_although_the_rubrics_is_lower() -> None:
    asked = question("output", {"x": numbers(2, 3)}, dtype="float16")
    wanted = np.array([1.0, -np.inf])

    lowest = judged(np.array([1.0, -65504.0], np.float16), wanted, asked=asked, minus_infinity=-1e8)
    higher = judged(np.array([1.0, -65472.0], np.float16), wanted, asked=asked, minus_infinity=-1e8)

    assert lowest.right
    assert not higher.right


@pytest.mark.parametrize(
    ("given", "due"),
    [(1.0, 1.0), (1.00390625, 1.0), (1.01171875, 1.015625), (1.005, 1.0078125), (-3.14159, -3.140625)],
)
def test_bfloat16_rounds_to_the_nearest_and_ties_to_the_even(given: float, due: float) -> None:
    assert compare.rounded(f32([given]), "bfloat16") == [due]


def test_only_numbers_of_floating_point_are_rounded() -> None:
    assert compare.rounded(np.array([70001]), "float16") == [70001]
    assert compare.rounded(np.array([True]), "bfloat16").dtype == bool
    assert compare.rounded(f32([0.1]), "float16").dtype == np.float16


@pytest.mark.parametrize(("dtype", "unit"), compare.EPSILON.items())
def test_a_reference_that_is_exact_by_luck_asks_no_exactness_of_others(dtype: str, unit: float) -> None:
    asked = question("output", {"x": numbers(2, 3)}, dtype=dtype)

    assert compare.tolerance(asked, WANTED, floor=0.0) == 4 * 4 * unit * 8.0


def test_the_tolerance_grows_with_the_noise_and_with_the_values() -> None:
    assert compare.tolerance(ASKED, WANTED, 1e-3) == pytest.approx(4 * 1e-3 * 8)
    assert compare.tolerance(ASKED, WANTED * 10, 1e-3) == pytest.approx(4 * 1e-3 * 80)
    assert compare.tolerance(ASKED, np.array([-np.inf, 2.0]), 1e-3) == pytest.approx(4 * 1e-3 * 2)


def test_a_case_may_set_its_own_relative_tolerance() -> None:
    asked = question("output", {"x": numbers(2, 3)}, relative=1e-3)

    assert compare.tolerance(asked, WANTED, 0.5) == pytest.approx(8e-3)


def test_zeros_are_expected_to_be_zeros() -> None:
    assert judged(np.zeros(3, np.float32), np.zeros(3)).right
    assert not judged(f32([0, 0, 1e-3]), np.zeros(3)).right


@pytest.mark.parametrize(
    ("array", "is_lifeless"),
    [
        (np.zeros((2, 3)), True),
        (np.full(4, 7.0), True),
        (np.zeros(0), True),
        (np.float32(3.0), True),
        (np.array([1.0, np.nan]), True),
        (np.array([1.0, np.inf]), True),
        (np.array([1.0, 2.0]), False),
        (np.array([True, False]), False),
    ],
)
def test_what_is_the_same_everywhere_or_not_finite_is_lifeless(array: Any, is_lifeless: bool) -> None:
    assert compare.lifeless(array) is is_lifeless


def test_the_first_tensor_of_nested_tuples_is_found() -> None:
    seen = answer({"result": (f32(WANTED), np.ones(2)), "none": Returned("none"), "empty": Returned("sequence")})

    assert compare.tensor(seen, "result").tolist() == WANTED.tolist()
    assert compare.tensor(seen, "none") is None
    assert compare.tensor(seen, "empty") is None
    assert compare.tensor(seen, "missing") is None


def test_equal_zeros_of_every_shape_are_right() -> None:
    for shape in itertools.product((0, 1, 2), repeat=2):
        assert judged(np.zeros(shape, np.float32), np.zeros(shape)).right


def test_a_list_of_parts_that_are_to_be_joined_is_told_as_that() -> None:
    finding = judged([f32(WANTED[:, :1]), f32(WANTED[:, 1:2]), f32(WANTED[:, 2:])])

    assert finding.summary == (
        "returned a list of 3 tensors of shape (2, 1); expected one tensor of shape (2, 3) (case random)"
    )
    assert judged([f32(WANTED), f32(WANTED)]).right  # the context, and something more


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_numbers_that_differ_are_shown_with_the_digits_that_differ(one: float, other: float) -> None:
    assume(one != other)

    both = compare.shown_apart(one, other)

    assert both[0] != both[1]
    assert compare.shown_apart(0.29280, 0.29284) == ("0.2928", "0.29284")


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_an_input_that_came_back_as_its_type_holds_it_was_not_written_to(dtype: str) -> None:
    asked = question("output", {"x": np.array([0.1, 0.2]), "n": 3}, dtype=dtype)
    held = compare.rounded(asked.case.inputs["x"], dtype)

    def changed(sent: Any, **options: bool) -> list[str]:
        return compare.changed_inputs(answer({}, tensors={"sent.x": sent}), asked, **options)

    assert changed(held) == []
    assert changed(2 * held) == ["x"]
    assert changed(held[:1]) == changed(held[:1], by_shape=True) == ["x"]
    assert changed(2 * held, by_shape=True) == []
