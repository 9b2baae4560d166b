"""A target holds the source's weights in their roles, in whatever arrangement, and trains them as before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.judge.checks.copied_weights import of_others, otherwise_held
from grader.model.observation import Fault

from . import scenes
from .scenes import TOKENS, numbers, slot

ROLES = ("W_query", "W_key", "W_value")
SOURCE = {f"{role}.weight": numbers(2, 3, seed=place) for place, role in enumerate(ROLES)}
TURNED = {role: SOURCE[f"{role}.weight"].T for role in ROLES}


@pytest.mark.parametrize(
    ("held", "notes"),
    [
        ({}, ()),
        (
            {"W_value": numbers(3, 2, seed=9)},
            ("none of the source's numbers stand in these weights of the target: W_value",),
        ),
        ({"W_value": TURNED["W_key"]}, ("`W_value` holds the source's W_key, where its W_value belongs",)),
        (
            {role: SOURCE[f"{role}.weight"].reshape(3, 2) for role in ROLES[:2]},
            (
                "these weights of the target hold the source's numbers in another order: W_query, W_key; "
                "what belongs there is the weight on its side, `.T`",
            ),
        ),
        # of another width, or with numbers of both
        ({"W_value": numbers(4, 2)}, ()),
        ({"W_value": np.concatenate([TURNED["W_value"][:1], numbers(2, 2)])}, ()),
    ],
)
def test_weights_with_other_numbers_than_are_due_are_told_beside_a_wrong_output(
    held: dict[str, Any], notes: tuple[str, ...]
) -> None:
    found = {**TURNED, **held}
    scene = scenes.copies().but_tensors(result=3 * TOKENS)
    asked = replace(scene.question, case=replace(scene.question.case, weights=SOURCE))
    tensors = {**scene.seen.tensors, **{f"filled.{name}": array for name, array in found.items()}}
    slots = {"empty": (), "filled": tuple(slot(name, *array.shape) for name, array in found.items())}

    finding = replace(scene, question=asked).but(tensors=tensors, slots=slots).judged()

    assert not finding.right
    assert finding.notes == notes


def test_of_a_weight_that_has_another_shape_behind_the_copy_the_shape_is_told() -> None:
    fault = Fault("exception", "RuntimeError", "mat1 and mat2 shapes cannot be multiplied")
    held = (slot("W_query.weight", 6, 3), slot("W_query.bias", 6))
    left = (slot("W_query.weight", 6, 3), slot("W_query.bias", 2))

    finding = scenes.copies().but(refused={"result": fault}, slots={"empty": held, "filled": left}).judged()

    said = "after the copy the target can no longer compute: `W_query.bias` has shape (2,); expected (6,)"
    assert (finding.summary, finding.about) == (said, "W_query.bias")


@pytest.mark.parametrize("change", [{"trainable": False}, {"kind": "buffer"}])
def test_a_target_that_is_no_longer_trained_is_told(change: dict[str, Any]) -> None:
    scene = scenes.copies()
    weight, bias = scene.seen.slots["filled"]

    frozen = scene.but(slots={**scene.seen.slots, "filled": (replace(weight, **change), bias)})
    assert frozen.judged().summary.startswith("after the copy the target's W_query.weight is not trained any more")

    other = scenes.slot("out_proj.weight", 6, 6)  # which holds nothing of the source's
    slots = {**scene.seen.slots, "empty": (weight, bias, other), "filled": (weight, bias, replace(other, **change))}
    tensors = {**scene.seen.tensors, "filled.out_proj.weight": np.eye(6, dtype=np.float32)}
    assert scene.but(slots=slots, tensors=tensors).judged().right


def test_a_target_that_is_to_join_the_sources_weights_holds_those_of_a_role_in_one() -> None:
    scene = scenes.copies()
    asked = scene.question
    one, other = asked.case.weights["heads.0.W_query.weight"], scenes.numbers(2, 3, seed=6)
    weights = {**asked.case.weights, "heads.1.W_query.weight": other}
    joining = replace(asked.step, options={**asked.step.options, "joins": True})
    asked = replace(asked, step=joining, case=replace(asked.case, weights=weights))
    names = ("heads.0.W_query.weight", "heads.1.W_query.weight")
    slots = tuple(scenes.slot(name, 2, 3) for name in names)
    one_by_one = {f"filled.{name}": array for name, array in zip(names, (one, other), strict=True)}
    wide = {"filled.W_query.weight": np.concatenate([one, other, other])}

    apart = replace(scene.but(slots={"empty": slots, "filled": slots}), question=asked)
    told = apart.but(tensors={**scene.seen.tensors, **one_by_one}).judged()

    assert not told.right
    assert "Target holds the heads one by one" in told.summary
    assert replace(scene.but(tensors={**scene.seen.tensors, **wide}), question=asked).judged().right


def test_a_target_that_gives_the_outputs_without_holding_the_weights_is_told() -> None:
    told = "the outputs are right, but the target's own parameters do not hold the source's weights"
    held = scenes.copies().seen.slots["filled"]

    other = {**scenes.copies().seen.tensors, "filled.W_query.weight": np.ones((6, 3), np.float32)}
    emptied = scenes.copies().but(tensors=other)
    hidden = scenes.copies().but(slots={"empty": held[1:], "filled": held})  # a slot that came with the copy

    assert emptied.judged().summary.startswith(told)
    assert hidden.judged().summary.startswith(told)


def test_the_weights_may_lie_in_the_target_in_any_arrangement() -> None:
    scene = scenes.copies()
    weight = scene.seen.tensors["filled.W_query.weight"]

    tensors = {**scene.seen.tensors, "filled.W_query.weight": np.ascontiguousarray(weight[::-1].T)}
    assert scene.but(tensors=tensors).judged().right


def test_a_type_with_few_digits_rounds_what_is_copied() -> None:
    scene = scenes.copies()
    half = replace(scene, question=replace(scene.question, dtype="float16"))
    halves = half.but_tensors(result=(2 * TOKENS).astype(np.float16), still=(2 * TOKENS).astype(np.float16))
    weight = scene.seen.tensors["filled.W_query.weight"]

    tensors = {**halves.seen.tensors, "filled.W_query.weight": weight.astype(np.float16)}
    assert halves.but(tensors=tensors).judged().right
    assert not halves.judged().right


HEADS = {
    f"heads.{head}.{role}.weight": numbers(2, 3, seed=10 * head + place)
    for head in range(2)
    for place, role in enumerate(ROLES)
}
BELOW = {role: np.concatenate([HEADS[f"heads.{head}.{role}.weight"] for head in range(2)]) for role in ROLES}


@pytest.mark.parametrize(
    ("held", "mistakes"),
    [
        ({}, []),
        ({"W_value": BELOW["W_key"]}, ["projection-reused"]),
        ({"W_query": BELOW["W_key"], "W_key": BELOW["W_query"]}, ["query-key-swapped"]),
        ({"W_value": np.concatenate([BELOW["W_key"][:2], BELOW["W_value"][2:]])}, []),  # of one head alone
        ({role: BELOW[role][::-1] for role in ROLES}, []),  # in another order
    ],
)
def test_several_heads_that_are_copied_to_another_role_are_known_by_what_is_held(
    held: dict[str, Any], mistakes: list[str]
) -> None:
    scene = scenes.copies()
    case = replace(scene.question.case, weights=HEADS)
    slots = tuple(slot(f"{role}.weight", 4, 3) for role in ROLES)
    tensors = {f"filled.{role}.weight": held.get(role, BELOW[role]) for role in ROLES}

    seen = replace(scene.seen, slots={"filled": slots}, tensors=tensors)

    assert of_others(replace(scene.question, case=case), seen) == mistakes


def test_of_several_heads_it_is_said_which_roles_have_changed_places() -> None:
    scene = scenes.copies()
    slots = tuple(slot(f"{role}.weight", 4, 3) for role in ROLES)
    held = {**BELOW, "W_key": BELOW["W_value"], "W_value": BELOW["W_key"]}
    seen = replace(scene.seen, slots={"filled": slots}, tensors={f"filled.{role}.weight": held[role] for role in ROLES})

    question = replace(scene.question, case=replace(scene.question.case, weights=HEADS))

    assert [*otherwise_held(question, seen)] == [
        "`W_key.weight` holds the source's W_value, where its W_key belongs",
        "`W_value.weight` holds the source's W_key, where its W_value belongs",
    ]
