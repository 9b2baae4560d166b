"""The law of dropout, as far as no check tells of it."""

from __future__ import annotations

import numpy as np

from grader.judge.checks.law import are_counted_out


def test_nothing_is_said_of_how_many_are_dropped_where_that_may_be_chance() -> None:
    few, all_alike = np.ones((5, 2), bool), np.ones((5, 2), bool)
    few[:, 0] = all_alike[:, 0] = False

    assert not are_counted_out(few, 2, 0.5)
    assert are_counted_out(np.tile(all_alike, (10, 1)), 2, 0.5)
