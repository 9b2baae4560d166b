"""What a Dask worker answers: a report as JSON, or what the grader itself failed with. Bytes, never a pickle of ours.

The client believes of a report what its schema and the pack allow, and no more: see `read_answer`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.model.errors import (
    ClusterFailed,
    DeviceAbsent,
    GraderError,
    PackError,
    SandboxAbsent,
    UsageError,
    WorkerFailed,
)
from grader.model.handed import Handed
from grader.model.order import Order
from grader.model.pack import Pack
from grader.model.report import Report, submission_facts
from grader.model.text import clean
from grader.report.json import as_json
from grader.report.read import parsed, report_from
from grader.runner.grade import chosen

# What can be said of a failure: the kinds that end a batch, and any other.
KINDS: Mapping[str, type[GraderError]] = {
    kind.__name__: kind for kind in (PackError, DeviceAbsent, SandboxAbsent, ClusterFailed, WorkerFailed)
}
LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong at a worker. could_start: whether any submission could be graded there."""

    error: GraderError
    could_start: bool


def report_answer(report: Report) -> bytes:
    return _bytes({"report": as_json(report)})


def failure_answer(error: Exception, *, could_start: bool, worker: str) -> bytes:
    """The answer that is none. worker: what the one is called that gives it."""
    kind = next((name for name, kind in KINDS.items() if isinstance(error, kind)), WorkerFailed.__name__)
    own = str(error) if isinstance(error, GraderError) else f"{type(error).__name__}: {error}."
    return _bytes({"failed": kind, "said": f"{own} (Dask worker {worker})", "could_start": could_start})


def read_answer(answer: object, key: str, handed: Handed, pack: Pack, order: Order) -> Report | Failure:
    """What a worker answered about a submission. Raises WorkerFailed for what is no answer to that question.

    key: what the submission was called to the worker. Whose it is, and its lines, are put back.
    """
    name = "A worker's answer"
    try:
        value = parsed(answer if isinstance(answer, bytes) else b"", name)
        if "failed" in value:
            error = KINDS[value["failed"]](clean(str(value["said"]), LONGEST))
            return Failure(error, could_start=value["could_start"] is True)
        report = report_from(value["report"], name)
    except (ValueError, TypeError, KeyError):
        raise WorkerFailed(f"{name} is none.") from None
    except UsageError as error:
        raise WorkerFailed(str(error)) from None
    own = handed.submission
    facts = submission_facts(handed.id, own)
    _check(report, {**facts, "id": key, "path": key}, pack, order)
    return replace(report, submission=facts, sources=own.sources if own else {})


def _check(report: Report, submission: Mapping[str, str], pack: Pack, order: Order) -> None:
    """Raises WorkerFailed unless a report is about this submission, by this pack, with points that there are."""
    exercises = chosen(pack, order.exercises)
    asked = [(exercise.id, step.id, step.points) for exercise in exercises for step in exercise.steps]
    found = [(exercise.id, step) for exercise in report.exercises for step in exercise.steps]
    is_ours = (
        report.submission == submission
        and report.pack.get("sha256") == pack.sha256
        and report.environment.get("seed") == order.seed
        and [(exercise, step.id) for exercise, step in found] == [(exercise, step) for exercise, step, _ in asked]
        and all(
            0 <= step.score <= step.max_score <= points for (_, step), (*_, points) in zip(found, asked, strict=True)
        )
    )
    if not is_ours:
        raise WorkerFailed("A worker's answer is a report of something else.")


def _bytes(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
