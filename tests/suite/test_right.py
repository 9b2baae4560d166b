"""Whoever is right gets full marks, whatever their style."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.submissions import REFERENCE, Marking, not_passed

from .reading import right


@pytest.mark.parametrize(
    ("exercise", "path"), right(), ids=lambda value: value.stem if isinstance(value, Path) else value[:4]
)
def test_a_right_solution_loses_nothing(exercise: str, path: Path, mark: Marking) -> None:
    report = mark({**REFERENCE, exercise: path.read_text("utf-8")}, exercise)

    assert not_passed(report) == set()
