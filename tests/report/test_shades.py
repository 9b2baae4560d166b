"""A number reads the same however narrowly it misses another: what is shown of it decides how it is written."""

from __future__ import annotations

import math

import pytest

from grader.model.report import Picture
from grader.report.shades import differences, number


@pytest.mark.parametrize(
    ("value", "wide", "narrow"),
    [
        (0.0, "0.00", ".00"),
        (-0.25, "−0.25", "−.25"),
        (0.994, "0.99", ".99"),
        (0.995, "0.99", ".99"),  # a little less than that in binary
        (0.996, "1.00", "1.0"),
        (1.0, "1.00", "1.0"),
        (1.101, "1.10", "1.10"),
        (9.994, "9.99", "9.99"),
        (9.999, "10.0", "10"),
        (10.0, "10.0", "10"),
        (-9.999, "−10.0", "−10"),
        (99.96, "100", "100"),
        (100.0, "100", "100"),
        (999.6, "1e3", "1e3"),
        (1000.0, "1e3", "1e3"),
        (-98765.0, "−1e5", "−1e5"),
        (math.inf, "∞", "∞"),
        (-math.inf, "−∞", "−∞"),
        (math.nan, "NaN", "NaN"),
        (True, "True", "T"),
        (False, "False", "F"),
    ],
)
def test_what_rounds_to_the_same_number_reads_the_same(value: float, wide: str, narrow: str) -> None:
    assert (number(value), number(value, is_wide=False)) == (wide, narrow)


def test_a_slice_in_which_nothing_is_told_apart_has_no_differences() -> None:
    same, near = ((1.0, 2.0),), ((1.0, 2.000003),)
    picture = Picture("case", "result", ("[0]", "[1]"), (same, same), (near, same), 0, 1)

    off, unit = differences(picture, 0) or ((), "")

    assert ([round(each, 3) for each in off[0]], unit) == ([0.0, 3.0], "1e-06")
    assert differences(picture, 1) is None
