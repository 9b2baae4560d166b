"""Whoever has not made the output layer yet is asked all else; who has something in its place is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grader.judge.binding.output_layer import is_all_that_is_missing, loadings_without
from grader.model.observation import Slot
from tests.judge.binding.test_loadings import D_IN, D_OUT, HEADS, NAMING, ROLES, weights
from tests.judge.hand_made import numbers

PROJECTIONS = [Slot(f"{role}.weight", (D_OUT, D_IN), "parameter", owner="Linear") for role in ROLES]
OUT = {"out_proj.weight": numbers(D_OUT, D_OUT, seed=1), "out_proj.bias": np.zeros(D_OUT)}


def due() -> dict[str, Any]:
    return weights() | OUT


def test_all_other_weights_are_put_in_and_the_one_that_is_needed_is_named() -> None:
    (way,) = loadings_without(due(), PROJECTIONS, NAMING, HEADS)

    assert way.lacking == ("out_proj.weight",)
    assert {*way.arrays} == {slot.name for slot in PROJECTIONS}


def test_each_order_of_a_fused_projection_stays_to_be_tried() -> None:
    fused = [Slot("qkv.weight", (3 * D_OUT, D_IN), "parameter", owner="Linear")]

    ways = loadings_without(due(), fused, NAMING, HEADS)

    assert len(ways) > 6
    assert {way.lacking for way in ways} == {("out_proj.weight",)}


@pytest.mark.parametrize(
    "slots",
    [
        pytest.param([*PROJECTIONS, Slot("mixer.weight", (D_OUT, D_OUT), "parameter")], id="another layer"),
        pytest.param([*PROJECTIONS, Slot("gamma", (D_OUT,), "loose")], id="a loose tensor"),
        pytest.param(PROJECTIONS[:2], id="no values either"),
    ],
)
def test_nothing_is_put_in_where_more_is_amiss(slots: list[Slot]) -> None:
    assert loadings_without(due(), slots, NAMING, HEADS) == []


def test_nothing_is_left_out_where_no_output_layer_is_due() -> None:
    assert loadings_without(weights(), PROJECTIONS[:2], NAMING, HEADS) == []


def test_a_mask_takes_no_layers_place() -> None:
    slots = [*PROJECTIONS, Slot("mask", (5, 5), "buffer")]

    assert is_all_that_is_missing(["out_proj.weight"], slots, {slot.name for slot in PROJECTIONS}, NAMING)
