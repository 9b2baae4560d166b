"""Whoever is right gets full marks, whatever their style, in every floating-point type that a case can be asked in."""

from __future__ import annotations

from typing import Any

import pytest

from tests.end_to_end.submissions import REFERENCE, Marking, not_passed
from tests.sampling import one_in, turn

from .reading import Right, right

# Graded in passing, hundreds of times: what is measured are the tests of each module.
pytestmark = pytest.mark.no_cover

# Scores near 10,000 lie 8 apart in float16 and 64 apart in bfloat16, so that ties take the place of the case's answer.
NOT_ASKED = {"bfloat16": {"ex02.stable"}, "float16": {"ex02.stable"}}


def targets() -> list[Any]:
    """Every right solution with every type it is right in; where time is short, one in six with one of them."""
    return one_in(
        6,
        [
            pytest.param(each, dtype, id=f"{each.name}-{dtype}", marks=[] if number == chosen else pytest.mark.long)
            for each in right()
            for chosen in [turn(each.name, len(each.types))]
            for number, dtype in enumerate(each.types)
        ],
    )


@pytest.mark.parametrize(("solution", "dtype"), targets())
def test_a_right_solution_loses_nothing(solution: Right, dtype: str, mark: Marking) -> None:
    modules = {**REFERENCE, solution.exercise: solution.path.read_text("utf-8")}

    report = mark(modules, solution.exercise, device=solution.device, dtype=dtype)

    assert not_passed(report) <= NOT_ASKED.get(dtype, set())
