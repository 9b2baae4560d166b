"""A number reads the same however narrowly it misses another: what is shown of it decides how it is written."""

from __future__ import annotations

import math

import pytest

from grader.report.shades import number


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
    ],
)
def test_what_rounds_to_the_same_number_reads_the_same(value: float, wide: str, narrow: str) -> None:
    assert (number(value), number(value, is_wide=False)) == (wide, narrow)
