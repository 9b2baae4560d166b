"""Every error on purpose carries its exit code and a remedy."""

from __future__ import annotations

import pytest

from grader.model import errors
from grader.model.errors import ExitCode, GraderError, Problem, RubricError


def test_the_exit_codes_are_the_contracts() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "FULL_MARKS": 0,
        "LESS_THAN_FULL": 1,
        "WRONG_USAGE": 2,
        "BROKEN_PACK": 3,
        "INTERNAL": 4,
        "NOTHING_TO_GRADE": 5,
        "DEVICE_ABSENT": 6,
        "INTERRUPTED": 130,
    }


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("UsageError", 2),
        ("NothingToGrade", 5),
        ("DeviceAbsent", 6),
        ("NotWritten", 2),
        ("BatchStopped", 1),
        ("WorkerFailed", 4),
        ("PackError", 3),
        ("RubricError", 3),
        ("FixtureError", 3),
        ("SolutionError", 3),
    ],
)
def test_each_error_ends_the_process_with_its_own_code(name: str, code: int) -> None:
    kind = getattr(errors, name)

    assert issubclass(kind, GraderError)
    assert kind.exit_code == code


def test_what_nobody_else_would_fare_better_with_is_fatal() -> None:
    kinds = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, GraderError)]

    fatal = {kind.__name__ for kind in kinds if kind.is_fatal and not issubclass(kind, errors.PackError)}

    assert fatal == {"DeviceAbsent", "SandboxAbsent", "NotWritten", "ClusterFailed"}
    assert all(kind.is_fatal for kind in kinds if issubclass(kind, errors.PackError))


def test_every_error_but_wrong_usage_says_what_to_do() -> None:
    kinds = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, GraderError)]

    without = {kind.__name__ for kind in kinds if not kind.remedy}

    assert without == {"GraderError", "UsageError"}


def test_a_rubric_error_lists_every_problem_in_the_order_of_lines() -> None:
    problems = [Problem("b.yaml", 2, 1, "late"), Problem("a.yaml", 10, 3, "second"), Problem("a.yaml", 9, 1, "first")]

    error = RubricError(problems)

    assert str(error) == "a.yaml:9:1: first\na.yaml:10:3: second\nb.yaml:2:1: late"
