"""What has been said of an exercise's steps: no sentence, mistake, note or line of code is to be said twice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from grader.diagnosis.sentences import LONGEST_RAISED
from grader.model.report import ERRORS, Cause, Stage, Status, Verdict
from grader.words import all_of, heard, say

NUMBER = re.compile(r"\d+")
HERE = "\0"
PASSED_OVER = ("judge.passed-over", "judge.passed-over-at-the-end")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class OfSlot:
    """That a weight has another shape than is due, whatever its sizes."""

    file: str
    slot: str


@dataclass(frozen=True, slots=True)
class OfFew:
    """That a list holds too few heads, however many."""

    file: str
    list: str


@dataclass(frozen=True, slots=True)
class OfNothing:
    """That a file defines nothing, whatever it was asked for."""

    file: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception without its numbers. at: its line; or, where it was raised elsewhere, the tensors it was about."""

    file: str
    at: int | str
    said: str


@dataclass(frozen=True, slots=True)
class Placeless:
    """A weight that has no place, with where that is told."""

    file: str
    line: int
    weight: str


@dataclass(slots=True)
class Said:
    """What a reader has been told of the steps that were added."""

    # With the step that each was told at, and the one that stands above whatever comes next.
    _told: dict[object, str] = field(default_factory=dict)
    _last: str = ""

    def add(self, step: Verdict) -> None:
        """Remember all that is told of a step that is wrong."""
        self._last = self.sentence(step) or step.name
        raised = _raised(step) if step.remark else _raised(step)[:1]
        told = [*_sentence(step), *raised, *_unplaced(step), step.stage, step.cause, *step.notes]
        told += [Place(step.file, step.line)]
        told += [each for found in step.diagnosis for each in (found.id, Place(found.file, found.line))]
        self._told = dict.fromkeys(told, self._last) | self._told

    def sentence(self, step: Verdict) -> str:
        """The step at which this one's sentence was said; of weights without a place, where all were told; else ""."""
        unplaced = _unplaced(step)
        same = [
            *_sentence(step),
            *(_raised(step) if not step.diagnosis else ()),
            *(unplaced if unplaced <= self._told.keys() else ()),
        ]
        return next((self._told[each] for each in same if each in self._told), "")

    def above(self, step: Verdict) -> str:
        """What is said in place of a step's sentence that was said; "" where it was not."""
        told_at = self.sentence(step)
        if not told_at:
            return ""
        return say("report.as-above") if told_at == self._last else say("report.as-above-at", step=told_at)

    def remark(self, step: Verdict) -> str:
        """What is told of a step first: what to change, where that was not said."""
        return step.remark if step.remark and not step.diagnosis and not self._note(step.remark) else ""

    def note(self, note: str) -> None:
        """Remember a note that is told before all else of a step."""
        self._told.setdefault(note, self._last)

    def mistake(self, identifier: str) -> bool:
        """Whether a mistake was named."""
        return identifier in self._told

    def mistakes(self, step: Verdict) -> bool:
        """Whether a step has mistakes, and all of them were named."""
        return bool(step.diagnosis) and all(self.mistake(found.id) for found in step.diagnosis)

    def raises_anew(self, step: Verdict) -> bool:
        """Whether a step raises what was not told, in a line that none of its mistakes is in."""
        raised = _raised(step)
        is_at_one = any((found.file, found.line) == (step.file, step.line) for found in step.diagnosis)
        return bool(raised) and not is_at_one and not any(each in self._told for each in raised)

    def line(self, file: str, number: int) -> bool:
        """Whether a line was shown."""
        return Place(file, number) in self._told

    def at(self, step: Verdict) -> bool:
        """Whether a step's own line was shown and says enough: not where it raises, if that is where to begin."""
        is_raised_here = step.status in ERRORS and step.cause is None
        return self.line(step.file, step.line) and not is_raised_here

    def cause(self, cause: Cause) -> bool:
        """Whether a step was said to come of this."""
        return cause in self._told

    def comes_of_above(self, step: Verdict) -> bool:
        """Whether a step is told to be as another one above, which it may come of: to begin there says no more."""
        if step.cause is None or heard("judge.cause-earlier", step.cause.message) is None:
            return False
        found = [found.id for found in step.diagnosis]
        told_at = {self._told.get(each, "") for each in found} if found else {self.sentence(step)}
        return {f"{step.id.partition('.')[0]}.{each}" for each in told_at} == {step.cause.step}

    def stage(self, stage: Stage) -> bool:
        """Whether a step was said to be right as far as this."""
        return stage in self._told

    def new_notes(self, steps: Iterable[Verdict]) -> tuple[str, ...]:
        """The notes on steps that were not said, each once; those on substitutes as one."""
        new = [(step, note) for step in steps for note in step.notes if not self._note(note)]
        lent = {note: found["replaced"] for _, note in new if (found := heard("judge.substitute", note))}
        if len(lent) < 2:
            return tuple(dict.fromkeys(note for _, note in new))
        names = [step.name for step, note in new if note in lent]
        replaced = [name for each in lent.values() for name in each.replace(say("join.and"), ", ").split(", ")]
        told = say("report.substitutes", steps=all_of(names), replaced=all_of(dict.fromkeys(replaced)))
        return tuple(dict.fromkeys(told if note in lent else note for _, note in new))

    def _note(self, note: str) -> bool:
        """Whether a note was said, or the mistake that it is on.

        Of a statement that was passed over, also where a step told what it raised.
        """
        if heard("check.writes-into", note) is not None and self.mistake("input-mutated"):
            return True
        passed_over = next(filter(None, (heard(key, note) for key in PASSED_OVER)), None)
        if note in self._told or passed_over is None:
            return note in self._told
        before, after = say("judge.outside-functions", said=HERE).split(HERE)
        raised = before + passed_over["said"]
        told = [each for each in self._told if isinstance(each, str)]
        if len(passed_over["said"]) == LONGEST_RAISED:  # it was cut, and a step says more of it
            return any(each.startswith(raised.removesuffix("…")) and after in each for each in told)
        return any(each.startswith(raised + after) for each in told)


