"""A report adds up what its steps say."""

from __future__ import annotations

from grader.model.report import SCHEMA, ExerciseResult, Report, Status, Verdict


def verdict(score: float, max_score: float) -> Verdict:
    return Verdict("ex01.all", "All scores", Status.PARTIAL, score, max_score)


def report(*exercises: ExerciseResult) -> Report:
    return Report({}, {}, {}, exercises)


def test_scores_are_the_sums_of_the_steps() -> None:
    first = ExerciseResult("ex01_a", "A", (verdict(1, 2), verdict(2.5, 3)))
    second = ExerciseResult("ex02_b", "B", (verdict(4, 4),))

    whole = report(first, second)

    assert (first.score, first.max_score) == (3.5, 5)
    assert (whole.score, whole.max_score, whole.is_full) == (7.5, 9, False)


def test_a_report_is_full_where_nothing_is_missing() -> None:
    assert report(ExerciseResult("ex01_a", "A", (verdict(2, 2),))).is_full


def test_the_statuses_and_the_schemas_name_are_the_contracts() -> None:
    assert SCHEMA == "attention-kit/report/v1"
    assert set(Status) == {
        "passed", "partial", "failed", "error", "timeout", "crashed", "unstarted", "blocked", "unavailable",
    }  # fmt: skip
