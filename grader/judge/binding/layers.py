"""Which of a module's parameters are a weight and its bias although no layer of torch's own holds them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.judge.binding import paths
from grader.judge.binding.fitting import long_axes
from grader.model.observation import Slot
from grader.model.pack import Naming

# What is in one place of a module, by its last name there.
Held = Mapping[str, Slot]
# More places beside each other nobody looks through; each is compared with each.
MOST_BESIDE = 32


def with_own_layers(slots: Sequence[Slot], naming: Naming) -> Naming:
    """A naming that knows which parameters make a layer: what has more axes is the weight, and its bias has fewer.

    They are alone in one place (`layers.query.kernel` and `layers.query.offset`), or two places hold them by the same
    keys (`W.q` and `b.q`), of which some may have no bias. A row of numbers that lies in what is called `b` is a bias.
    """
    places = _places(slots)
    layered = {slot.name: said for slot in slots if _axes(slot) == 1 and (said := _spelt_out(slot.name)) != slot.name}
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


def _spelt_out(name: str) -> str:
    """A name with `bias` for what is called `b`."""
    return ".".join("bias" if part.strip("_") in ("b", "B") else part for part in paths.parts(name))


def _twins(places: Mapping[str, Held]) -> list[tuple[str, str]]:
    """The places beside each other that hold weights and their biases by the same keys."""
    beside: dict[str, list[str]] = {}
    for place in places:
        beside.setdefault(place.rpartition(".")[0], []).append(place)
    few = (names for names in beside.values() if len(names) <= MOST_BESIDE)
    pairs = [pair for names in few for pair in itertools.permutations(names, 2) if _are_twins(*pair, places)]
    times = Counter(itertools.chain.from_iterable(pairs))
    return [pair for pair in pairs if all(times[name] == 1 for name in pair)]


def _are_twins(weights: str, biases: str, places: Mapping[str, Held]) -> bool:
    one, other = places[weights], places[biases]
    if not other.keys() <= one.keys():
        return False
    if one.keys() != other.keys() and any(key.isdecimal() for key in one):  # and nobody knows whose they are
        return False
    return all(_axes(one[key]) > _axes(slot) > 0 for key, slot in other.items())


def _axes(slot: Slot) -> int:
    return len(long_axes(slot.shape))


def _within(place: str, key: str, leaf: str) -> str:
    return ".".join(filter(None, (place, key, leaf)))