def _sentence(step: Verdict) -> list[object]:
    """What is said of a step, so that it is not said of another again: its sentence."""
    why = (heard("judge.weights", step.summary) or {"why": step.summary.removesuffix(".")})["why"]
    shaped = heard("check.slot-shape", why) or heard("judge.slot-shape", why)
    few = heard("judge.too-few", (heard("judge.no-place-behind", why) or {"why": why})["why"])
    if (nothing := heard("judge.nothing-defined", step.summary)) is not None:
        return [step.summary, OfNothing(nothing["file"])]
    # Of other cases' sizes, and of as many heads as they have.
    if shaped:
        return [step.summary, OfSlot(step.file, shaped["slot"])]
    return [step.summary, *([OfFew(step.file, few["list"])] if few else [])]


def _raised(step: Verdict) -> list[object]:
    """What a step raised, without its numbers and what they mean, since other cases have other sizes.

    At its line; or, where what is wrong stands in another one, with the tensors that it was about.
    """
    if step.status is not Status.ERROR or not step.line:
        return []
    said, about = [NUMBER.sub("", part) for part in (*step.summary.split("; "), "")[:2]]
    elsewhere = [Raised(step.file, about, said)] if heard("judge.shapes", about) else []
    return [Raised(step.file, step.line, said), *elsewhere]


def _unplaced(step: Verdict) -> set[object]:
    """The weights that a step's sentence says have no place, each with where that is told; a bias goes with its weight.

    Other cases put in other shapes, and biases.
    """
    why = (heard("judge.weights", step.summary) or {}).get("why", "")
    weights = (heard("judge.no-place", why) or heard("judge.no-place-behind", why) or {}).get("weights", "")
    if not weights or step.diagnosis:
        return set()
    names = (heard("judge.and-more", weights) or {"names": weights})["names"].split(", ")
    with_weights = {f"{name.removesuffix('.weight')}.bias" for name in names if name.endswith(".weight")}
    return {Placeless(step.file, step.line, name) for name in names if name not in with_weights}
