"""What has been said of an exercise's steps: no sentence, mistake, note or line of code is to be said twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.model.report import Cause, Stage, Status, Verdict
from grader.words import heard, say

NUMBER = re.compile(r"\d+")
PASSED_OVER = ("judge.passed-over", "judge.passed-over-at-the-end")


@dataclass(slots=True)
class Said:
    """What a reader has been told of the steps that were added."""

    _told: set[object] = field(default_factory=set)

    def add(self, step: Verdict) -> None:
        """Remember all that is told of a step that is wrong."""
        self._told |= _sentence(step) | {step.stage, *step.notes, (step.file, step.line)}
        self._told |= {found.id for found in step.diagnosis} | {step.cause}
        self._told |= {(found.file, found.line) for found in step.diagnosis}

    def sentence(self, step: Verdict) -> bool:
        """Whether a step's sentence was said."""
        return not self._told.isdisjoint(_sentence(step))

    def mistake(self, identifier: str) -> bool:
        """Whether a mistake was named."""
        return identifier in self._told

    def mistakes(self, step: Verdict) -> bool:
        """Whether a step has mistakes, and all of them were named."""
        return bool(step.diagnosis) and all(self.mistake(found.id) for found in step.diagnosis)

    def line(self, file: str, number: int) -> bool:
        """Whether a line was shown."""
        return (file, number) in self._told

    def cause(self, cause: Cause) -> bool:
        """Whether a step was said to come of this."""
        return cause in self._told

    def stage(self, stage: Stage) -> bool:
        """Whether a step was said to be right as far as this."""
        return stage in self._told

    def new_notes(self, steps: Iterable[Verdict]) -> tuple[str, ...]:
        """The notes on steps that were not said, each once."""
        return tuple(dict.fromkeys(note for step in steps for note in step.notes if not self._note(note)))

    def _note(self, note: str) -> bool:
        """Whether a note was said; of a statement that was passed over, also where a step told what it raised."""
        passed_over = next(filter(None, (heard(key, note) for key in PASSED_OVER)), None)
        if note in self._told or passed_over is None:
            return note in self._told
        raised = passed_over["said"].removesuffix("…")  # a note on a statement says less of a long message than a step
        outside = say("judge.outside-functions", said=raised).removeprefix(raised)
        is_cut = raised != passed_over["said"]
        told = (each.removeprefix(raised) for each in self._told if isinstance(each, str) and each.startswith(raised))
        return any(outside in each if is_cut else each.startswith(outside) for each in told)


def _sentence(step: Verdict) -> set[object]:
    """What is said of a step, so that it is not said of another again: its sentence; of an exception, that without its
    numbers and what they mean, at its line, since other cases have other sizes; of weights, each that has no place in
    a class, since other cases have other shapes, and biases."""
    is_raised = step.status is Status.ERROR and step.line and not step.diagnosis
    raised = (step.file, step.line, NUMBER.sub("", step.summary.partition(";")[0]))
    unplaced = {(step.file, step.line, name) for name in _unplaced(step)}
    return {step.summary, *unplaced} | ({raised} if is_raised else set())


def _unplaced(step: Verdict) -> list[str]:
    """The names of the weights that a step's sentence says have no place in the module."""
    why = (heard("judge.weights", step.summary) or {}).get("why", "")
    weights = (heard("judge.no-place", why) or {}).get("weights", "")
    named = heard("judge.and-more", weights) or {"names": weights}
    return named["names"].split(", ") if weights else []
