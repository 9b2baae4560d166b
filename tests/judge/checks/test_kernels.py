"""`kernels`: the number of matrix products does not grow with an argument."""

from __future__ import annotations

import numpy as np
import pytest

from grader.model.observation import LEFT_TORCH, OF_GIVEN, WRITTEN_OUT
from grader.model.run import Call, Make, Mode

from . import scenes
from .scenes import CHECKS, TOKENS

NAMES = ("result 2", "result 4", "result 8")


def counted(*products: int, name: str = "bmm") -> str:
    """What is said of a module that takes this many products for 2, 4 and 8 heads."""
    counts = {call: {name: count, "_softmax": 1} for call, count in zip(NAMES, products, strict=True)}
    return scenes.kernels().but(operations=counts).judged().summary


def test_each_value_is_tried_on_a_module_of_its_own() -> None:
    actions = scenes.kernels().run.actions

    assert [[a.value for a in make.arguments] for make in actions if isinstance(make, Make)] == [[3, 2], [3, 4], [3, 8]]
    assert [mode.training for mode in actions if isinstance(mode, Mode)] == [False] * 3
    assert all(call.count for call in actions if isinstance(call, Call))


def test_another_argument_may_grow_by_as_much() -> None:
    asked = scenes.question(
        "kernels", {"x": TOKENS}, of=scenes.CLASS, construct={"d_in": 3, "num_heads": 2, "d_out": 6},
        options={"argument": "num_heads", "values": [2, 4, 8], "along": "d_out"},
    )  # fmt: skip

    made = [action for action in CHECKS["kernels"].plan(asked).actions if isinstance(action, Make)]

    assert [[each.value for each in make.arguments] for make in made] == [[3, 2, 6], [3, 4, 12], [3, 8, 24]]


@pytest.mark.parametrize(
    "name", ["mm", "addmm", "bmm", "baddbmm", "einsum", "_scaled_dot_product_flash_attention_for_cpu"]
)
def test_a_number_of_products_that_grows_is_told(name: str) -> None:
    assert counted(8, 16, 32, name=name) == (
        "the number of matrix products grows: 8 for num_heads=2, 16 for num_heads=4, 32 for num_heads=8; "
        "compute all heads in one product"
    )


def test_a_number_of_products_that_stays_or_shrinks_is_right() -> None:
    assert counted(5, 5, 5) == ""
    assert counted(5, 4, 4) == ""


def test_one_product_more_is_growth() -> None:
    assert counted(5, 5, 6).startswith("the number of matrix products grows")


def test_no_product_at_all_is_told() -> None:
    assert counted(0, 0, 0) == "no matrix product was seen"


def test_a_module_that_computes_nothing_is_told() -> None:
    scene = scenes.kernels()

    finding = scene.but_tensors(result_4=np.zeros_like(TOKENS)).judged()

    assert finding.summary == "the module computes nothing yet, so there is nothing to count"


def test_numbers_multiplied_and_summed_are_a_product_written_out() -> None:
    grown = [{"mm": 3, WRITTEN_OUT: 2 * heads, "mul": 2 * heads, "sum": 2 * heads} for heads in (2, 4, 8)]
    by_hand = [{"mm": 3, "bmm": 2, "mul": heads, "sum": heads} for heads in (2, 4, 8)]  # softmax, head by head

    told = scenes.kernels().but(operations=dict(zip(NAMES, grown, strict=True))).judged().summary

    assert "7 for num_heads=2, 11 for num_heads=4, 19 for num_heads=8" in told
    assert scenes.kernels().but(operations=dict(zip(NAMES, by_hand, strict=True))).judged().right


def test_numbers_read_out_one_by_one_and_multiplied_in_python_are_told() -> None:
    results = {f"result_{heads}": np.arange(40.0 * heads).reshape(2, 5, 4 * heads) for heads in (2, 4, 8)}
    scene = scenes.kernels().but_tensors(**results)

    def told(reads: int) -> str:
        """What is said where so many numbers of each head are read for each number of the result."""
        counts = [{"mm": 4, "bmm": 1, "_local_scalar_dense": reads * 2 * 5 * 4 * heads} for heads in (2, 4, 8)]
        return scene.but(operations=dict(zip(NAMES, counts, strict=True))).judged().summary

    assert told(2 * 5).startswith("the larger `num_heads` is, the more single numbers are read out of tensors")
    assert told(2) == ""  # a softmax by hand, or numbers that are printed


def test_products_that_are_made_outside_of_torch_are_told() -> None:
    results = {f"result_{heads}": np.arange(40.0 * heads).reshape(2, 5, 4 * heads) for heads in (2, 4, 8)}
    scene = scenes.kernels().but_tensors(**results)

    def told(of_given: int, left: int) -> str:
        """What is said where so many products are seen of what is given, and so many numbers of each head leave."""
        counts = [{"mm": 4, "bmm": 2, OF_GIVEN: of_given, LEFT_TORCH: left * heads} for heads in (2, 4, 8)]
        return scene.but(operations=dict(zip(NAMES, counts, strict=True))).judged().summary

    assert told(1, 80).startswith("what comes of the input is multiplied outside of torch")
    assert told(2, 80) == ""  # printed, or kept for a plot
    assert told(1, 0) == told(1, 10) == ""  # in a way of torch's that has no name here
