"""Which of a module's parameters are a weight and its bias although no layer of torch's own holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.judge import paths
from grader.judge.fitting import long_axes
from grader.model.observation import Slot
from grader.model.pack import Naming

# What is in one place of a module, by its last name there.
Held = Mapping[str, Slot]


def with_own_layers(slots: Sequence[Slot], naming: Naming) -> Naming:
    """A naming that knows which parameters make a layer: what has more axes is the weight, and its bias has fewer.

    They are alone in one place (`layers.query.kernel` and `layers.query.offset`), or two places hold them by the same
    keys (`W.q` and `b.q`), of which some may have no bias.
    """
    places = _places(slots)
    layered: dict[str, str] = {}
    for place, held in places.items():
        if place and (layer := _alone(held, naming)):
            layered |= {slot.name: f"{place}.{leaf}" for leaf, slot in layer.items()}
    for weights, biases in _twins(places):
        layered |= {slot.name: _within(weights, key, "weight") for key, slot in places[weights].items()}
        layered |= {slot.name: _within(weights, key, "bias") for key, slot in places[biases].items()}
    return replace(naming, layered=layered) if layered else naming


def _places(slots: Sequence[Slot]) -> dict[str, dict[str, Slot]]:
    """What each place in a module holds; without what torch's own layers do, which say themselves what it is."""
    found: dict[str, dict[str, Slot]] = {}
    for slot in slots:
        place, _, key = slot.name.rpartition(".")
        if slot.kind != "buffer":
            found.setdefault(place, {})[key] = slot
    return {place: held for place, held in found.items() if not paths.LEAVES.issuperset(held)}


def _alone(held: Held, naming: Naming) -> dict[str, Slot]:
    """The weight of a layer, and its bias if it has one, where a place holds nothing else; empty where it is none."""
    if len(held) > 2 or any(paths.has_meaning(key, naming) for key in held):
        return {}
    first, *others = sorted(held.values(), key=_axes, reverse=True)
    if _axes(first) < 2 or any(_axes(other) == _axes(first) for other in others):
        return {}
    return dict(zip(("weight", "bias"), (first, *others), strict=False))


def _twins(places: Mapping[str, Held]) -> list[tuple[str, str]]:
    """The places beside each other that hold weights and their biases by the same keys."""
    pairs = [(one, other) for one in places for other in places if _are_twins(one, other, places)]
    return [pair for pair in pairs if all(sum(name in each for each in pairs) == 1 for name in pair)]


def _are_twins(weights: str, biases: str, places: Mapping[str, Held]) -> bool:
    one, other = places[weights], places[biases]
    if weights == biases or weights.rpartition(".")[0] != biases.rpartition(".")[0] or not other.keys() <= one.keys():
        return False
    if one.keys() != other.keys() and any(key.isdecimal() for key in one):  # and nobody knows whose they are
        return False
    return all(_axes(one[key]) > _axes(slot) > 0 for key, slot in other.items())


def _axes(slot: Slot) -> int:
    return len(long_axes(slot.shape))


def _within(place: str, key: str, leaf: str) -> str:
    return ".".join(filter(None, (place, key, leaf)))
