"""`statistics`: numbers drawn at random lie where their law says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.model.check import Finding
from grader.model.observation import Observation, Returned
from grader.model.run import Call, Seeded, Value

from ..hand_made import answer
from . import scenes

ONCE, OTHER = (66.0, 1.03), (61.0, 0.95)
ONCE_ROOT = np.array((66.0, (66 / 64) ** 0.5))


def judged(once: Any = ONCE, again: Any = None, other: Any = OTHER) -> Finding:
    """The finding on these numbers, each a Python float."""
    results = {"once": once, "again": once if again is None else again, "other": other}
    seen = answer(
        {name: Returned("sequence", type="tuple", items=tuple(map(number, r))) for name, r in results.items()}
    )
    return scenes.statistics().but(returned=seen.returned, tensors=seen.tensors).judged()


def number(value: float) -> Returned:
    return Returned("number", type="float", number=value)


def test_one_seed_is_given_twice_and_another_once() -> None:
    *calls, fewer, wider, widest = [each for each in scenes.statistics().run.actions if isinstance(each, Call)]

    assert [call.arguments[-1] for call in calls] == [Seeded(1), Seeded(1), Seeded(2)]  # the case's own, and the next
    assert all(call.arguments[:-1] == (Value(64), Value(1000)) for call in calls)
    assert fewer.arguments == (Value(64), Value(100), Seeded(1))
    assert [call.arguments for call in (wider, widest)] == [(Value(n), Value(100), Seeded(1)) for n in (65, 66)]


@pytest.mark.parametrize(
    ("once", "other", "is_told"),
    [
        (ONCE[::-1], OTHER[::-1], True),
        (ONCE[::-1], OTHER, False),
        ((1.03, 1.03), (0.95, 0.95), False),
        ((66.0, 66.0), (61.0, 61.0), False),
    ],
)
def test_numbers_in_each_others_place_are_told(once: Any, other: Any, is_told: bool) -> None:
    summary = judged(once, other=other).summary

    told = "numbers 1 and 2 of 2 stand in each other's place: 1.03 where about 64 is expected"
    assert (summary == told) is is_told


@pytest.mark.parametrize(("at_the_widest", "is_right"), [((66 * 1.1, 1.07), False), ((66 * 1.12, 1.1), True)])
def test_what_misses_its_expectation_by_the_same_share_at_every_width_is_told(
    at_the_widest: tuple[float, float], is_right: bool
) -> None:
    scene = scenes.statistics()
    others = answer({"with fewer": (64 * 1.1, 1.08), "wider": (65 * 1.1, 1.09), "wider still": at_the_widest})

    finding = scene.but(
        returned={**scene.seen.returned, **others.returned}, tensors={**scene.seen.tensors, **others.tensors}
    ).judged()

    assert finding.right is is_right
    assert finding.summary.startswith("" if is_right else "whatever `dim` is, the numbers miss what is expected by")


def test_as_many_draws_whatever_is_asked_for_are_told() -> None:
    scene = scenes.statistics()
    once = (np.float32(66.0), np.float32(1.03))
    same = answer({"once": once, "again": once, "other": (np.float32(61.0), np.float32(0.95)), "with fewer": once})

    finding = scene.but(returned=same.returned, tensors=same.tensors).judged()

    assert finding.summary == "another `num_trials` gives the very same numbers: draw as many as it says"


def test_python_numbers_do_as_well_as_tensors() -> None:
    assert judged().right


def test_a_tensor_of_two_does_as_well_as_a_tuple() -> None:
    seen = answer({"once": np.array(ONCE), "again": np.array(ONCE), "other": np.array(OTHER)})

    assert scenes.statistics().but(returned=seen.returned, tensors=seen.tensors).judged().right


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ((1.03, 66.0), "number 1 of 2 is 1.03 for dim=64, num_trials=1000; expected about 64"),
        ((66.0, 8.0), "number 2 of 2 is 8 for dim=64, num_trials=1000; expected about 1"),
        ((0.0, 0.0), "number 1 of 2 is 0 for dim=64, num_trials=1000; expected about 64"),
        ((float("nan"), 1.0), "number 1 of 2 is nan for dim=64, num_trials=1000; expected about 64"),
        ((1e200, 1.0), "number 1 of 2 is 1e+200 for dim=64, num_trials=1000; expected about 64"),
        ((float("inf"), 1.0), "number 1 of 2 is inf for dim=64, num_trials=1000; expected about 64"),
    ],
)
def test_a_number_that_is_far_off_is_told(numbers: tuple[float, float], told: str) -> None:
    assert judged(once=numbers).summary == told
    assert judged(other=numbers).summary == told


def test_numbers_at_the_edge_are_right() -> None:
    assert judged(once=(64 * 1.25, 0.75)).right
    assert not judged(once=(64 * 1.26, 0.75)).right


def test_numbers_from_another_generator_are_told() -> None:
    assert judged(again=(66.1, 1.03)).summary.startswith("the same seed gives two different results")
    assert judged(other=ONCE).summary.startswith("two seeds give the same result")


@pytest.mark.parametrize(
    ("once", "other", "position"),
    [((66.0, 1.0), (61.0, 1.0), 2), ((66.0, 1 + 2e-7), (61.0, 1 - 2e-7), 2), ((64.0, 1.03), (64.0, 0.95), 1)],
)
def test_a_number_that_no_draw_changes_is_told(
    once: tuple[float, float], other: tuple[float, float], position: int
) -> None:
    summary = judged(once=once, other=other).summary

    assert summary.startswith(f"number {position} of 2 is {(64, 1)[position - 1]} to six digits, whatever is drawn")


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_a_number_of_few_digits_may_be_as_expected(dtype: str) -> None:
    scene = scenes.statistics()
    seen = answer({"once": np.array((66.0, 1.0)), "again": np.array((66.0, 1.0)), "other": np.array((61.0, 1.0))})

    assert replace(scene, question=replace(scene.question, dtype=dtype), seen=seen).judged().right


def test_a_number_that_is_as_expected_once_is_right() -> None:
    assert judged(once=(64.0, 1.0)).right
    assert judged(once=(64.0, 1.0), other=(64.001, 1.00001)).right


@pytest.mark.parametrize("by", [1, 0.999, 1 / 0.999], ids=["of the same", "of the whole", "of a sample"])
def test_a_deviation_where_a_variance_is_due_is_told_though_both_are_about_one(by: float) -> None:
    summary = judged(once=(66.0, (66 / 64 * by) ** 0.5), other=(61.0, (61 / 64 * by) ** 0.5)).summary

    assert summary.startswith("number 2 of 2 is a standard deviation")


def test_a_deviation_far_from_the_variance_is_told_where_both_seeds_give_one() -> None:
    told = "number 1 of 2 is 8, the root of about 64, as a standard deviation is; the variance is asked for"

    assert judged(once=(8.0, 1.03), other=(7.9, 0.95)).summary == told
    assert judged(once=(8.0, 1.03)).summary.endswith("expected about 64")


def test_a_variance_that_is_divided_by_the_root_is_told_where_both_seeds_give_one() -> None:
    told = "number 2 of 2 is 8.25, √dim times about 1: what divides the numbers by √dim divides their variance by dim"

    assert judged(once=(66.0, 8.25), other=(61.0, 61 / 8)).summary == told
    assert judged(once=(66.0, 8.25)).summary.endswith("expected about 1")
    assert judged(once=(512.0, 1.03), other=(510.0, 0.95)).summary.endswith("expected about 64")


def test_two_variances_are_right_however_near_to_what_is_due_and_to_a_deviation_once() -> None:
    assert judged(once=(66.0, 66 / 64), other=(61.0, 61 / 64)).right
    assert judged(once=(64.0001, 64.0001 / 64), other=(64.0002, 64.0002 / 64)).right
    assert judged(once=(66.0, (66 / 64) ** 0.5), other=(61.0, 61 / 64)).right
    assert judged(once=(66.0, 66 / 64), other=(61.0, (61 / 64) ** 0.5)).right


def test_where_a_rubric_names_no_draws_or_digits_are_few_a_number_may_be_the_root_of_another() -> None:
    scene = scenes.statistics()
    seen = answer({"once": ONCE_ROOT, "again": ONCE_ROOT, "other": np.array((61.0, (61 / 64) ** 0.5))})
    options = {name: value for name, value in scenes.STATISTICS.items() if name != "variances_of"}
    step = replace(scene.question.step, options=options)

    assert not replace(scene, seen=seen).judged().right
    assert replace(scene, question=replace(scene.question, step=step), seen=seen).judged().right
    assert replace(scene, question=replace(scene.question, dtype="bfloat16"), seen=seen).judged().right


@pytest.mark.parametrize("numbers", [(), (66.0,), (66.0, 1.03, 0.0)])
def test_another_count_of_numbers_is_told(numbers: tuple[float, ...]) -> None:
    told = judged(once=numbers).summary

    assert told == f"returned a tuple of {len(numbers)}; expected 2 numbers in a tuple"


def test_what_is_no_number_among_them_is_told() -> None:
    method = Returned("other", type="method")
    pair = Returned("sequence", type="tuple", items=(number(66.0), method))
    seen = Observation(returned=dict.fromkeys(("once", "again", "other"), pair))

    told = "result 2 of 2: returned a method; expected a number"
    assert replace(scenes.statistics(), seen=seen).judged().summary == told


def test_of_a_later_call_that_gives_no_numbers_it_is_told_what_that_gave() -> None:
    seen = answer({"once": np.array((66.0, 1.0)), "again": np.array((66.0, 1.0)), "other": Returned("none")})

    told = replace(scenes.statistics(), seen=seen).judged().summary

    assert told == "returned None; expected 2 numbers in a tuple"


@pytest.mark.parametrize(
    ("numbers", "mistake"),
    [
        ((66.0, 66.0), "scale-missing"),
        ((66.0, 1 / 64), "scale-no-sqrt"),
        ((66.0, 8.0), ""),
        ((1.03, 66.0), ""),
        ((1.03, 1.03), ""),
    ],
)
def test_one_number_off_by_a_power_that_the_rubric_knows_is_named(numbers: tuple[float, float], mistake: str) -> None:
    scene = scenes.statistics()
    told = {"told": [{}, {"scale-missing": 1, "scale-no-sqrt": -1}], "power_of": "dim"}
    step = replace(scene.question.step, options={**scene.question.step.options, **told})
    seen = answer({name: np.array(numbers) for name in ("once", "again", "other")})

    finding = replace(scene, question=replace(scene.question, step=step), seen=seen).judged()

    assert (finding.right, finding.mistake) == (False, mistake)


def test_nothing_returned_is_named() -> None:
    nothing = answer(dict.fromkeys(("once", "again", "other"), Returned("none")))

    assert scenes.statistics().but(returned=nothing.returned).judged().mistake == "returns-none"
