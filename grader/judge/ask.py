"""Asks one solution: fits a run to the names the solution gives its weights, in every way they may be meant.

A class that was found to hold the lesson's names is trusted to hold them however it is constructed, and asked without
being looked at first: the worker refuses to load the weights where that is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from weakref import WeakKeyDictionary

from grader.judge.bench import Bench
from grader.judge.binding.fitting import Unbound, fitted
from grader.judge.binding.fused import BIASES, BLOCKS, BY_HEAD, EACH_HEAD, Loading
from grader.judge.binding.loadings import loadings
from grader.judge.binding.output_layer import loadings_without
from grader.judge.checks.asking import HEADS, num_heads
from grader.model.case import Case
from grader.model.check import Question
from grader.model.observation import OTHER_SLOTS, Fault, Observation, Slot
from grader.model.pack import Exercise, Step
from grader.model.run import Gradients, Inspect, Load, Make, Run, World


@dataclass(frozen=True, slots=True)
class Bound:
    """A run that fits the solution's own names.

    loaded: its slots that hold the case's weights, and the names of weights that it has no slot for. notes: what was
    accepted. layout: how it was bound, "" if plainly.
    """

    run: Run
    loaded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    layout: str = ""


# A run as it was bound to solutions of one way to name things; most of a class shares one, the lesson's own.
LAYOUTS_KEPT = 2
_BOUND: WeakKeyDictionary[Run, dict[tuple[Slot, ...], list[Bound] | Fault]] = WeakKeyDictionary()
# The plain binding to the lesson's own names, without a look at the module.
_PLAIN: WeakKeyDictionary[Run, Bound] = WeakKeyDictionary()


@dataclass(slots=True)
class Asker:
    """Remembers what a solution's modules hold, and which way of binding them made it right.

    _layouts: the way to try first. _certain: the one that right results have shown to be meant, in whatever world,
    since the module that is asked for is replaced in none. _settled: those that wrong results leave: with any
    other the solution would be wrong by more.
    """

    bench: Bench
    _slots: dict[tuple[World, Make], Observation] = field(default_factory=dict)
    _plain: dict[tuple[World, str, str], bool] = field(default_factory=dict)
    _layouts: dict[tuple[World, str, str], str] = field(default_factory=dict)
    _certain: dict[tuple[str, str], str] = field(default_factory=dict)
    _settled: dict[tuple[str, str], Sequence[str]] = field(default_factory=dict)

    def question(self, exercise: Exercise, step: Step, case: Case) -> Question:
        """A step on one case, as this solution is asked it."""
        return Question(exercise, step, case, self.bench.device, self.bench.dtype, self.bench.naming)

    def bound(self, question: Question, run: Run, world: World, *, trusting: bool = False) -> list[Bound] | Observation:
        """The run with the reference's slot names replaced by the solution's, the way that was right before first.

        What does not look at the class's own results may find nothing wrong in another way, so that it is asked in that
        one alone: a copy into the wrong roles is right for weights that were put in wrongly. An observation instead
        where the module cannot be made, or has no place for some weight. trusting: whether a class may be asked without
        being looked at, by whoever looks whether it was refused.
        """
        make = _loaded(run)
        if make is None:
            return [Bound(run)]
        of = world, make.module, make.definition
        if trusting and self._plain.get(of):
            return [plainly(question, run)]
        seen = self._inspect(make, world)
        if not seen.is_whole:
            return seen
        held = _slots(seen)
        # setdefault: a class that was refused once is not trusted again.
        if self._plain.setdefault(of, _is_plain(question.case, held)) and trusting:
            return [plainly(question, run)]
        kept = _BOUND.setdefault(run, {})
        if held not in kept:
            if len(kept) == LAYOUTS_KEPT:
                kept.clear()
            kept[held] = _ways(question, run, held)
        ways = kept[held]
        if isinstance(ways, Fault):
            return Observation(fault=ways, lines=seen.lines)
        finds_out = self.bench.checks[question.step.check].explained and question.step.of == make.definition
        certain = None if finds_out else self._certain.get(of[1:])
        known = self._settled.get(of[1:], ()) if certain is None else (certain,)
        preferred = self._layouts.get(of, "")
        if meant := [way for layout in known for way in _nearest(ways, layout)]:
            return sorted(meant, key=lambda way: way.layout != preferred)
        return _by_layout(ways, preferred)

    def was_refused(self, run: Run, seen: Observation, world: World) -> bool:
        """Whether a class that was trusted to hold the lesson's names says that it does not. It is trusted no more."""
        make = _loaded(run) if seen.fault is not None and seen.fault.kind == OTHER_SLOTS else None
        if make is None:
            return False
        of = world, make.module, make.definition
        was_trusted = self._plain.get(of, False)
        self._plain[of] = False
        return was_trusted

    def was_right(self, question: Question, way: Bound, world: World) -> None:
        """Try this layout first from now on, if it is one that results have shown: of one head alone none do.

        There head by head is side by side.
        """
        make = _loaded(way.run)
        is_alike = HEADS in question.case.template.construct and num_heads(question) == 1
        if make is not None and is_alike and (world, make.module, make.definition) in self._layouts:
            return
        if make is not None and self.bench.checks[question.step.check].explained:
            self._layouts[world, make.module, make.definition] = way.layout
            self._certain[make.module, make.definition] = way.layout

    def layouts(self, question: Question, run: Run, world: World) -> list[str]:
        """Every way in which a fused projection may be meant, the likeliest first; one where nothing is fused.

        Empty where the module cannot be made, or has no place for some weight.
        """
        ways = self.bound(question, run, world)
        return [] if isinstance(ways, Observation) else [way.layout for way in ways]

    def prefer(self, run: Run, layout: str, world: World) -> None:
        """Try this layout first from now on, whatever is asked of the class that weights are loaded into."""
        if (make := _loaded(run)) is not None:
            self._layouts[world, make.module, make.definition] = layout

    def settle(self, run: Run, layouts: Sequence[str], world: World) -> None:
        """Try no layouts but these from now on, in this order: of a solution that is right in none, the likeliest."""
        if (make := _loaded(run)) is not None:
            self.prefer(run, layouts[0], world)
            self._settled[make.module, make.definition] = layouts

    def slots(self, run: Run, world: World) -> tuple[Slot, ...]:
        """What the object holds that a run makes first."""
        make = next((action for action in run.actions if isinstance(action, Make)), None)
        return _slots(self._inspect(make, world)) if make is not None else ()

    def observe(self, run: Run, world: World) -> Observation:
        """What the solution does when asked once."""
        with closing(self.bench.observe_each([run], world)) as stream:
            return next(stream)

    def answer(self, question: Question, world: World) -> Observation:
        """What the solution answers to a question, its weights bound in the likeliest way."""
        ways = self.bound(question, self.bench.plan(question), world)
        return ways if isinstance(ways, Observation) else self.observe(ways[0].run, world)

    def observe_all(self, runs: Sequence[Run], world: World) -> list[Observation]:
        """What the solution does when asked each, one after the other; after a crash the others are asked again."""
        seen: list[Observation] = []
        while len(seen) < len(runs):
            with closing(self.bench.observe_each(runs[len(seen) :], world)) as stream:
                seen += stream
        return seen

    def _inspect(self, make: Make, world: World) -> Observation:
        key = world, replace(make, name="")
        if key not in self._slots:
            self._slots[key] = self.observe(_inspecting(make), world)
        return self._slots[key]


