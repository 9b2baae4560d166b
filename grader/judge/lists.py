"""What a student's lists and fused layers must be meant by, whatever they are called: nothing else holds as much."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.judge import paths
from grader.judge.fitting import long_axes
from grader.judge.renamed import OTHERS, Shape
from grader.model.observation import Slot
from grader.model.pack import Fused, Naming

# What a weight's name begins with where its bias's begins with `b`.
WEIGHT = re.compile(r"^[Ww](?=_)")


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
    found = _lists(list(due.values()), slots, naming) or _wholes(list(due.values()), slots, naming)
    if found:
        naming = replace(naming, fused=(*sorted(found, key=lambda kind: kind.names), *naming.fused))
    return replace(naming, layered={**naming.layered, **_beside(slots, naming)})


def _beside(slots: Sequence[Slot], naming: Naming) -> dict[str, str]:
    """What the biases of fused parameters would be called that lie beside them as `b`, or as `b_in` beside `W_in`."""
    names = [name for kind in naming.fused for name in kind.names]
    found: dict[str, str] = {}
    for slot in slots:
        place, _, name = slot.name.rpartition(".")
        is_weight = slot.kind not in OTHERS and len(long_axes(slot.shape)) > 1 and name not in paths.LEAVES
        if is_weight and any(paths.is_called(name, each, naming) for each in names):
            called = {".".join(filter(None, (place, each))) for each in ("b", "bias", WEIGHT.sub("b", name))}
            own = [each.name for each in slots if each.name in called and _is_row(each, slot.shape)]
            found |= dict.fromkeys(own, f"{slot.name}.bias")
    return found


def _is_row(slot: Slot, shape: Shape) -> bool:
    """Whether a slot may be added to what comes out of a weight of that shape."""
    return slot.kind != "buffer" and len(long_axes(slot.shape)) == 1 and math.prod(slot.shape) in shape


def _lists(due: Sequence[Mapping[str, int]], slots: Sequence[Slot], naming: Naming) -> set[Fused]:
    """The lists that have a layer for each role that is due. due: the roles' sizes, for each place of the module."""
    lists: dict[str, list[int]] = {}
    for slot in slots:
        *_, leaf = path = paths.of(slot, naming)
        if slot.kind != "buffer" and leaf != "bias" and paths.number(slot, naming) is not None:
            lists.setdefault(".".join(path), []).append(math.prod(slot.shape))
    return {
        Fused((paths.role(name),), tuple(sizes))
        for (name, held), sizes in itertools.product(lists.items(), due)
        if len(sizes) > 1 and sorted(held) == sorted(sizes.values())
    }


def _wholes(due: Sequence[Mapping[str, int]], slots: Sequence[Slot], naming: Naming) -> set[Fused]:
    """The only weight as large as those of a known kind's roles together, where nothing has a name for these.

    due: as for lists.
    """
    sizes: dict[str, set[int]] = {}
    for slot in slots:
        path = paths.of(slot, naming)
        if slot.kind not in OTHERS and not paths.is_of_bias(path) and len(long_axes(slot.shape)) > 1:
            sizes.setdefault(paths.role(".".join(path)), set()).add(math.prod(slot.shape))
    names = [name for name in sizes if name]
    if any(paths.is_called(name, each, naming) for name in names for kind in naming.fused for each in kind.names):
        return set()
    found: set[Fused] = set()
    for kind, held in itertools.product(naming.fused, due):
        if {*kind.roles} <= {*held}:
            whole = {sum(held[role] for role in kind.roles)}
            fitting = [name for name in names if sizes[name] == whole]
            if len(fitting) == 1 and not paths.has_meaning(fitting[0], naming):
                found.add(Fused((fitting[0],), kind.roles))
    return found
