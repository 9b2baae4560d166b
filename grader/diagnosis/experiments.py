"""Runs of the diagnosis's own: one thing is changed, and what comes back says whether it makes a difference."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge.binding.loadings import matching
from grader.model.observation import Slot
from grader.model.pack import Naming
from grader.model.run import Call, Load, Run, Send


def sending_inputs(run: Run, inputs: Collection[str]) -> list[Run]:
    """The run, and the run as far as its first call, which may be all that does not fail; both send their inputs."""
    given = tuple(name for name in inputs if name in run.tensors)
    first = next((number for number, action in enumerate(run.actions) if isinstance(action, Call)), None)
    if first is None or not given:
        return []
    return [replace(run, actions=(*actions, Send(given))) for actions in (run.actions, run.actions[: first + 1])]


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
