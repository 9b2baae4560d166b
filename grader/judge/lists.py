"""What a student's lists must be meant by, whatever they are called: nothing else in the module has as many entries."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from grader.judge import paths
from grader.judge.renamed import Shape
from grader.model.observation import Slot
from grader.model.pack import Fused, Naming


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


def with_layers(absent: Mapping[str, Shape], slots: Sequence[Slot], naming: Naming) -> Naming:
    """A naming by which a list of as many layers as roles are absent, of the same sizes, is a projection fused of them.

    absent: the shapes of weights that nothing is called like, by their names.
    """
    due: dict[str, dict[str, int]] = {}
    for name, shape in absent.items():
        prefix, role, leaf = paths.split(name)
        if leaf != "bias":
            due.setdefault(prefix, {})[role] = math.prod(shape)
    lists: dict[str, list[int]] = {}
    for slot in slots:
        *_, leaf = path = paths.of(slot, naming)
        if slot.kind != "buffer" and leaf != "bias" and paths.number(slot, naming) is not None:
            lists.setdefault(".".join(path), []).append(math.prod(slot.shape))
    found = {
        Fused((paths.role(name),), tuple(sizes))
        for (name, held), sizes in itertools.product(lists.items(), due.values())
        if len(sizes) > 1 and sorted(held) == sorted(sizes.values())
    }
    return replace(naming, fused=(*sorted(found, key=lambda kind: kind.names), *naming.fused)) if found else naming
