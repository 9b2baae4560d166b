"""`summary.csv`: one row for each submission of a batch, from the reports that were stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.model.handed import TOGETHER, Identity
from grader.model.pack import Visibility
from grader.model.report import Report, Status
from grader.report.cells import Cell, rows
from grader.report.changes import Previous
from grader.report.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored report, and whose it is.

    earlier: what the student had handed in before. previous: the result in the grading before; None where there was
    none. is_news: whether this result is of the last grading, and there was one before it.
    """

    identity: Identity
    report: Report
    outcome: Outcome
    earlier: tuple[str, ...] = ()
    previous: Previous | None = None
    is_news: bool = False

    @property
    def score(self) -> float | None:
        """The points; none where the grader itself failed."""
        return None if self.outcome is Outcome.UNGRADED else self.report.score


def summary(steps: Mapping[str, Visibility], graded: Iterable[Entry]) -> Iterator[str]:
    """The lines of the file. steps: all of them by their ids, in the rubric's order; hidden ones are marked."""
    return rows(_table(steps, graded))


def _table(steps: Mapping[str, Visibility], graded: Iterable[Entry]) -> Iterator[list[Cell]]:
    columns = [step if seen is Visibility.VISIBLE else f"{step} ({seen})" for step, seen in steps.items()]
    yield [
        "id", "name", "user id", "e-mail", "late", "outcome", "score", "max score",
        *columns, *Status, "mistakes", "earlier", "notes",
    ]  # fmt: skip
    for one in graded:
        points = {step.id: step.score for step in one.report.steps}
        statuses = [step.status for step in one.report.steps]
        identity, score = one.identity, one.score
        yield [
            one.report.submission["id"], identity.name, identity.user_id, TOGETHER.join(filter(None, identity.emails)),
            "yes" if identity.late else "", one.outcome, score, one.report.max_score,
            *(None if score is None else points.get(step) for step in steps),
            *(statuses.count(status) for status in Status),
            " ".join(one.report.mistakes), ", ".join(one.earlier), "; ".join(one.report.notes),
        ]  # fmt: skip
