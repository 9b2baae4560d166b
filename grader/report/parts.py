"""Writes a report in parts, as steps are graded: where a platform ends the run, what was graded by then is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.model.pack import Exercise, Pack, Step
from grader.model.report import ExerciseResult, Report, Verdict, pack_facts, submission_facts, waiting
from grader.model.submission import Submission
from grader.plugins import hookimpl
from grader.report.outputs import Output, write
from grader.words import say


class Parts:
    """A plugin that writes some outputs anew whenever a step is graded, each time with every step of the rubric."""

    def __init__(self, outputs: Sequence[Output]) -> None:
        self._outputs = outputs
        self._begun: Report | None = None
        self._exercises: tuple[Exercise, ...] = ()
        self._verdicts: dict[str, Verdict] = {}

    @hookimpl
    def grader_submission_started(self, pack: Pack, submission: Submission, exercises: tuple[Exercise, ...]) -> None:
        self._exercises = exercises
        self._begun = Report(
            submission=submission_facts(submission.id, submission),
            pack=pack_facts(pack),
            environment={},
            exercises=(),
            sources=submission.sources,
        )
        self._write()

    @hookimpl
    def grader_step_graded(self, step: Step, verdict: Verdict) -> None:
        self._verdicts[step.id] = verdict
        self._write()

    def _write(self) -> None:
        assert self._begun is not None
        write(self._outputs, partial(self._begun, self._exercises, self._verdicts))


def partial(begun: Report, exercises: Sequence[Exercise], verdicts: Mapping[str, Verdict]) -> Report:
    """A report of what is graded so far: each other step is there without points, and says so."""
    steps = sum(len(exercise.steps) for exercise in exercises)
    return replace(
        begun,
        exercises=tuple(
            ExerciseResult(
                exercise.id,
                exercise.title,
                tuple(verdicts.get(step.id) or waiting(step, say("report.not-yet")) for step in exercise.steps),
            )
            for exercise in exercises
        ),
        notes=(say("note.so-far", graded=len(verdicts), count=steps),),
    )
