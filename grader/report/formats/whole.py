"""Points for platforms that take whole numbers alone: all multiplied by one number, so that sums still agree.

Where a step is graded on two devices, each has half of its points. Rounding would make points appear or vanish.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.model.report import Report, Status, Verdict
from grader.report.shown import is_shown

# Points are shared by devices, of which there are two: a part of a point that needs more than this is an error of
# floating-point arithmetic.
FINEST = 60


@dataclass(frozen=True, slots=True)
class Points:
    """Points and their maximum, whole."""

    score: int
    max_score: int


@dataclass(frozen=True, slots=True)
class Whole:
    """A report's points, whole. times: what all were multiplied by. not_shown: of all hidden steps together."""

    times: int
    total: Points
    not_shown: Points

    def of(self, step: Verdict) -> Points:
        return _points(self.times, [step])


def whole(report: Report) -> Whole:
    """The points of a report of all steps. The same machine multiplies every student's by the same number."""
    steps = report.steps
    devices = {sum(target.status is not Status.UNAVAILABLE for target in step.targets) for step in steps}
    parts = {_exact(value).denominator for step in steps for value in (step.score, step.max_score)}
    times = math.lcm(*(devices - {0}), *parts)
    return Whole(times, _points(times, steps), _points(times, [step for step in steps if not is_shown(step)]))


def _points(times: int, steps: Sequence[Verdict]) -> Points:
    return Points(
        sum(int(_exact(step.score) * times) for step in steps),
        sum(int(_exact(step.max_score) * times) for step in steps),
    )


def _exact(value: float) -> Fraction:
    return Fraction(value).limit_denominator(FINEST)
