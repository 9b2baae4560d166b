"""Layers of which each head has its own, where one is to serve them all: seen as that one, and cut again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.judge import labels, paths
from grader.judge.fitting import LAYERS
from grader.model.observation import Slot


@dataclass(frozen=True, slots=True)
class Whole:
    """A module's slots with one for those of all heads.

    of_heads: the heads' own, by the name of the one that stands for them.
    """

    slots: tuple[Slot, ...]
    of_heads: Mapping[str, tuple[Slot, ...]]

    def holds(self, names: Iterable[str]) -> bool:
        """Whether any of the heads' own slots is among these names."""
        return not {slot.name for own in self.of_heads.values() for slot in own}.isdisjoint(names)

    def cut(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """What each of the module's own slots holds, by what these slots do."""
        found: dict[str, Any] = {}
        for name, array in arrays.items():
            if own := self.of_heads.get(name):
                parts = np.split(array, len(own))
                found |= {slot.name: part.reshape(slot.shape) for slot, part in zip(own, parts, strict=True)}
            else:
                found[name] = array
        return found


def whole(slots: Sequence[Slot], num_heads: int) -> Whole | None:
    """A module in which each list of as many layers as heads is one layer; None where there is no such list.

    Layers of torch's own lie one below the other, as those of one layer would; parameters get an axis for the heads.
    What has modules for its heads, as a wrapper of them has, is no such list.
    """
    lists: dict[str, list[Slot]] = {}
    for slot in slots:
        name = ".".join(paths.path(slot.name))
        if slot.kind != "buffer" and name != slot.name:
            lists.setdefault(name, []).append(slot)
    of_heads = {name: tuple(own) for name, own in lists.items() if num_heads > 1 and _is_each_heads(own, num_heads)}
    if not of_heads:
        return None
    held = {slot.name for own in of_heads.values() for slot in own}
    ones = [replace(own[0], name=name, shape=_shape(own[0], num_heads)) for name, own in of_heads.items()]
    return Whole((*(slot for slot in slots if slot.name not in held), *ones), of_heads)


def _is_each_heads(own: Sequence[Slot], num_heads: int) -> bool:
    """Whether the slots of a list are one for each head, in order, and of one kind."""
    numbers = [int(labels.NUMBER.findall(slot.name)[-1]) for slot in own]
    return numbers == [*range(num_heads)] and len({(slot.shape, slot.kind, slot.owner) for slot in own}) == 1


def _shape(slot: Slot, num_heads: int) -> tuple[int, ...]:
    if slot.owner in LAYERS and slot.shape:
        return (num_heads * slot.shape[0], *slot.shape[1:])
    return (num_heads, *slot.shape)
