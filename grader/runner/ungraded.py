"""The report of a submission that could not be asked anything: every step is there, and says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import ExerciseResult, Report, Status, pack_facts, submission_facts
from grader.model.submission import Submission
from grader.runner.grade import chosen
from grader.verdict.examined import Examined
from grader.verdict.score import verdict


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
        submission=submission_facts(identifier, submission),
        pack=pack_facts(pack),
        environment={**environment, "isolation": []},
        exercises=tuple(results),
        notes=(why,),
    )
