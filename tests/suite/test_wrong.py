"""Whoever is wrong is told so, and what is named is what is wrong: nothing more, and nearly all of it."""

from __future__ import annotations

import pytest

from tests.end_to_end.submissions import REFERENCE, Marking, not_passed, verdicts

from .reading import Wrong, wrong


@pytest.mark.parametrize("solution", wrong(), ids=lambda solution: solution.name)
def test_a_wrong_solution_fails_and_no_mistake_is_named_that_it_has_not(solution: Wrong, mark: Marking) -> None:
    report = mark({**REFERENCE, solution.exercise: solution.path.read_text("utf-8")}, solution.exercise)

    named = {found.id for verdict in verdicts(report).values() for found in verdict.diagnosis}
    assert not_passed(report)
    assert named <= solution.ids
