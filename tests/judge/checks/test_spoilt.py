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
MODULE = scenes.dropout_of_a_module()
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


def module(change: Callable[[Any], Any], outside: Callable[[Any], Any] | None = None) -> Finding:
    """The finding on a module whose first token sees nothing, whose other output in training this makes."""
    plain = MODULE.seen.tensors["plain"].copy()
    plain[:, 0] = np.nan

    def trained(rng: Any) -> Any:
        return change(np.broadcast_to(rng.random((3, 5, 2, 1, 5)) >= 0.4, (3, 5, 2, 2, 5)).reshape(plain.shape)) * plain

    results = dropped(MODULE.question, trained, plain)
    evaluated = plain if outside is None else outside(plain)
    return replace(MODULE, seen=answer(results | {"evaluated": evaluated, "evaluated again": evaluated})).judged()


@pytest.mark.parametrize(
    ("change", "mistakes"),
    [
        (lambda kept: kept / 0.6, ()),
        (np.ones_like, ("dropout-missing",)),
        (lambda kept: kept * 1.0, ("dropout-unscaled",)),
    ],
)
def test_a_token_that_sees_nothing_hides_nothing_of_the_others(
    change: Callable[[Any], Any], mistakes: tuple[str, ...]
) -> None:
    finding = module(change)

    assert not finding.right
    assert finding.mistakes == mistakes
    assert finding.summary.startswith("without dropout the output is the same") is (mistakes == ())


def test_beside_a_token_that_sees_nothing_dropout_outside_training_is_named() -> None:
    finding = module(lambda kept: kept / 0.6, lambda plain: plain * np.float32(0.6))

    assert finding.mistakes == ("dropout-in-eval",)


def test_beside_a_token_that_sees_nothing_the_share_to_keep_is_told() -> None:
    outside = MODULE.seen.tensors["plain"].copy()
    outside[:, 0] = np.nan
    plain = outside * 0
    results = dropped(
        MODULE.question,
        lambda rng: outside * np.broadcast_to(rng.random((3, 5, 2, 1, 5)) < 0.4, (3, 5, 2, 2, 5)).reshape(plain.shape),
        plain,
    )

    finding = replace(MODULE, seen=answer(results | {"evaluated": outside})).judged()

    assert finding.summary == "with p = 0 everything is dropped: p is the share to drop, not the share to keep"


def test_of_a_few_numbers_none_is_known_not_to_be_dropped() -> None:
    scene = scenes.dropout_of_a_module(heads=1, copies=2, tokens=2)
    plain = scene.seen.tensors["plain"].copy()
    plain[:, 1] = np.nan
    plain[1:] = np.nan

    finding = replace(scene, seen=answer(dropped(scene.question, lambda rng: plain, plain))).judged()

    assert finding.mistakes == ()
