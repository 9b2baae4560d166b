"""Layers of which each head has its own, where one is to serve them all, or the other way: seen as those, and cut."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.judge.binding import labels, paths
from grader.judge.binding.fitting import LAYERS
from grader.judge.binding.renamed import Shape
from grader.model.observation import Slot


@dataclass(frozen=True, slots=True)
class Whole:
    """A module's slots with one for those of all heads.

    of_heads: the heads' own, by the name of the one that stands for them. inwards: of these the layers that each take
    what one head gives, so that what goes in lies side by side. added: the biases of those, of which the sum counts.
    """

    slots: tuple[Slot, ...]
    of_heads: Mapping[str, tuple[Slot, ...]]
    inwards: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()

    @property
    def called(self) -> dict[str, str]:
        """What each slot that stands for several is called, with `*` for their numbers."""
        return {name: labels.NUMBER.sub("*", own[0].name) for name, own in self.of_heads.items()}

    def holds(self, names: Iterable[str]) -> bool:
        """Whether any of the heads' own slots is among these names."""
        return not {slot.name for own in self.of_heads.values() for slot in own}.isdisjoint(names)

    def cut(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        """What each of the module's own slots holds, by what these slots do."""
        found: dict[str, Any] = {}
        for name, array in arrays.items():
            if own := self.of_heads.get(name):
                if name in self.added:
                    parts = [array, *(np.zeros_like(array) for _ in own[1:])]
                else:
                    parts = np.split(array, len(own), axis=1 if name in self.inwards else 0)
                pairs = zip(own, parts, strict=True)
                found |= {slot.name: np.ascontiguousarray(part.reshape(slot.shape)) for slot, part in pairs}
            else:
                found[name] = array
        return found


def whole(
    slots: Sequence[Slot], num_heads: int, weights: Mapping[str, Any], in_whole_heads: bool = False
) -> Whole | None:
    """A module in which each list of as many layers as heads is one layer; None where there is no such list.

    Layers of torch's own lie one below the other, as those of one layer would, or side by side where only so they are
    as large as a weight that is asked for; parameters get an axis for the heads.
    in_whole_heads: whether the layers may also lie in a list of modules, as a wrapper's do.
    """
    of_heads = _lists_of_heads(slots, num_heads, in_whole_heads) if num_heads > 1 else {}
    if not of_heads:
        return None
    held = {slot.name for own in of_heads.values() for slot in own}
    asked = {array.shape for array in weights.values()}
    inwards = frozenset(name for name, own in of_heads.items() if _takes_a_heads(own[0], num_heads, asked))
    added = frozenset(name for name in of_heads if _are_added(name, of_heads, asked))
    ones = [
        replace(own[0], name=name, shape=own[0].shape if name in added else _shape(own[0], num_heads, name in inwards))
        for name, own in of_heads.items()
    ]
    return Whole((*(slot for slot in slots if slot.name not in held), *ones), of_heads, inwards, added)


def _lists_of_heads(slots: Sequence[Slot], num_heads: int, in_whole_heads: bool) -> dict[str, tuple[Slot, ...]]:
    """What lies once in each head, by what it is called without the head's number; each slot in one list.

    Of two numbers that may be the head's the first is, `heads.2.layers.0`, but the last of two side by side.
    """
    lists: dict[tuple[bool, int, str], dict[int, Slot]] = {}
    for slot in slots:
        for number in labels.NUMBER.finditer(slot.name) if slot.kind != "buffer" else ():
            name = (slot.name[: number.start()].rstrip(".") + slot.name[number.end() :]).lstrip(".")
            if not in_whole_heads and name != ".".join(paths.path(slot.name)):
                continue
            is_before_another = labels.NUMBER.match(slot.name, number.end() + 1) is not None
            lists.setdefault((is_before_another, number.start(), name), {})[int(number[0])] = slot
    found: dict[str, tuple[Slot, ...]] = {}
    taken: set[str] = set()
    for (_, _, name), own in sorted(lists.items(), key=lambda each: each[0]):
        are_alike = len({(slot.shape, slot.kind, slot.owner) for slot in own.values()}) == 1
        if are_alike and [*own] == [*range(num_heads)] and taken.isdisjoint(slot.name for slot in own.values()):
            found[name] = (*own.values(),)
            taken.update(slot.name for slot in own.values())
    return found


def _takes_a_heads(slot: Slot, num_heads: int, asked: Container[Shape]) -> bool:
    """Whether a layer takes what one head gives, as the part of `out_proj` does that is one head's."""
    if slot.owner not in LAYERS or len(slot.shape) != 2:
        return False
    return _shape(slot, num_heads) not in asked and _shape(slot, num_heads, inwards=True) in asked


def _are_added(name: str, of_heads: Mapping[str, Sequence[Slot]], asked: Container[Shape]) -> bool:
    """Whether the biases of a name are of layers that each take what one head gives, whoever wrote these.

    Each is as long as the axis of its weight that is not to be joined.
    """
    own = of_heads.get(f"{paths.layer(name)}.weight", ())
    if not own or not name.endswith(".bias") or len(own[0].shape) != 2 or len({*own[0].shape}) == 1:
        return False
    one, other = own[0].shape
    wholes = {one: (one, len(own) * other), other: (len(own) * one, other)}
    return any(whole in asked and of_heads[name][0].shape == (rest,) for rest, whole in wholes.items())


def _shape(slot: Slot, num_heads: int, inwards: bool = False) -> Shape:
    """The shape of what the heads' own are together. inwards: side by side."""
    if slot.owner in LAYERS and slot.shape:
        out, *behind = slot.shape
        return (out, num_heads * behind[0]) if inwards else (num_heads * out, *behind)
    return (num_heads, *slot.shape)


def joined(weights: Mapping[str, Any]) -> dict[str, Any]:
    """The weights of a list of heads, each as one of all heads that lie one below the other; empty where there is more.

    So somebody holds them who has no list of heads and yet computes what one would.
    """
    lists: dict[str, dict[int, Any]] = {}
    for name, array in weights.items():
        head = labels.NUMBER.search(name)
        if head is None:
            return {}
        lists.setdefault(name[head.end() + 1 :], {})[int(head[0])] = array
    if any(sorted(own) != [*range(len(own))] for own in lists.values()):
        return {}
    return {name: np.concatenate([own[head] for head in sorted(own)]) for name, own in lists.items()}
