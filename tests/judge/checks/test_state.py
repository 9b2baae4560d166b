"""`state`: what the module computes with moves with it, and only what is to be learnt is a parameter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.model.check import RIGHT, Finding
from grader.model.observation import Slot
from grader.model.run import Call, Inspect

from . import scenes
from .scenes import ROLES, TOKENS, slot

WEIGHTS = tuple(slot(f"{role}.weight", 4, 3) for role in ROLES)


def holding(*slots: Slot, strays: tuple[str, ...] = ()) -> Finding:
    return scenes.state().but(slots={"module": slots}, strays={"result": strays}).judged()


def test_the_module_is_looked_at_and_then_watched() -> None:
    *_, inspect, call = scenes.state().run.actions

    assert inspect == Inspect("module")
    assert isinstance(call, Call)
    assert call.watch


def test_a_mask_that_was_never_kept_is_right() -> None:
    assert holding(*WEIGHTS) == RIGHT


def test_a_plain_tensor_that_is_never_computed_with_is_right() -> None:
    assert holding(*WEIGHTS, slot("mask", 6, 6, kind="loose", trainable=False)) == RIGHT


def test_a_tensor_that_no_attribute_holds_and_stays_behind_is_told_where_it_is_met() -> None:
    finding = holding(*WEIGHTS, strays=("",))

    assert finding.summary.startswith("a tensor that is computed with stays on the CPU when the module moves to a GPU")
    assert finding.at == "result met"


def test_a_plain_tensor_that_is_computed_with_is_told() -> None:
    finding = holding(*WEIGHTS, slot("mask", 6, 6, kind="loose", trainable=False), strays=("mask",))

    assert finding.summary == "`mask` stays behind when the module moves to a GPU; use register_buffer"
    assert finding.about == "mask"


def test_a_mask_that_would_be_trained_is_told() -> None:
    finding = holding(*WEIGHTS, slot("mask", 6, 6))

    assert finding.summary.startswith("`mask` is a parameter beside those of this exercise, and it would be trained")
    assert finding.about == "mask"  # whose line is told


@pytest.mark.parametrize("name", ["weight", "bias"])
def test_a_layer_that_the_exercise_does_not_have_is_told_as_such(name: str) -> None:
    finding = holding(*WEIGHTS, slot(f"head.out_proj.{name}", 6, 6))

    assert finding.summary == (
        "`head.out_proj` is a layer that this exercise does not have, and it would be trained; leave it out"
    )
    assert finding.about == f"head.out_proj.{name}"


def test_a_bias_of_a_weight_is_no_extra_parameter() -> None:
    assert holding(*WEIGHTS, slot("W_query.bias", 4)) == RIGHT


def test_a_bias_of_its_own_beside_a_weight_is_no_extra_parameter() -> None:
    scene = scenes.state().but(slots={"module": (*WEIGHTS, slot("b_query", 4))})

    assert replace(scene, question=replace(scene.question, naming=scenes.NAMING)).judged() == RIGHT


def test_a_parameter_that_is_not_trained_is_no_harm() -> None:
    assert holding(*WEIGHTS, slot("mask", 6, 6, trainable=False)) == RIGHT


def test_a_parameter_without_numbers_has_nothing_to_be_trained() -> None:
    assert holding(*WEIGHTS, slot("dummy", 0)) == RIGHT


def test_weights_in_a_plain_list_are_told_and_named() -> None:
    scene = scenes.state()
    asked = scenes.question("state", {"x": TOKENS}, loaded=("heads.0.W_query.weight",))
    seen = scene.but(slots={"module": (slot("heads.0.W_query.weight", 4, 3, kind="loose"),)}).seen

    finding = scenes.Scene(asked, seen).judged()

    assert finding.summary.startswith("`heads.0.W_query.weight` sits in a plain list, out of torch's sight")
    assert finding.summary.endswith("use nn.ModuleList, or nn.ParameterList for bare parameters")
    assert finding.mistake == "heads-unregistered"


def test_a_weight_in_a_plain_attribute_is_told() -> None:
    finding = holding(slot("W_query.weight", 4, 3, kind="loose"), *WEIGHTS[1:])

    assert finding.summary.startswith("`W_query.weight` is a plain attribute, out of torch's sight")
    assert finding.mistake == ""


def test_a_module_that_computes_nothing_is_told() -> None:
    finding = scenes.state().but_tensors(result=np.zeros_like(TOKENS)).judged()

    assert (
        finding.summary
        == "the module returns no tensor that depends on its input yet, so nothing can be said of what it holds"
    )


def test_a_module_that_computes_no_numbers_is_told_so() -> None:
    finding = scenes.state().but_tensors(result=np.full_like(TOKENS, np.nan)).judged()

    assert finding.summary == "what the module computes is not finite, so nothing can be said of what it holds"


def test_what_is_wrong_with_the_module_is_looked_for_where_it_is_made() -> None:
    assert holding(*WEIGHTS, slot("mask", 6, 6)).at == "module"
