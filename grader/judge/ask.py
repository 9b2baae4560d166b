"""Asks one solution: fits a run to the names the solution gives its weights, in every way they may be meant."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from grader.judge import binding
from grader.judge.bench import Bench
from grader.model.case import Case
from grader.model.check import Question
from grader.model.observation import Ending, Fault, Observation, Slot
from grader.model.pack import Exercise, Step
from grader.model.run import Gradients, Inspect, Load, Make, Run, World


@dataclass(frozen=True, slots=True)
class Bound:
    """A run that fits the solution's own names.

    loaded: its slots that hold the case's weights. notes: what was accepted. layout: how it was bound, "" if plainly.
    """

    run: Run
    loaded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    layout: str = ""


@dataclass(slots=True)
class Asker:
    """Remembers what a solution's modules hold, and which way of binding them made it right."""

    bench: Bench
    _slots: dict[tuple[World, str], Observation] = field(default_factory=dict)
    _layouts: dict[tuple[World, str], str] = field(default_factory=dict)

    def question(self, exercise: Exercise, step: Step, case: Case) -> Question:
        """A step on one case, as this solution is asked it."""
        return Question(exercise, step, case, self.bench.device, self.bench.dtype, self.bench.naming)

    def bound(self, question: Question, run: Run, world: World) -> list[Bound] | Observation:
        """The run with the reference's slot names replaced by the solution's, the way that was right before first.

        An observation instead where the module cannot be made, or has no place for some weight.
        """
        loads = [action for action in run.actions if isinstance(action, Load) and action.weights]
        if not loads:
            return [Bound(run)]
        make = next(a for a in run.actions if isinstance(a, Make) and a.name == loads[0].into)
        seen = self._inspect(make, world)
        if seen.ending is not Ending.ANSWERED or seen.fault is not None:
            return seen
        heads = int(question.case.template.construct.get("num_heads", 1))
        try:
            ways = binding.loadings(question.case.weights, _slots(seen), question.naming, heads)
        except binding.Unbound as unbound:
            return Observation(fault=Fault("weights", message=str(unbound)), lines=seen.lines)
        known = self._layouts.get((world, question.step.of))
        return sorted((_put_in(run, way) for way in ways), key=lambda way: way.layout != known)

    def was_right(self, question: Question, way: Bound, world: World) -> None:
        """Try this layout first from now on."""
        if self.bench.checks[question.step.check].compares:
            self._layouts[world, question.step.of] = way.layout

    def slots(self, run: Run, world: World) -> tuple[Slot, ...]:
        """What the object holds that a run makes first."""
        make = next((action for action in run.actions if isinstance(action, Make)), None)
        return _slots(self._inspect(make, world)) if make is not None else ()

    def observe(self, run: Run, world: World) -> Observation:
        """What the solution does when asked once."""
        with closing(self.bench.observe_each([run], world)) as stream:
            return next(stream)

    def observe_all(self, runs: Sequence[Run], world: World) -> list[Observation]:
        """What the solution does when asked each, one after the other; after a crash the others are asked again."""
        seen: list[Observation] = []
        while len(seen) < len(runs):
            with closing(self.bench.observe_each(runs[len(seen) :], world)) as stream:
                seen += stream
        return seen

    def _inspect(self, make: Make, world: World) -> Observation:
        arguments = json.dumps([repr(argument) for argument in make.arguments])
        key = (world, f"{make.module}.{make.definition}{arguments}")
        if key not in self._slots:
            self._slots[key] = self.observe(Run((make, Inspect(make.name))), world)
        return self._slots[key]


def _slots(seen: Observation) -> tuple[Slot, ...]:
    """The slots of the one object that was inspected, whatever the run called it."""
    return next(iter(seen.slots.values()), ())


def _put_in(run: Run, way: binding.Loading) -> Bound:
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
    return Bound(Run(actions, tensors), tuple(way.arrays), way.notes, way.layout)
