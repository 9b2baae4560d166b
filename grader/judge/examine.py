"""Examines one step on one device: asks every case, stops at the first that is not right, and says why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from grader.judge import binding, sentences
from grader.judge.bench import Bench
from grader.model.check import Finding, Question
from grader.model.observation import Ending, Fault, Observation, Slot
from grader.model.pack import Exercise, Step
from grader.model.report import Status
from grader.model.run import Gradients, Inspect, Load, Make, Run, World
from grader.model.text import plural

# Printing is allowed; only so much of it is worth a word to the student.
MUCH_PRINTED = 1_000_000


@dataclass(frozen=True, slots=True)
class Examined:
    """What became of a step on one device."""

    status: Status
    summary: str = ""
    file: str = ""
    line: int = 0
    notes: tuple[str, ...] = ()
    mistake: str = ""


@dataclass(slots=True)
class Examiner:
    """Examines the steps of one solution. Remembers what it found out about how the solution names its weights."""

    bench: Bench
    _slots: dict[tuple[World, str], Observation] = field(default_factory=dict)
    _layouts: dict[tuple[World, str], str] = field(default_factory=dict)

    def examine(self, exercise: Exercise, step: Step, world: World) -> Examined:
        """The step's outcome over all of its cases."""
        unloadable = self.bench.load(exercise.id, world)
        if unloadable is not None:
            return self._not_answered(exercise, step, unloadable)
        notes: list[str] = []
        printed = 0
        for case in self.bench.cases(exercise, step, world):
            question = Question(exercise, step, case, self.bench.device, self.bench.dtype, self.bench.naming)
            seen, finding = self._ask(question, world)
            printed += seen.printed
            if finding is None:
                return self._not_answered(exercise, step, seen)
            notes += finding.notes
            if not finding.right:
                file, line = _definition(exercise, seen)
                summary = finding.summary[:1].upper() + finding.summary[1:] + "."
                return Examined(Status.FAILED, summary, file, line, tuple(dict.fromkeys(notes)), finding.mistake)
        if printed > MUCH_PRINTED:
            notes.append(f"printed {plural(printed // MUCH_PRINTED, 'megabyte')}; all of it was dropped")
        return Examined(Status.PASSED, notes=tuple(dict.fromkeys(notes)))

    def _ask(self, question: Question, world: World) -> tuple[Observation, Finding | None]:
        """The answer to one case and what it shows; None where the run was not answered whole."""
        check = self.bench.checks[question.step.check]
        run = check.plan(question)
        expected = self.bench.expected(question, run, world) if check.compares else None
        first: tuple[Observation, Finding | None] | None = None
        for bound in self._bound(question, run, world):
            if isinstance(bound, Observation):
                return bound, None
            seen = self.bench.observe(bound.run, world)
            if seen.ending is not Ending.ANSWERED or seen.fault is not None:
                return seen, None
            finding = check.judge(replace(question, loaded=bound.loaded), seen, expected)
            if finding.right:
                if check.compares:
                    self._layouts[world, question.step.of] = bound.layout
                return seen, replace(finding, notes=bound.notes + finding.notes)
            first = first or (seen, finding)
        assert first is not None  # there is always at least one way to bind
        return first

    def _bound(self, question: Question, run: Run, world: World) -> Iterator[_Bound | Observation]:
        """The run with the reference's slot names replaced by the solution's, in every way they may be meant."""
        loads = [action for action in run.actions if isinstance(action, Load) and action.weights]
        if not loads:
            yield _Bound(run)
            return
        make = next(a for a in run.actions if isinstance(a, Make) and a.name == loads[0].into)
        seen = self._inspect(make, world)
        if seen.ending is not Ending.ANSWERED or seen.fault is not None:
            yield seen
            return
        heads = question.case.template.construct.get("num_heads", 1)
        try:
            ways = binding.loadings(question.case.weights, _slots(seen), question.naming, int(heads))
        except binding.Unbound as unbound:
            yield Observation(fault=Fault("weights", message=str(unbound)), lines=seen.lines)
            return
        known = self._layouts.get((world, question.step.of))
        for way in sorted(ways, key=lambda way: way.layout != known):
            yield _put_in(run, way)

    def _inspect(self, make: Make, world: World) -> Observation:
        arguments = json.dumps([repr(argument) for argument in make.arguments])
        key = (world, f"{make.module}.{make.definition}{arguments}")
        if key not in self._slots:
            self._slots[key] = self.bench.observe(Run((make, Inspect(make.name))), world)
        return self._slots[key]

    def _not_answered(self, exercise: Exercise, step: Step, seen: Observation) -> Examined:
        status = sentences.status(exercise, seen)
        assert status is not None
        file, line = sentences.place(exercise, seen.fault)
        if not line and status is Status.FAILED:
            file, line = _definition(exercise, seen)
        return Examined(status, sentences.sentence(exercise, step, seen, self.bench.seconds), file, line)


@dataclass(frozen=True, slots=True)
class _Bound:
    """A run that fits the solution's own names."""

    run: Run
    loaded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    layout: str = ""


def _slots(seen: Observation) -> tuple[Slot, ...]:
    """The slots of the one object that was inspected, whatever the run called it."""
    return next(iter(seen.slots.values()), ())


def _put_in(run: Run, way: binding.Loading) -> _Bound:
    arrays = {**way.arrays, **way.unwanted}
    names = {slot: f"bound.{slot}" for slot in arrays}
    actions = tuple(
        replace(a, weights=names)
        if isinstance(a, Load)
        else replace(a, tensors=tuple(way.arrays))
        if isinstance(a, Gradients) and a.of
        else a
        for a in run.actions
    )
    tensors = {name: array for name, array in run.tensors.items() if not name.startswith("weight.")}
    tensors |= {names[slot]: array for slot, array in arrays.items()}
    return _Bound(Run(actions, tensors), tuple(way.arrays), way.notes, way.layout)


def _definition(exercise: Exercise, seen: Observation) -> tuple[str, int]:
    """Where the definition that was asked begins, in the exercise's own file: the last one called."""
    file = f"{exercise.id}.py"
    own = [frame.line for frame in seen.lines.values() if frame.file == file]
    return (file, own[-1]) if own else ("", 0)
