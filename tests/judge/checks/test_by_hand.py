"""`by-hand`: the result is right, and was not had from the operation that the student is to write."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grader.model.run import Call

from . import scenes


def test_the_operations_of_the_call_are_counted() -> None:
    (call,) = scenes.by_hand().run.actions

    assert isinstance(call, Call)
    assert call.count


def test_torchs_own_operation_is_told() -> None:
    finding = scenes.by_hand().but(operations={"result": {"_softmax": 1, "exp": 2}}).judged()

    assert finding.summary == "the values are right, but they come from torch's own `softmax`; write it yourself"


@pytest.mark.parametrize(
    "name", ["_masked_softmax", "_sparse_softmax", "_log_softmax", "_scaled_dot_product_flash_attention_for_cpu"]
)
def test_a_name_that_a_pattern_meets_is_told_too(name: str) -> None:
    scene = scenes.by_hand().but(operations={"result": {"exp": 1, name: 1}})
    step = replace(scene.question.step, options={"without": ["*softmax*", "*attention*"]})

    finding = replace(scene, question=replace(scene.question, step=step)).judged()

    assert finding.summary.startswith(f"the values are right, but they come from torch's own `{name.strip('_')}`")


def test_nor_may_an_operation_occur_where_a_number_is_added_to_the_inputs() -> None:
    scene = scenes.by_hand()
    step = replace(scene.question.step, options={**scene.question.step.options, "also_at": [9000.0, -9000.0]})
    scene = replace(scene, question=replace(scene.question, step=step))
    by_hand = {"exp": 1, "div": 1}

    _, up, down = scene.run.actions
    seen = scene.but(operations={"result": by_hand, "result at 9000": by_hand, "result at -9000": {"_softmax": 1}})

    assert isinstance(up, Call) and isinstance(down, Call)
    assert (up.count, up.may_fail, down.count, down.may_fail) == (True, True, True, True)
    np.testing.assert_array_equal(scene.run.tensors["x at -9000"], scene.run.tensors["x"] - 9000)
    told = "where -9000 is added to every number, the result comes from torch's own `softmax`; "
    assert seen.judged().summary == told + "write it yourself there, too"
    assert scene.judged().right


def test_wrong_values_are_told_first() -> None:
    scene = scenes.by_hand().but(operations={"result": {"_softmax": 1}})

    finding = scene.but_tensors(result=np.ones((2, 6, 3), np.float32)).judged()

    assert finding.summary.startswith("36 of 36 values are off")


def test_an_operation_that_was_counted_zero_times_was_not_used() -> None:
    assert scenes.by_hand().but(operations={"result": {"_softmax": 0}}).judged().right
