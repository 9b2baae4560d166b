"""What a student's lists and fused layers must be meant by, whatever they are called: nothing else holds as much."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.judge.binding import labels, paths
from grader.judge.binding.fitting import long_axes
from grader.judge.binding.renamed import OTHERS, Shape
from grader.model.observation import Slot
from grader.model.pack import Fused, Naming
from grader.model.text import clean
from grader.words import say

# What a weight's name begins with where its bias's begins with `b`.
WEIGHT = re.compile(r"^[Ww](?=_)")
# What a bias is called that is for all weights beside it.
BIAS_OF_ALL = ("b", "bias", "biases")


def with_modules(names: Iterable[str], slots: Sequence[Slot], naming: Naming) -> Naming:
    """A naming by which the only list of as many modules is the one that is asked for, as of heads.

    names: of the reference's weights.
    """
    asked, own = _numbered(names), _numbered(slot.name for slot in slots)
    aliases = dict(naming.aliases)
    for name, numbers in asked.items():
        others = [each for each, some in own.items() if some == numbers]
        if len(others) == 1 and not any(paths.is_called(each, name, naming) for each in own):
            aliases[name] = (*aliases.get(name, ()), *others)
    return replace(naming, aliases=aliases) if aliases != naming.aliases else naming


def too_few(missing: Sequence[str], slots: Sequence[Slot]) -> str:
    """What is said where all that is missing is of modules behind the last one of the only list; "" where it is not."""
    asked, own = _numbered(missing), _numbered(slot.name for slot in slots)
    if len(asked) != 1 or len(own) != 1 or any(not labels.NUMBER.search(name) for name in missing):
        return ""
    (absent,), ((name, held),) = asked.values(), own.items()
    due = len(held) + len(absent)
    if held != {*map(str, range(len(held)))} or absent | held != {*map(str, range(due))}:
        return ""
    return say("judge.too-few", list=clean(name, 60), held=len(held), due=due)


def _numbered(names: Iterable[str]) -> dict[str, set[str]]:
    """The numbers of the modules in each list, by its name; what holds layers alone is no such list."""
    found: dict[str, set[str]] = {}
    for name in names:
        for each, number, behind in zip(parts := paths.parts(name), parts[1:], parts[2:], strict=False):
            if number.isdecimal() and behind not in paths.LEAVES:
                found.setdefault(each, set()).add(number)
    return found


def with_fused(absent: Mapping[str, Shape], slots: Sequence[Slot], naming: Naming) -> Naming:
    """A naming that knows what must hold the absent weights of several roles together, whatever it is called.

    A list of as many layers as roles are absent, of the same sizes; else the only weight as large as several roles.
    absent: the shapes of weights that nothing is called like, by their names.
    """
    due: dict[str, dict[str, int]] = {}
    for name, shape in absent.items():
        prefix, role, leaf = paths.split(name)
        if leaf != "bias":
            due.setdefault(prefix, {})[role] = math.prod(shape)
    naming = replace(naming, layered={**naming.layered, **_own_weights(due, slots, naming)})
    places = list(due.values())
    found = _lists(places, slots, naming) or _wholes(places, slots, naming) or _wholes(places, slots, naming, axes=1)
    if found:
        naming = replace(naming, fused=(*sorted(found, key=lambda kind: kind.names), *naming.fused))
    layered = {**_of_all(absent, slots, naming), **_beside(slots, naming)}
    return replace(naming, layered={**naming.layered, **layered})


def _own_weights(due: Mapping[str, Mapping[str, int]], slots: Sequence[Slot], naming: Naming) -> dict[str, str]:
    """What a module's own `weight` would be called that is as large as all roles of a kind, where nothing else is one.

    due: as for lists, by the place.
    """
    found: dict[str, str] = {}
    if any(_is_fused(part, naming) for slot in slots for part in paths.parts(slot.name)):
        return {}
    for (place, held), slot in itertools.product(due.items(), slots):
        if slot.kind not in OTHERS and naming.known(slot.name) == _joined(place, "weight"):
            size = math.prod(slot.shape)
            kinds = (kind for kind in naming.fused if {*kind.roles} <= {*held})
            if whole := [kind for kind in kinds if sum(held[role] for role in kind.roles) == size]:
                found[slot.name] = _joined(place, whole[0].names[0], "weight")
    return found


def _of_all(absent: Mapping[str, Shape], slots: Sequence[Slot], naming: Naming) -> dict[str, str]:
    """What the only bias of a place would be called that is as large as those of all roles of a kind.

    absent: as for `with_fused`.
    """
    due: dict[str, dict[str, int]] = {}
    for name, shape in absent.items():
        prefix, role, leaf = paths.split(name)
        if leaf == "bias":
            due.setdefault(prefix, {})[role] = math.prod(shape)
    found: dict[str, str] = {}
    for (place, held), kind in itertools.product(due.items(), naming.fused):
        called = {_joined(place, each) for each in BIAS_OF_ALL}
        own = [slot for slot in slots if slot.name in called and slot.kind != "buffer"]
        if {*kind.roles} == {*held} and [math.prod(slot.shape) for slot in own] == [sum(held.values())]:
            found.setdefault(own[0].name, _joined(place, kind.names[0], "bias"))
    return found


def _beside(slots: Sequence[Slot], naming: Naming) -> dict[str, str]:
    """What the biases of fused weights would be called that lie beside them as `b`, or as `b_in` beside `W_in`."""
    found: dict[str, str] = {}
    names = {slot.name for slot in slots}
    for slot in slots:
        layer = paths.layer(naming.known(slot.name))
        place, _, name = layer.rpartition(".")
        is_weight = slot.kind not in OTHERS and len(long_axes(slot.shape)) > 1 and f"{layer}.bias" not in names
        if is_weight and _is_fused(name, naming):
            called = {_joined(place, each) for each in (*BIAS_OF_ALL, WEIGHT.sub("b", name))}
            beside = [each for each in slots if called.intersection((each.name, naming.known(each.name)))]
            own = [each.name for each in beside if _may_be_added(each, slot.shape)]
            found |= dict.fromkeys(own, f"{layer}.bias")
    return found


def _may_be_added(slot: Slot, shape: Shape) -> bool:
    """Whether a slot has as many numbers as what comes out of a weight of that shape for one token."""
    whole, size = math.prod(shape), math.prod(slot.shape)
    return slot.kind != "buffer" and any(size * axis == whole for axis in long_axes(shape))


def _is_fused(part: str, naming: Naming) -> bool:
    """Whether a part of a path is what holds several roles, by its name."""
    return any(paths.is_fused(part, kind, naming) for kind in naming.fused)


def _joined(*parts: str) -> str:
    return ".".join(filter(None, parts))


def _lists(due: Sequence[Mapping[str, int]], slots: Sequence[Slot], naming: Naming) -> set[Fused]:
    """The lists that have a layer for each role that is due. due: the roles' sizes, for each place of the module."""
    lists: dict[str, list[int]] = {}
    for slot in slots:
        *_, leaf = path = paths.of(slot, naming)
        if slot.kind != "buffer" and leaf != "bias" and paths.number(slot, naming) is not None:
            lists.setdefault(".".join(path), []).append(math.prod(slot.shape))
    found = Counter(
        Fused((paths.role(name),), tuple(sizes))
        for name, held in lists.items()
        for sizes in {tuple(each): each for each in due}.values()
        if len(sizes) > 1 and sorted(held) == sorted(sizes.values())
    )
    return {kind for kind, times in found.items() if times >= len(due)}  # else it is no list in each place


def _wholes(due: Sequence[Mapping[str, int]], slots: Sequence[Slot], naming: Naming, axes: int = 2) -> set[Fused]:
    """The only weight as large as those of a known kind's roles together, where nothing has a name for these.

    due: as for lists. axes: how many it has at least; one long row may be given its shape when it is used.
    """
    sizes: dict[str, set[int]] = {}
    for slot in slots:
        path = paths.of(slot, naming)
        if slot.kind not in OTHERS and not paths.is_of_bias(path) and len(long_axes(slot.shape)) >= axes:
            sizes.setdefault(paths.role(".".join(path)), set()).add(math.prod(slot.shape))
    names = [name for name in sizes if name]
    if any(_is_fused(name, naming) for name in names):
        return set()
    found: set[Fused] = set()
    for kind, held in itertools.product(naming.fused, due):
        if {*kind.roles} <= {*held}:
            whole = {sum(held[role] for role in kind.roles)}
            fitting = [name for name in names if sizes[name] == whole]
            if len(fitting) == 1 and not paths.has_meaning(fitting[0], naming):
                found.add(Fused((fitting[0],), kind.roles))
    return found
