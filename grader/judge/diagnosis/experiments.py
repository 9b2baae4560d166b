"""Runs of the diagnosis's own: one thing is changed, and what comes back says whether it makes a difference."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.binding.loadings import matching
from grader.judge.checks.asking import RESULT
from grader.judge.checks.copies import COPIED, STILL, TARGET
from grader.model.observation import Observation, Slot
from grader.model.pack import Naming
from grader.model.run import Action, Call, Inspect, Load, Make, Run, Send

AGAIN = "again"
AFTERWARDS = "afterwards"


def sending_inputs(run: Run, inputs: Collection[str]) -> list[Run]:
    """The run, and the run as far as its first call, which may be all that does not fail; both send their inputs."""
    given = tuple(name for name in inputs if name in run.tensors)
    first = next((number for number, action in enumerate(run.actions) if isinstance(action, Call)), None)
    if first is None or not given:
        return []
    return [replace(run, actions=(*actions, Send(given))) for actions in (run.actions, run.actions[: first + 1])]


def is_copy(run: Run) -> bool:
    """Whether weights are copied from one module into another."""
    return any(isinstance(action, Call) and action.name == COPIED for action in run.actions)


def of_target(run: Run) -> Run:
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


def made_neutral(run: Run, slots: Sequence[Slot], naming: Naming, role: str) -> Run | None:
    """The run with an additional layer that hands on what it is given; None where there is no such layer."""
    weight, bias = (matching(f"{role}.{leaf}", slots, naming) for leaf in ("weight", "bias"))
    load = next((action for action in run.actions if isinstance(action, Load)), None)
    if weight is None or load is None or len(weight.shape) != 2 or weight.shape[0] != weight.shape[1]:
        return None
    if not all(slot.may_be_filled for slot in (weight, bias) if slot is not None):
        return None
    arrays: dict[str, Any] = {weight.name: np.eye(weight.shape[0], dtype=np.float32)}
    if bias is not None:
        arrays[bias.name] = np.zeros(bias.shape, np.float32)
    names: Mapping[str, str] = {slot: f"neutral.{slot}" for slot in arrays}
    loaded = replace(load, weights={**load.weights, **names})
    actions = tuple(loaded if action is load else action for action in run.actions)
    tensors = {**run.tensors, **{names[slot]: array for slot, array in arrays.items()}}
    return replace(run, actions=actions, tensors=tensors)


def _over(slot: Slot) -> str:
    return f"over {slot.name}"
