"""Whoever is wrong is told so."""

from __future__ import annotations

import pytest

from tests.end_to_end.submissions import REFERENCE, Marking, not_passed

from .reading import Wrong, wrong


@pytest.mark.parametrize("solution", wrong(), ids=lambda solution: solution.name)
def test_a_wrong_solution_does_not_pass(solution: Wrong, mark: Marking) -> None:
    report = mark({**REFERENCE, solution.exercise: solution.path.read_text("utf-8")}, solution.exercise)

    assert not_passed(report)
