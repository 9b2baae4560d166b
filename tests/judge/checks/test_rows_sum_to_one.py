"""`rows-sum-to-one`: every row of the result is a distribution."""

from __future__ import annotations

import numpy as np
import pytest

from . import scenes
from .scenes import TOKENS, softmax

WEIGHTS = softmax(TOKENS)


def changed(value: float, at: tuple[int, ...] = (0, 4, 1)) -> np.ndarray:
    weights = WEIGHTS.copy()
    weights[at] = value
    return weights


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        (TOKENS, f"{(TOKENS < 0).sum()} of 36 weights are negative"),
        (changed(np.nan), "1 of 36 weights are NaN"),
        (changed(np.inf), "row 4 sums to inf; expected 1"),
        (np.zeros_like(WEIGHTS), "row 0 sums to 0; expected 1"),
        (changed(float(WEIGHTS[0, 4, 1]) + 1e-5), "row 4 sums to 1.00001; expected 1"),
        (softmax(TOKENS.swapaxes(1, 2)).swapaxes(1, 2), None),
        (WEIGHTS * 1.01, None),
    ],
)
def test_weights_that_are_no_shares_are_told(weights: np.ndarray, told: str | None) -> None:
    finding = scenes.rows_sum_to_one().but_tensors(result=weights).judged()

    assert not finding.right
    assert finding.summary == told if told else finding.summary.startswith("row ")


def test_the_worst_row_is_told_with_its_sum() -> None:
    weights = WEIGHTS.copy()
    weights[1, 3] *= 3

    finding = scenes.rows_sum_to_one().but_tensors(result=weights).judged()

    assert finding.summary == "row 9 sums to 3; expected 1"


def test_the_roundings_of_a_long_row_are_allowed() -> None:
    row = np.full((1, 4096), 1 / 4096, np.float32)
    row[0, 0] += 4096 * 2**-23

    assert scenes.rows_sum_to_one().but_tensors(result=row).judged().right


def test_a_result_without_axes_is_told() -> None:
    finding = scenes.rows_sum_to_one().but_tensors(result=np.float32(1.0)).judged()

    assert finding.summary == "returned a tensor of shape (); expected a tensor of weights"
