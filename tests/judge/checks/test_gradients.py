"""`gradients`: a gradient reaches everything that is to be learnt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.model.run import Backward, Call, Gradients, Mode

from . import scenes
from .scenes import TOKENS


def test_a_functions_floating_arguments_are_followed() -> None:
    call, backward, send = scenes.gradients().run.actions

    assert isinstance(call, Call)
    assert call.track
    assert (backward, send) == (Backward("result"), Gradients(tensors=("queries", "keys")))


def test_a_modules_weights_are_followed_and_not_its_inputs() -> None:
    *_, mode, call, backward, send = scenes.gradients_of_a_module().run.actions

    assert mode == Mode("module", training=True)
    assert isinstance(call, Call)
    assert not call.track
    assert backward == Backward("result")
    assert send == Gradients(of="module", tensors=("W_query.weight", "W_key.weight", "W_value.weight"))


@pytest.mark.parametrize(
    ("gradient", "told"),
    [
        (np.zeros_like(TOKENS), "the gradient of keys is zero everywhere: the result does not depend on it"),
        (np.full_like(TOKENS, np.nan), "the gradient of keys is not finite"),
        (np.full_like(TOKENS, np.inf), "the gradient of keys is not finite"),
    ],
)
def test_a_gradient_that_says_nothing_is_told(gradient: np.ndarray, told: str) -> None:
    assert scenes.gradients().but_tensors(gradient__keys=gradient).judged().summary == told


def test_a_gradient_that_does_not_arrive_is_told() -> None:
    scene = scenes.gradients_of_a_module()
    arrived = {name: array for name, array in scene.seen.tensors.items() if name != "gradient.W_key.weight"}

    finding = scene.but(tensors=arrived).judged()

    assert finding.summary == ("no gradient reaches W_key.weight; is it used, and is nothing detached on the way?")


def test_the_students_own_slots_are_what_counts() -> None:
    scene = scenes.gradients_of_a_module()
    fused = replace(scene.question, loaded=("qkv.weight",))

    without = replace(scene, question=fused).judged()
    arrived = replace(scene, question=fused).but_tensors(gradient__qkv__weight=np.ones((12, 3))).judged()

    assert without.summary.startswith("no gradient reaches qkv.weight")
    assert arrived.right


def test_one_entry_that_counts_is_a_gradient() -> None:
    gradient = np.zeros_like(TOKENS)
    gradient[1, 2, 0] = 1e-20

    assert scenes.gradients().but_tensors(gradient__keys=gradient).judged().right