def _ways(question: Question, run: Run, held: Sequence[Slot]) -> list[Bound] | Fault:
    """Every way in which a run may be meant to fit what a module holds, or why none does."""
    try:
        ways = loadings(question.case.weights, held, question.naming, num_heads(question))
    except Unbound as unbound:
        ways = loadings_without(question.case.weights, held, question.naming, num_heads(question))
        if not ways:
            return Fault("weights", message=str(unbound), names=unbound.missing)
    return [_put_in(run, way) for way in ways]


def plainly(question: Question, run: Run) -> Bound:
    """A run as a solution is asked it that holds the lesson's own names, as most of a class do."""
    if _loaded(run) is None:
        return Bound(run)
    if run not in _PLAIN:
        _PLAIN[run] = _put_in(run, Loading(question.case.weights), exact=True)
    return _PLAIN[run]


def look(run: Run) -> Run | None:
    """The run by which an asker looks at the object that weights are loaded into, if any are."""
    make = _loaded(run)
    return _inspecting(make) if make is not None else None


@cache
def _inspecting(make: Make) -> Run:
    return Run((make, Inspect(make.name)))


def _slots(seen: Observation) -> tuple[Slot, ...]:
    """The slots of the one object that was inspected, whatever the run called it."""
    return next(iter(seen.slots.values()), ())


def _loaded(run: Run) -> Make | None:
    """How the object is made that weights are loaded into first, if any are."""
    into = next((action.into for action in run.actions if isinstance(action, Load) and action.weights), None)
    return next((a for a in run.actions if isinstance(a, Make) and a.name == into), None)


def _is_plain(case: Case, held: Sequence[Slot]) -> bool:
    """Whether a module holds the case's weights under the reference's names and shapes, and nothing beside buffers."""
    shapes = {slot.name: slot.shape for slot in held if slot.kind != "buffer"}
    if shapes != {name: array.shape for name, array in case.weights.items()}:
        return False
    return all(len(fitted(slot.name, case.weights[slot.name], slot)) == 1 for slot in held if slot.kind != "buffer")


def _nearest(ways: Sequence[Bound], layout: str) -> list[Bound]:
    """Those of a layout; where there are none, of the same one without biases, or as it is where one head is all."""
    of_one = layout.replace(BY_HEAD, BLOCKS).replace(EACH_HEAD, BLOCKS)
    each = (layout, _of_weights(layout), of_one, _of_weights(of_one))
    return next(filter(None, ([way for way in ways if way.layout == name] for name in each)), [])


def _by_layout(ways: Sequence[Bound], known: str) -> list[Bound]:
    """The ways to try: the one that is known first, and where the weights are known, other orders of their biases.

    These are many, and of weights that are found nowhere else nothing is to be learnt from them. Where one head is all,
    head by head is side by side.
    """
    known = next((way.layout for way in _nearest(ways, known)), known)
    weights = _of_weights(known)
    tried = [way for way in ways if _of_weights(way.layout) in (way.layout, weights)]
    return sorted(tried, key=lambda way: (way.layout != known, _of_weights(way.layout) != weights))


def _of_weights(layout: str) -> str:
    return layout.partition(BIASES)[0]


def _put_in(run: Run, way: Loading, *, exact: bool = False) -> Bound:
    arrays = {**way.arrays, **way.unwanted}
    names = {slot: f"bound.{slot}" for slot in arrays}
    actions = tuple(
        replace(a, weights=names, exact=exact and not a.may_fail)
        if isinstance(a, Load)
        else replace(a, tensors=tuple(way.arrays))
        if isinstance(a, Gradients) and a.of
        else a
        for a in run.actions
    )
    tensors = {name: array for name, array in run.tensors.items() if not name.startswith("weight.")}
    tensors |= {names[slot]: array for slot, array in arrays.items()}
    loaded = (*way.arrays, *way.lacking)
    return Bound(replace(run, actions=actions, tensors=tensors), loaded, way.notes, way.layout)
