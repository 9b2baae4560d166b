"""A weight and its bias are known by where they lie and by their axes, whatever a layer of one's own calls them."""

from __future__ import annotations

import numpy as np
import pytest

from grader.judge.binding.layers import with_own_layers
from grader.judge.binding.loadings import loadings, matching, naming_of, unasked_biases
from tests.judge.binding.test_loadings import D_IN, D_OUT, HEADS, NAMING, ROLES, TOKENS, products, slots_of, weights

LETTERS = ("q", "k", "v")


@pytest.mark.parametrize(
    ("weight", "bias"),
    [
        ("layers.{role}.kernel", "layers.{role}.offset"),
        ("layers.{role}.W", "layers.{role}.b"),
        ("{role}.W", "{role}.b"),
        ("{role}.0", "{role}.1"),
        ("W.{role}", "b.{role}"),
        ("blocks.a.W.{role}", "blocks.a.b.{role}"),
        ("{role}", "b.{role}"),
        ("params.{role}_w", "params.{role}_b"),
        ("{role}", "layers.{role}.b"),
        ("b.W_{role}", "b.b.{role}"),
    ],
)
def test_a_weight_and_a_bias_by_role_have_each_its_place(weight: str, bias: str) -> None:
    wanted = weights(bias=True)
    shapes = {weight.format(role=role): (D_IN, D_OUT) for role in LETTERS}
    shapes |= {bias.format(role=role): (D_OUT,) for role in LETTERS}

    (loading,) = loadings(wanted, slots_of(shapes), NAMING)

    for role, due in zip(LETTERS, products(wanted), strict=True):
        held = loading.arrays
        np.testing.assert_allclose(TOKENS @ held[weight.format(role=role)] + held[bias.format(role=role)], due)


@pytest.mark.parametrize(
    ("weight", "bias"),
    [
        ("layers.{}.kernel", "layers.{}.offset"),
        ("W.{}", "b.{}"),
        ("weights.{}", "biases.{}"),
        ("attn.w.{}", "attn.v.{}"),
    ],
)
def test_those_in_lists_may_be_meant_in_any_order(weight: str, bias: str) -> None:
    wanted = weights(bias=True)
    shapes = {weight.format(number): (D_IN, D_OUT) for number in range(3)}
    shapes |= {bias.format(number): (D_OUT,) for number in range(3)}

    found = loadings(wanted, slots_of(shapes), NAMING)

    made = [
        [TOKENS @ way.arrays[weight.format(number)] + way.arrays[bias.format(number)] for number in range(3)]
        for way in found
    ]
    due = products(wanted)
    assert len(found) == 6
    assert sum(np.allclose(each, due) for each in made) == 1


def test_an_axis_for_heads_makes_no_difference() -> None:
    wanted = weights(bias=True)
    of_head = D_OUT // HEADS
    shapes = {f"layers.{role}.kernel": (HEADS, D_IN, of_head) for role in LETTERS}
    shapes |= {f"layers.{role}.offset": (HEADS, of_head) for role in LETTERS}

    loading, *_ = loadings(wanted, slots_of(shapes), NAMING, HEADS)

    held = loading.arrays["layers.q.offset"].reshape(-1)
    np.testing.assert_array_equal(held, wanted["W_query.bias"])


def test_some_of_those_with_keys_may_have_no_bias() -> None:
    slots = slots_of({**{f"W.{role}": (D_IN, D_OUT) for role in LETTERS}, "W.proj": (4, 4), "b.proj": (4,)})
    naming = naming_of([*weights(), "out_proj.weight", "out_proj.bias"], slots, NAMING)

    found = {name: matching(name, slots, naming) for name in ("out_proj.weight", "out_proj.bias", "W_query.bias")}

    assert {name: slot and slot.name for name, slot in found.items()} == {
        "out_proj.weight": "W.proj",
        "out_proj.bias": "b.proj",
        "W_query.bias": None,
    }


@pytest.mark.parametrize("bias", ["layers.q.offset", "b.q"])
def test_a_bias_that_nobody_asked_for_is_known(bias: str) -> None:
    weight = {"layers.q.offset": "layers.q.kernel", "b.q": "W.q"}[bias]
    slots = slots_of({weight: (D_IN, D_OUT), bias: (D_OUT,)})
    naming = naming_of(weights(), slots, NAMING)

    assert [slot.name for slot in unasked_biases(weights(), slots, {weight}, naming)] == [bias]


@pytest.mark.parametrize(
    "shapes",
    [
        {f"{role}.weight": (D_OUT, D_IN) for role in ROLES},  # which torch's own layers hold
        {"W.a": (6, 4), "W.b": (6, 4)},  # two weights
        {"block.kernel": (6, 4), "block.shift": (4,), "block.scale": (4,)},  # a layer of something else
        {"a.0": (6, 4), "a.1": (6, 4), "d.0": (4,)},  # nobody knows whose bias it is
        {"a.q": (6, 4), "d.q": (4,), "c.q": (4,)},  # nor which of two it is
        {"block.q": (6, 4)},  # which has a role by its name
    ],
)
def test_what_is_not_certain_is_left_as_it_is_called(shapes: dict[str, tuple[int, ...]]) -> None:
    assert with_own_layers(slots_of(shapes), NAMING) == NAMING


def test_of_as_many_places_as_there_can_be_each_is_looked_at_and_none_is_taken_for_another() -> None:
    shapes = {f"m{number}.w": (2, 2) for number in range(250)} | {f"n{number}.w": (2,) for number in range(250)}

    layered = with_own_layers(slots_of(shapes), NAMING).layered

    assert layered == {f"m{number}.w": f"m{number}.weight" for number in range(250)}
