"""What a class's dropout shows where p = 0 spoils some tokens' output is told, and nothing that is not certain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.model.check import Finding

from ..hand_made import answer
from . import scenes
from .scenes import dropped

MODULE = scenes.dropout_of_a_module()


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
