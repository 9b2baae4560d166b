"""Examines one step on one device: asks the cases that decide, and where one is not right, has the tutor say why."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

import numpy as np

from grader.diagnosis import sentences
from grader.diagnosis.changes.passing import Passing
from grader.diagnosis.changes.trials import Trials
from grader.diagnosis.diagnose import Diagnostician
from grader.diagnosis.follow import Follower
from grader.diagnosis.other_cases import raises
from grader.diagnosis.picture import picture_of_result
from grader.diagnosis.workbench import Workbench
from grader.judge.ask import Asker, Bound
from grader.judge.binding import labels
from grader.judge.deciding import Planned
from grader.model.case import Case
from grader.model.check import Finding, Question
from grader.model.observation import Ending, Observation
from grader.model.pack import Exercise, Step
from grader.model.report import Status
from grader.model.run import Run, World
from grader.verdict import found_before
from grader.verdict.examined import Examined, failed, not_answered
from grader.verdict.shares import shares
from grader.verdict.tutor import Tutor
from grader.words import say

# Printing is allowed; only so much of it is worth a word to the student.
MUCH_PRINTED = 1_000_000


Judged = tuple[Question, Observation, Finding | None]


@dataclass(slots=True)
class _Tally:
    """What the cases of a step have shown so far."""

    right: set[Case] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    printed: int = 0


@dataclass(slots=True)
class Examiner:
    """Examines the steps of one solution."""

    bench: Workbench
    _asker: Asker = field(init=False)
    _diagnostician: Diagnostician = field(init=False)
    _tutor: Tutor = field(init=False)

    def __post_init__(self) -> None:
        self._asker = Asker(self.bench)
        follower = Follower(self.bench, self._asker)
        self._diagnostician = Diagnostician(self.bench, self._asker, follower, Passing(self.bench, self._asker))
        self._tutor = Tutor(self.bench, self._diagnostician, follower, Trials(self.bench, self._asker, follower))

    def raises(self, exercise: Exercise, step: Step, world: World) -> bool:
        """Whether any of a step's public cases ends in an exception."""
        return raises(self._asker, exercise, step, world)

    def examine(self, exercise: Exercise, step: Step, world: World, *, explain: bool = True) -> Examined:
        """The step's outcome over its cases, which known mistakes it shows, and how far it is right.

        explain: whether mistakes and stages are of interest, beside what the first failing case itself says.
        """
        # A solution's numbers may be anything, also what signals or is enormous in memory that nobody has written to.
        with np.errstate(all="ignore"):
            examined = self._with_stumble(self._examined(exercise, step, world), exercise, step, world)
            if not explain:
                return examined
            if examined.status in (Status.FAILED, Status.ERROR):
                examined = self._tutor.explained(exercise, step, world, examined)
            if examined.status in (Status.PASSED, Status.FAILED):
                # Last: what is only to be looked at takes no time from what earns credit.
                own = examined.answers if examined.status is Status.FAILED else None
                drawn = shares(self.bench, self._asker, exercise, step, world, own=own)
                examined = replace(examined, shares=drawn) if drawn is not None else examined
        return examined

    def _with_stumble(self, examined: Examined, exercise: Exercise, step: Step, world: World) -> Examined:
        """With the note on code outside functions that raised: at the exercise's first step, unless its line is told.

        Of one that ended the program, no mistake is told with an error: what is missing may stand further down.
        """
        fault = self.bench.stumbled(exercise.id, world)
        if fault is None:
            return examined
        places = [(frame.file, frame.line) for frame in fault.frames]
        is_told = step is not exercise.steps[0] or (examined.file, examined.line) in places
        notes = () if is_told else (sentences.stumbled(exercise, fault, self.bench.joined(exercise).own),)
        hides = fault.kind == "exit" and examined.status is Status.ERROR
        return replace(examined, notes=(*examined.notes, *notes), mistakes=() if hides else examined.mistakes)

    def _examined(self, exercise: Exercise, step: Step, world: World) -> Examined:
        unloadable = self.bench.load(exercise.id, world)
        if unloadable is not None:
            return not_answered(self._diagnostician, exercise, step, unloadable, world)
        asked = self.bench.asked(exercise, step, world)
        tally = _Tally()
        failing = self._first_wrong(asked.deciding, world, tally)
        if failing is not None and _says_something(failing):
            failing = self._to_be_shown(asked.whole, failing, world, tally)
        if failing is not None:  # no case is under way any more, so the diagnosis may ask questions of its own
            return self._not_right(failing, labels.of_all_cases(tally.notes), world)
        if tally.printed > MUCH_PRINTED:
            tally.notes.append(say("judge.printed", count=tally.printed // MUCH_PRINTED))
        return Examined(Status.PASSED, notes=tuple(labels.of_all_cases(tally.notes)))

    def _to_be_shown(self, asked: Sequence[Planned], failing: Judged, world: World, tally: _Tally) -> Judged:
        """The first public case that is not right, else what failed already: of fresh ones no number is told."""
        for each in asked:
            question = each[0]
            if question is failing[0]:
                break
            if question.case.is_public and question.case not in tally.right:
                # One after the other, since the first is wrong as a rule, and none after it is of interest.
                found = self._first_wrong([each], world, tally)
                if found is not None:  # what is lost says less than what was seen
                    return found if found[1].ending is Ending.ANSWERED else failing
        return failing

    def _first_wrong(self, some: Sequence[Planned], world: World, tally: _Tally) -> Judged | None:
        """The first case that is not right; those after it are not asked."""
        with closing(self._judged(some, world)) as judged:
            for question, seen, finding in judged:
                tally.printed += seen.printed
                tally.notes += finding.notes if finding is not None else ()
                if finding is None or not finding.right:
                    return question, seen, finding
                tally.right.add(question.case)
        return None

    def _not_right(self, judged: Judged, notes: list[str], world: World) -> Examined:
        question, seen, finding = judged
        if finding is None:
            exercise, step = question.exercise, question.step
            return not_answered(self._diagnostician, exercise, step, seen, world, question.case)
        return failed(self._diagnostician, question, seen, finding, notes, world)

    def _judged(self, some: Sequence[Planned], world: World) -> Generator[Judged, None, None]:
        """What each case shows, in order; None for a run that was not answered whole."""
        asked = []
        for question, run in some:
            ways = self._asker.bound(question, run, world, trusting=True)
            if isinstance(ways, Observation):
                yield question, ways, None
                return
            asked.append((question, run, ways))
        judged = 0
        if all(len(ways) == 1 for _, _, ways in asked):
            # One way to ask each: the next cases are computed while the last one is judged.
            with closing(self.bench.observe_each([ways[0].run for _, _, ways in asked], world)) as stream:
                # Strict: a case that nobody answered must never count as one that was right.
                for (question, run, ways), seen in zip(asked, stream, strict=True):
                    if self._asker.was_refused(run, seen, world):
                        break
                    judged += 1
                    yield question, seen, self._finding(question, ways[0], seen, world)
        for question, run, _ in asked[judged:]:
            yield self._best(question, run, world)

    def _best(self, question: Question, run: Run, world: World) -> Judged:
        """What one case shows under the first way of binding that makes it right; else under the likeliest."""
        first: Judged | None = None
        ways = self._asker.bound(question, run, world)
        if isinstance(ways, Observation):
            return question, ways, None
        for way in ways:
            seen = self._asker.observe(way.run, world)
            finding = self._finding(question, way, seen, world)
            if finding is None:
                return question, seen, None
            if finding.right:
                self._asker.was_right(question, way, world)
                return question, seen, finding
            first = first or (question, seen, finding)
        assert first is not None  # there is always at least one way to bind
        return first

    def _finding(self, question: Question, way: Bound, seen: Observation, world: World) -> Finding | None:
        if not seen.is_whole:
            return None

        def judged() -> Finding:
            check = self.bench.checks[question.step.check]
            # Asked for only now, so that the reference computes while the solution does.
            expected = self.bench.expected(question, world) if check.compares else None
            finding = check.judge(replace(question, loaded=way.loaded) if way.loaded else question, seen, expected)
            if finding.right:
                return replace(finding, notes=way.notes + finding.notes) if way.notes else finding
            drawn = picture_of_result(question, way.run, seen, expected) if expected is not None else None
            return replace(finding, picture=drawn)

        return found_before.found(question, way.run, seen, world, judged)


def _says_something(judged: Judged) -> bool:
    """Whether the code that is not right was begun, came to an end, and may be asked for more."""
    question, seen, finding = judged
    return finding is not None or sentences.status(question.exercise, seen) in (Status.FAILED, Status.ERROR)
