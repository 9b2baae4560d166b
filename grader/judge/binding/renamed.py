"""Which of a module's layers must be meant by a name that nothing in it has: the only one left that would fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from grader.judge.binding import paths
from grader.model.observation import Slot
from grader.model.pack import Naming

Shape = tuple[int, ...]
# What is no weight, or one that has a name already.
OTHERS = ("buffer", "shared")
# What a layer lies in, and what it is called there.
Layer = tuple[str, str]
# Under what one layer holds its weight where the other is a bare parameter, which has no leaf.
OTHER_LEAF = {"weight": "", "": "weight"}


def renamed(
    absent: Mapping[str, Shape], slots: Sequence[Slot], taken: Collection[str], naming: Naming
) -> dict[str, Slot]:
    """The slots that must be meant, by the names of absent weights; without those of which it is not certain.

    absent: the shapes of weights by their names. taken: the names of slots that are known to hold others.
    """
    free = {naming.known(slot.name): slot for slot in slots if slot.kind not in OTHERS and slot.name not in taken}
    others = {layer: held for layer, held in _layers(free).items() if not paths.has_meaning(layer[1], naming)}
    ways: list[list[tuple[Layer, dict[str, Slot]]]] = []
    for (within, _), weights in _layers(absent).items():
        if all(naming.is_optional(name) for name in weights.values()):
            continue  # what may be left out was left out
        alike = {layer: held for layer, held in others.items() if layer[0] == within}
        found = {layer: _places(weights, held, absent, free, naming) for layer, held in alike.items()}
        ways.append([(layer, places) for layer, places in found.items() if places])
    claims = Counter(layer for way in ways for layer, _ in way)
    certain = [way[0] for way in ways if len(way) == 1]
    return {name: slot for layer, places in certain if claims[layer] == 1 for name, slot in places.items()}


def _layers(names: Iterable[str]) -> dict[Layer, dict[str, str]]:
    """The names of each layer's weights, by leaf."""
    layers: dict[Layer, dict[str, str]] = {}
    for name in names:
        within, called, leaf = paths.split(name)
        layers.setdefault((within, called), {})[leaf] = name
    return layers


def _places(
    weights: Mapping[str, str],
    held: Mapping[str, str],
    absent: Mapping[str, Shape],
    free: Mapping[str, Slot],
    naming: Naming,
) -> dict[str, Slot]:
    """Where a layer's weights would go in another; empty where one that has to be there has no place."""
    places: dict[str, Slot] = {}
    for leaf, name in weights.items():
        own = leaf if leaf in held else OTHER_LEAF.get(leaf, leaf)
        if own in held and _fits(absent[name], free[held[own]].shape, leaf, own):
            places[name] = free[held[own]]
        elif own in held or not naming.is_optional(name):
            return {}
    return places


def _fits(due: Shape, shape: Shape, leaf: str, own: str) -> bool:
    """Whether a weight fits, which is turned where a bare parameter stands for a Linear, or the other way."""
    if not own:  # a bare parameter may be meant either way round
        return shape in (due, due[::-1])
    return shape == (due if leaf == own else due[::-1])
