"""What is numbered in its own name, such as `head_0` and `head_1`: seen as in a list; and what has no name at all."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.judge.binding import paths
from grader.judge.binding.fitting import long_axes
from grader.model.observation import Slot
from grader.model.pack import Naming

# A part of a slot's name that ends with a number; what stands before it, and the number.
COUNTED = re.compile(r"(|.*\D)([0-9]{1,4})")
# What a list is called that is the module itself.
ITSELF = "modules"


def as_lists(slots: Sequence[Slot], layers: bool = True) -> Mapping[str, Slot]:
    """The slots as they would be called if what is counted from 0 or from 1 were a list; by their own names.

    What is counted alone is called as without its number. A module that is a list itself holds one. Empty where nothing
    is counted but what a list counts. layers: also single ones, such as `linear1` and `linear2`.
    """
    counted: dict[tuple[str, str], set[int]] = {}
    for slot in slots:
        for place, part in _placed(slot.name):
            if found := COUNTED.fullmatch(part):
                counted.setdefault((place, found[1]), set()).add(int(found[2]))
    counts = {at: sorted(own) for at, own in counted.items() if _is_count(own) and (at[1] or len(own) > 1)}
    if not layers:
        single = {_placed(paths.layer(slot.name))[-1] for slot in slots}
        counts = {at: own for at, own in counts.items() if len(own) == 1 or not at[1] or not _are(at, own, single)}
    names = {slot.name: ".".join(_listed(place, part, counts) for place, part in _placed(slot.name)) for slot in slots}
    if len({*names.values()}) < len(names) or all(name == listed for name, listed in names.items()):
        return {}
    return {slot.name: replace(slot, name=names[slot.name]) for slot in slots}


def own_names(arrays: Mapping[str, Any], slots: Mapping[str, Slot]) -> dict[str, Any]:
    """What slots hold by their own names, by what it is by those of a list."""
    return {own: arrays[slot.name] for own, slot in slots.items() if slot.name in arrays}


def _placed(name: str) -> list[tuple[str, str]]:
    """The parts of a slot's name, each with what it lies in."""
    parts = paths.parts(name)
    return [(".".join(parts[:depth]), part) for depth, part in enumerate(parts)]


def _is_count(numbers: set[int]) -> bool:
    return min(numbers) < 2 and max(numbers) - min(numbers) == len(numbers) - 1


def _are(at: tuple[str, str], numbers: Sequence[int], single: Container[tuple[str, str]]) -> bool:
    """Whether what is counted are single layers."""
    return any((at[0], f"{at[1]}{number}") in single for number in numbers)


def nameless(slots: Sequence[Slot], naming: Naming) -> Mapping[str, Slot]:
    """The slots as they would be called if layers whose names mean nothing were a list; by their own names.

    Empty where there are no two such layers in one place.
    """
    found: dict[str, dict[str, list[Slot]]] = {}
    for slot in slots:
        place, called, _ = paths.split(naming.known(slot.name))
        if slot.kind == "parameter" and called and not called.isdigit() and not paths.has_meaning(called, naming):
            found.setdefault(place, {}).setdefault(called, []).append(slot)
    listed = {slot.name: slot for slot in slots}
    for place, layers in found.items():
        weights = [own for own in layers.values() if any(len(long_axes(slot.shape)) > 1 for slot in own)]
        for number, own in enumerate(weights if len(weights) > 1 else ()):
            for slot in own:
                leaf = paths.split(naming.known(slot.name))[2]
                name = ".".join(filter(None, (place, ITSELF, str(number), leaf)))
                listed[slot.name] = replace(slot, name=name)
    return listed if any(name != slot.name for name, slot in listed.items()) else {}


def _listed(place: str, part: str, counts: Mapping[tuple[str, str], Sequence[int]]) -> str:
    """A part of a name, or what it would be in a list. counts: the numbers, by place and name."""
    found = COUNTED.fullmatch(part)
    numbers = counts.get((place, found[1])) if found else None
    if found is None or numbers is None:
        return part
    number = str(numbers.index(int(found[2]))) if len(numbers) > 1 else ""
    return ".".join(filter(None, (found[1] or ("" if place else ITSELF), number)))
