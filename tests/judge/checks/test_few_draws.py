"""`statistics`: what a solution measures scatters as its law has it, told of many calls of few draws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.judge.checks.few_draws import calls
from grader.model.pack import Generator
from grader.model.run import Call, Seeded, Value

from ..hand_made import answer
from . import scenes


@pytest.mark.parametrize("calls", [16, 200])
@pytest.mark.parametrize(
    ("law", "told"),
    [
        ("as asked", ""),
        ("biased", ""),
        ("of a known mean", ""),
        ("signs", "with dim=1, num_trials=20 the numbers lie closer together from call to call than those"),
        ("one key", "with dim=1, num_trials=20 the numbers lie further apart from call to call than those"),
        ("none", "number 1 of 2 is 0 for dim=1, num_trials=20; expected about 1"),
    ],
)
def test_numbers_of_another_law_are_told_by_how_they_scatter(law: str, told: str, calls: int) -> None:
    scene = scenes.statistics(scatter=0.605)
    seen = answer({"scattered": twice(measured(law, calls))})
    more = {"returned": scene.seen.returned | seen.returned, "tensors": {**scene.seen.tensors, **seen.tensors}}

    finding = scene.but(**more).judged()

    is_told = told != "" and not (calls == 16 and law == "signs")  # of which so few show nothing
    assert finding.right is not is_told
    assert finding.summary.startswith(told if is_told else "")


def twice(numbers: Any) -> Any:
    """What calls give of which either number is the same: of vectors of one entry, scaled or not."""
    return np.stack([numbers, numbers], axis=1)


def measured(law: str, calls: int) -> Any:
    """The variance of 20 products of two numbers, so often."""
    random = np.random.default_rng(1)
    queries, keys = random.standard_normal((2, calls, 20))
    if law == "one key":
        keys = keys[:, :1]
    if law == "signs":
        queries, keys = np.sign(queries), np.sign(keys)
    products = queries * keys * (law != "none")
    if law == "of a known mean":
        return (products**2).mean(axis=1)
    return products.var(axis=1, ddof=0 if law == "biased" else 1)


@pytest.mark.parametrize("sent", [None, np.float32(1.0), np.zeros((0, 2)), np.ones(1)])
def test_what_is_to_scatter_and_is_not_there_is_told(sent: Any) -> None:
    scene = scenes.statistics(scatter=0.605)
    seen = answer({} if sent is None else {"scattered": sent})
    more = {"returned": scene.seen.returned | seen.returned, "tensors": {**scene.seen.tensors, **seen.tensors}}

    finding = scene.but(**more).judged()

    assert not finding.right
    assert finding.summary.endswith("expected 2 numbers in a tuple")


@pytest.mark.parametrize(
    ("numbers", "is_right"),
    [((np.nan,) * 4, False), ((0.0,) * 4, False), ((0.0, 0.0, 0.5, 0.0), True), ((np.inf, -0.1, 0.0, 0.0), False)],
)
def test_two_draws_have_a_variance(numbers: tuple[float, ...], is_right: bool) -> None:
    scene = scenes.statistics(scatter=0.605)
    scattered = twice(measured("as asked", 200))
    seen = answer({"scattered": scattered, "of two": twice(np.array(numbers))})
    more = {"returned": scene.seen.returned | seen.returned, "tensors": {**scene.seen.tensors, **seen.tensors}}

    finding = scene.but(**more).judged()

    assert finding.right is is_right
    assert finding.summary.startswith("" if is_right else "with dim=1, num_trials=2 number 1 of 2 is ")


def test_what_scatters_is_asked_often_with_few_draws() -> None:
    *_, of_two_wide, of_two, often = [
        each for each in scenes.statistics(scatter=0.605).run.actions if isinstance(each, Call)
    ]

    assert often.arguments == (Value(1), Value(20), Seeded(66))
    assert often.times == 200
    assert of_two.arguments == (Value(1), Value(2), Seeded(66))
    assert of_two.times == 40
    assert of_two_wide.arguments == (Value(64), Value(2), Seeded(66))
    assert of_two_wide.times == 60


def test_only_the_last_case_is_asked_for_them() -> None:
    question = scenes.statistics(scatter=0.605).question
    earlier = replace(question, step=replace(question.step, cases=(question.case.name, "wider")))

    assert calls(question, Generator(1))
    assert not calls(earlier, Generator(1))


@pytest.mark.parametrize(("least", "is_right"), [(0.0, True), (0.2, True), (1.0, False)])
def test_the_variance_of_two_draws_is_small_now_and_then(least: float, is_right: bool) -> None:
    scene = scenes.statistics(scatter=0.605)
    scattered = twice(measured("as asked", 200))
    variances = least + np.square(np.random.default_rng(2).laplace(size=40)) / 2
    seen = answer({"scattered": scattered, "of two": twice(variances)})
    more = {"returned": scene.seen.returned | seen.returned, "tensors": {**scene.seen.tensors, **seen.tensors}}

    finding = scene.but(**more).judged()

    assert finding.right is is_right
    assert finding.summary.startswith("" if is_right else "with dim=1, num_trials=2 number 1 of 2 is never below 1")


@pytest.mark.parametrize("is_right", [True, False])
def test_products_of_a_vector_with_itself_among_others_are_told(*, is_right: bool) -> None:
    scene = scenes.statistics(scatter=0.605)
    random = np.random.default_rng(3)
    queries, keys = random.standard_normal((2, 60, 2, 64))
    products = (queries * keys).sum(axis=2) if is_right else (queries @ queries.transpose(0, 2, 1)).reshape(60, 4)
    sent = {
        "scattered": twice(measured("as asked", 200)),
        "of two wide": np.stack([products.var(axis=1), products.var(axis=1) / 64], axis=1),
    }
    seen = answer(sent)
    more = {"returned": scene.seen.returned | seen.returned, "tensors": {**scene.seen.tensors, **seen.tensors}}

    finding = scene.but(**more).judged()

    assert finding.right is is_right
    assert finding.summary.startswith("" if is_right else "with dim=64, num_trials=2 number 1 of 2 is never below ")
