"""The layer that mixes what the heads found: whoever has not made it yet is asked for all that does not need it."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.judge.binding import paths
from grader.judge.binding.fitting import Unbound
from grader.judge.binding.fused import Loading
from grader.judge.binding.loadings import loadings, roles_of
from grader.model.observation import Slot
from grader.model.pack import Naming

OUTPUT_LAYER = "out_proj"


def is_all_that_is_missing(names: Iterable[str], slots: Iterable[Slot], held: Container[str], naming: Naming) -> bool:
    """Whether all that there is no place for is the output layer, and nothing is there that was to be one.

    names: of the weights without a place. held: the names of the slots that hold others.
    """
    others = (slot for slot in slots if slot.kind != "buffer" and slot.name not in held)
    has_more = any(not roles_of(slot, naming) for slot in others)
    return not has_more and all(paths.layer(name) == OUTPUT_LAYER for name in names)


def loadings_without(
    weights: Mapping[str, Any], slots: Sequence[Slot], naming: Naming, num_heads: int
) -> list[Loading]:
    """Every way in which these weights may go into slots that lack the output layer, and nothing else; else none."""
    lacking = [name for name in weights if paths.layer(name) == OUTPUT_LAYER]
    others = {name: array for name, array in weights.items() if name not in lacking}
    if not lacking or not others:
        return []
    with contextlib.suppress(Unbound):
        ways = loadings(others, slots, naming, num_heads)
        if all(is_all_that_is_missing(lacking, slots, {*way.arrays, *way.unwanted}, naming) for way in ways):
            needed = tuple(name for name in lacking if not naming.is_optional(name))
            return [replace(way, lacking=needed) for way in ways]
    return []
