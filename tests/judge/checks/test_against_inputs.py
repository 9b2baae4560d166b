"""What is wrong besides is told where p = 0 spoils the output already, and nothing that is not certain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.model.check import Finding
from grader.model.observation import Returned

from ..hand_made import answer
from . import scenes
from .scenes import dropped

SCENE = scenes.dropout()
WEIGHTS = SCENE.question.case.inputs["weights"]
NOTHING, NAN, INFINITE = (np.full_like(WEIGHTS, each) for each in (0.0, np.nan, np.inf))
EXCHANGED = "with p = 0 everything is dropped: p is the share to drop"


def drawn(rng: Any, *shape: int) -> Any:
    """What is true where a draw is below p."""
    return rng.random(shape or WEIGHTS.shape) < 0.3


def function(training: Callable[[Any], Any], plain: Any, outside: Any = WEIGHTS) -> Finding:
    results = dropped(SCENE.question, training, plain) | {"plain again": plain}
    return replace(SCENE, seen=answer(results | {"evaluated": outside, "evaluated again": outside})).judged()


def test_one_mistake_alone_is_told_alone() -> None:
    finding = function(lambda rng: WEIGHTS * drawn(rng) / 0.7, NOTHING)

    assert finding.summary.startswith(EXCHANGED)
    assert (finding.mistakes, finding.besides) == ((), ())


@pytest.mark.parametrize("outside", [WEIGHTS * (WEIGHTS < 0.5) / np.float32(0.7), WEIGHTS * np.float32(0.7)])
def test_what_is_dropped_or_scaled_outside_training_is_named_too(outside: Any) -> None:
    finding = function(lambda rng: WEIGHTS * drawn(rng) / 0.7, NOTHING, outside)

    assert finding.summary.startswith(EXCHANGED)
    assert finding.mistakes == ("dropout-in-eval",)


def test_what_comes_out_otherwise_outside_training_is_told_and_not_named() -> None:
    finding = function(lambda rng: WEIGHTS * drawn(rng) / 0.7, NOTHING, WEIGHTS**2)

    assert finding.mistakes == ()
    assert [said[:16] for said in finding.besides] == ["outside training"]


def test_survivors_that_are_left_as_they_were_are_named_too() -> None:
    finding = function(lambda rng: WEIGHTS * drawn(rng), NOTHING)

    assert finding.summary.startswith(EXCHANGED)
    assert (finding.mistakes, finding.besides) == (("dropout-unscaled",), ())


@pytest.mark.parametrize(
    ("training", "plain", "told"),
    [
        (lambda rng: WEIGHTS * drawn(rng, 12) / 0.7, NOTHING, ["several weights are always dropped together"]),
        (lambda rng: WEIGHTS * drawn(rng) * 0.7, NOTHING, ["what is left in training is 0.7 times"]),
        (lambda rng: WEIGHTS * ~drawn(rng, 12) / 0.3, INFINITE, ["several weights are always dropped together"]),
        (lambda rng: WEIGHTS * drawn(rng, 12) / 0.3, NAN, ["several weights are always dropped together"]),
        (lambda rng: WEIGHTS * ~drawn(rng) / 0.3, INFINITE, []),
        (lambda rng: WEIGHTS * drawn(rng) / 0.3, NAN, []),
    ],
)
def test_of_draws_and_of_what_is_left_each_thing_is_told_once(
    training: Callable[[Any], Any], plain: Any, told: list[str]
) -> None:
    finding = function(training, plain)

    assert finding.mistakes == ()
    assert len(finding.besides) == len(told)
    assert all(said.startswith(due) for said, due in zip(finding.besides, told, strict=True))


def test_where_nothing_can_be_said_nothing_is_said_besides() -> None:
    finding = function(lambda rng: NOTHING, NOTHING, WEIGHTS * np.float32(0.7))

    assert (finding.mistakes, finding.besides) == ((), ())


def test_where_nothing_comes_back_outside_training_what_is_wrong_in_it_is_named_too() -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * ~drawn(rng), WEIGHTS) | {"evaluated": Returned("none")}

    finding = replace(SCENE, seen=answer(results)).judged()

    assert finding.mistakes == ("returns-none", "dropout-unscaled")


def test_inputs_that_calls_change_say_nothing_of_what_is_left() -> None:
    results = dropped(SCENE.question, lambda rng: WEIGHTS * drawn(rng), NOTHING) | {"evaluated": WEIGHTS}

    finding = replace(SCENE, seen=answer(results, tensors={"sent.weights": 2 * WEIGHTS})).judged()

    assert finding.mistakes == ()
