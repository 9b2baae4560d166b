"""What became of a whole submission, in one word, and how many came to which."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from grader.model.report import Report, Status

DIED = (Status.CRASHED, Status.TIMEOUT)


class Outcome(StrEnum):
    """Every submission has exactly one."""

    FULL = "full"
    PARTIAL = "partial"
    FAILED = "failed"  # no points at all
    CRASHED = "crashed"  # a step of it died or ran out of time
    REFUSED = "refused"  # there was nothing that could be graded
    UNGRADED = "ungraded"  # the grader itself failed: nobody's points

    @property
    def is_graded(self) -> bool:
        """Whether there was something to grade, and it was."""
        return self not in (Outcome.REFUSED, Outcome.UNGRADED)


def outcome(report: Report) -> Outcome:
    statuses = {step.status for step in report.steps}
    if report.is_full:
        return Outcome.FULL
    if not statuses.isdisjoint(DIED):
        return Outcome.CRASHED
    return Outcome.PARTIAL if report.score else Outcome.FAILED


def counts(reports: Mapping[Outcome, int]) -> str:
    """ "12 full · 20 partial · 6 failed · 2 crashed"; the rare ones only where there are any."""
    always = (Outcome.FULL, Outcome.PARTIAL, Outcome.FAILED, Outcome.CRASHED)
    return " · ".join(f"{reports.get(word, 0)} {word}" for word in Outcome if word in always or reports.get(word, 0))


def duration(seconds: float) -> str:
    """ "42 s", "3 min 5 s", "2 h 10 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} min"
