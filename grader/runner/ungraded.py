"""The report of a submission that could not be asked anything: every step is there, and says why."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from grader.judge.examined import Examined
from grader.judge.score import verdict
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import ExerciseResult, Report, Status
from grader.model.submission import Submission
from grader.runner.grade import chosen

NOTHING = hashlib.sha256().hexdigest()


def ungraded(
    pack: Pack,
    order: Order,
    environment: Mapping[str, Any],
    submission: Submission | None,
    identifier: str,
    why: str,
) -> Report:
    """A report in which each step is an error for one reason. why: a sentence. environment: of some other report."""
    examined = [(str(device), order.dtype, Examined(Status.ERROR, why)) for device in environment["devices"]]
    results = [
        ExerciseResult(
            exercise.id,
            exercise.title,
            tuple(verdict(exercise, step, examined) for step in exercise.steps),
        )
        for exercise in chosen(pack, order.exercises)
    ]
    return Report(
        submission={
            "id": identifier,
            "path": str(submission.path) if submission else identifier,
            "sha256": submission.sha256 if submission else NOTHING,
        },
        pack={"name": pack.name, "version": pack.version, "sha256": pack.sha256},
        environment={**environment, "isolation": []},
        exercises=tuple(results),
        notes=(why,),
    )
