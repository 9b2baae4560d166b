"""Turns what became of a step on each device into its verdict and its points."""

from __future__ import annotations

from collections.abc import Sequence

from grader.model.pack import Exercise, Step
from grader.model.report import Diagnosis, Status, Target, Verdict, waiting
from grader.model.text import as_sentence, clean
from grader.verdict.examined import Examined
from grader.words import say


def verdict(
    exercise: Exercise,
    step: Step,
    examined: Sequence[tuple[str, str, Examined]],
    *,
    hints: Sequence[str] = (),
    extra_notes: Sequence[str] = (),
) -> Verdict:
    """A step's verdict. examined: device, floating-point type and outcome of every target, available or not.

    The points are shared evenly by the targets that are available; where none is, the step is worth nothing here.
    """
    available = [outcome for _, _, outcome in examined if outcome.status is not Status.UNAVAILABLE]
    passed = sum(outcome.status is Status.PASSED for outcome in available)
    max_score = float(step.points) if available else 0.0
    credit = sum(outcome.credit for outcome in available)
    told = next((outcome for outcome in available if outcome.status is not Status.PASSED), None)
    shown = told or next(iter(available), Examined(Status.UNAVAILABLE))
    notes = [note for outcome in available for note in outcome.notes]
    return Verdict(
        id=step.id,
        title=step.title,
        status=_status(len(available), passed + credit, told),
        score=(step.points * passed + credit) / len(available) if available else 0.0,
        max_score=max_score,
        summary=_summary(examined, told),
        file=shown.file,
        line=shown.line,
        column=shown.column,
        targets=tuple(Target(device, dtype, outcome.status) for device, dtype, outcome in examined),
        diagnosis=_diagnosis(exercise, shown),
        stage=shown.stage,
        picture=shown.picture,
        shares=shown.shares,
        hints=tuple(hints),
        hints_left=len(step.hints) - len(hints),
        notes=tuple(dict.fromkeys(clean(note) for note in (*notes, *extra_notes))),
        visibility=step.visibility,
        remark=clean(shown.remark) or None,
    )


def blocked(step: Step, missing: Verdict, targets: Sequence[Target], hints: Sequence[str] = ()) -> Verdict:
    """The verdict of a step that waits for another one."""
    return waiting(step, say("judge.waits", step=missing.id, title=missing.title), tuple(targets), tuple(hints))


def _status(available: int, gained: int, told: Examined | None) -> Status:
    if available == 0:
        return Status.UNAVAILABLE
    if told is None:
        return Status.PASSED
    return Status.PARTIAL if gained else told.status


def _summary(examined: Sequence[tuple[str, str, Examined]], told: Examined | None) -> str:
    if told is None:
        return ""
    device = next(device for device, _, outcome in examined if outcome is told)
    several = sum(outcome.status is not Status.UNAVAILABLE for _, _, outcome in examined) > 1
    return say("judge.on-device", device=device, said=told.summary) if several else told.summary


def _diagnosis(exercise: Exercise, told: Examined) -> tuple[Diagnosis, ...]:
    own = exercise.file
    return tuple(
        Diagnosis(
            mistake.id,
            as_sentence(clean(mistake.said)) or exercise.mistakes.get(mistake.id, ""),
            own if mistake.line else told.file,
            mistake.line or told.line,
            near=(mistake.near or not mistake.line) and (mistake.line or told.line) > 0,
        )
        for mistake in told.mistakes
    )
