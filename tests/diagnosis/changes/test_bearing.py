"""Of a solution that is right up to a line, what only led there is no longer changed, nor what was never reached."""

from __future__ import annotations

import pytest

from grader.diagnosis.changes.bearing import bearing_on
from grader.diagnosis.changes.repairs import repairs
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.stages import Progress
from tests.judge.hand_made import FUNCTION, function, numbers, question

SOURCE = function("y = x + 1.0", "z = y * 2.0", "w = z - 3.0", "return w / 4.0")


def lines(far: Progress | None) -> set[int]:
    """The lines of the changes that may bear on what is wrong."""
    tree = parsed(SOURCE)
    asked = question("output", {"x": numbers(2, 3)})
    return {each.line for each in bearing_on(tree, asked, repairs(tree, FUNCTION), far)}


@pytest.mark.parametrize(
    ("far", "due"),
    [
        (None, {2, 3, 4, 5}),
        (Progress(), {2, 3, 4, 5}),
        (Progress(lines=(3,)), {2, 3}),
        (Progress(made=(3,), lines=(4,)), {3, 4}),
        (Progress(made=(4,)), {4, 5}),
    ],
)
def test_changes_between_what_is_right_and_what_is_not_may_bear_on_it(far: Progress | None, due: set[int]) -> None:
    assert lines(far) == due
