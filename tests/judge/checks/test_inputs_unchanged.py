"""`inputs-unchanged`: the caller's tensors are as they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.judge import compare
from grader.model.run import Send

from . import scenes
from .scenes import TOKENS


def test_the_inputs_are_sent_back_after_the_call() -> None:
    assert scenes.inputs_unchanged().run.actions[-1] == Send(("x", "mask"))


def test_a_changed_input_is_told_and_named() -> None:
    after = TOKENS.copy()
    after[0, :2] = 0.0

    finding = scenes.inputs_unchanged().but_tensors(sent__x=after).judged()

    assert finding.summary == "your code changes 6 of 36 values of the caller's `x`"
    assert finding.mistake == "input-mutated"


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_an_input_is_not_changed_by_being_sent_in_a_shorter_type(dtype: str) -> None:
    scene = scenes.inputs_unchanged().but_tensors(sent__x=compare.rounded(TOKENS, dtype))

    assert replace(scene, question=replace(scene.question, dtype=dtype)).judged().right
    assert not scene.judged().right


def test_a_changed_mask_is_told() -> None:
    finding = scenes.inputs_unchanged().but_tensors(sent__mask=np.ones((6, 6), bool)).judged()

    assert "21 of 36 values of the caller's `mask`" in finding.summary


def test_an_input_that_became_nan_is_changed() -> None:
    finding = scenes.inputs_unchanged().but_tensors(sent__x=np.full_like(TOKENS, np.nan)).judged()

    assert finding.mistake == "input-mutated"


def test_an_input_of_another_shape_is_told() -> None:
    finding = scenes.inputs_unchanged().but_tensors(sent__x=TOKENS[0]).judged()

    assert finding.summary == "`x` came back in another shape; work on a copy, or use the form without `_`"


def test_where_nothing_was_computed_nothing_is_said_of_the_inputs() -> None:
    finding = scenes.inputs_unchanged().but_tensors(result=np.zeros_like(TOKENS)).judged()

    assert finding.summary == "nothing was computed yet, so nothing can be said of the inputs"


def test_minus_infinities_are_part_of_a_right_result() -> None:
    masked = np.where(np.triu(np.ones((6, 6), bool), 1), -np.inf, np.arange(36.0).reshape(6, 6))

    assert scenes.inputs_unchanged().but_tensors(result=masked).judged().right
