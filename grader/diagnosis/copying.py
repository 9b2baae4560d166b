"""What a copy from one module into another does, shown by copying once more over other numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from grader.judge import compare
from grader.judge.ask import Asker
from grader.judge.binding.loadings import matching
from grader.judge.checks.asking import RESULT
from grader.judge.checks.copies import COPIED, STILL, TARGET, changes_source
from grader.model.check import Question
from grader.model.observation import Observation, Slot
from grader.model.run import Action, Call, Inspect, Load, Make, Run, World

AGAIN = "again"
AFTERWARDS = "afterwards"


def is_copy(run: Run) -> bool:
    """Whether weights are copied from one module into another."""
    return any(isinstance(action, Call) and action.name == COPIED for action in run.actions)


def left_by_copy(asker: Asker, question: Question, world: World) -> tuple[list[str], list[str]]:
    """The names of the parameters of a copy's target to which it writes nothing, and of all; none of no copy."""
    run = asker.bench.plan(question)
    ways = asker.bound(question, run, world) if is_copy(run) else []
    if isinstance(ways, Observation) or not ways:
        return [], []
    slots, seen = _copied_over(asker, ways[0].run, world)
    return [slot.name for slot in left_as_they_were(seen, slots)], [slot.name for slot in slots]


def mistakes_of_copy(asker: Asker, question: Question, run: Run, world: World) -> list[str]:
    """The mistakes of a copy that writes into its source, or leaves some of the target's weights as they were."""
    if not is_copy(run):
        return []
    slots, seen = _copied_over(asker, run, world)
    if changes_source(seen):
        return ["input-mutated"]
    ids: Mapping[str, str] = question.step.options.get("left", {})
    left = left_as_they_were(seen, slots) if ids else []
    named = {slot: name for wanted, name in ids.items() if (slot := matching(wanted, slots, question.naming))}
    # Whoever leaves other weights behind as well has not forgotten these, but all of some kind.
    return [named[slot] for slot in left] if set(left) <= set(named) else []


def _copied_over(asker: Asker, run: Run, world: World) -> tuple[list[Slot], Observation]:
    """The parameters of a copy's target, and what came of copying over each of them."""
    held = asker.observe(_of_target(run), world)
    slots = [slot for slot in next(iter(held.slots.values()), ()) if slot.kind in ("parameter", "shared")]
    return slots, asker.observe(copied_over(run, slots), world)


def _of_target(run: Run) -> Run:
    """What the target of a copy holds."""
    make = next(action for action in run.actions if isinstance(action, Make) and action.name == TARGET)
    return Run((make, Inspect(TARGET)))


def copied_over(run: Run, slots: Sequence[Slot]) -> Run:
    """The copy made again, over what it wrote itself and then over each slot of the target, overwritten one by one."""
    copy, result, still = (
        next(action for action in run.actions if isinstance(action, Call) and action.name == name)
        for name in (COPIED, RESULT, STILL)
    )
    actions: list[Action] = [*run.actions, replace(copy, name=f"{COPIED} {AGAIN}"), replace(result, name=AGAIN)]
    generator = np.random.default_rng(0)
    tensors = dict(run.tensors)
    for slot in (each for each in slots if each.may_be_filled):
        tensors[_over(slot)] = generator.standard_normal(slot.shape).astype(np.float32)
        actions += [
            Load(TARGET, {slot.name: _over(slot)}),
            replace(copy, name=f"{COPIED} {_over(slot)}"),
            replace(result, name=_over(slot)),
        ]
    return replace(run, actions=(*actions, replace(still, name=AFTERWARDS)), tensors=tensors)


def left_as_they_were(seen: Observation, slots: Sequence[Slot]) -> list[Slot]:
    """The slots of the target that the copy does not write to; none where that is not certain."""
    results = [compare.tensor(seen, name) for name in (RESULT, AGAIN, *map(_over, slots))]
    sources = [compare.tensor(seen, name) for name in (STILL, AFTERWARDS)]
    if any(array is None for array in (*results, *sources)):
        return []
    # Whoever shares storage between the two writes into the source here, and then nothing can be said.
    if not np.array_equal(results[0], results[1]) or not np.array_equal(*sources):
        return []
    pairs = zip(slots, results[1:], results[2:], strict=False)
    return [slot for slot, before, after in pairs if not np.array_equal(before, after)]


def _over(slot: Slot) -> str:
    return f"over {slot.name}"
