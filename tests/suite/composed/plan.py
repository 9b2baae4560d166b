"""Composes modules of parts in many styles, and puts known mistakes into some of their parts.

What is written in the modules beside this one are parts, not solutions: a part is what `__init__` makes for it and what
is done with that. Any variant of one goes with any of the others, so a few dozen lines stand for many thousands of
modules. A mistake is a part that is written otherwise, in several styles too; its line is marked as in the rest of the
suite, if it has one.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tests.suite.reading import CULPRIT

# One way to write a part: the lines that make something for it, and those that do it.
Variant = tuple[str, str]
# The part in which a mistake is made, and how. One that is made in several parts has a name for each: `id in part`.
Wrong = tuple[str, Sequence[Variant]]
PLACE = re.compile(r"^( *)\{(\w+)\}\n", re.MULTILINE)
HEADER = "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"


@dataclass(frozen=True)
class Plan:
    """How the modules of an exercise are composed.

    template: a module; a line may be the name of a part, for what that does, or `made`, for all that is made.
    uncertain: some mistakes, and others which are not certain beside one of them, by a name, an id or how ids begin.
    needs: the variant of another part without which a mistake makes no difference, or is not certain. names: what the
    parts call things, and what else these may be called. widths: how the width of a key may be written.
    """

    exercise: str
    template: str
    parts: Mapping[str, Sequence[Variant]]
    mistakes: Mapping[str, Wrong]
    uncertain: Sequence[tuple[set[str], set[str]]] = ()
    needs: Mapping[str, tuple[str, Variant]] = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    widths: Sequence[str] = ("keys.shape[-1]", "queries.size(-1)")

    def are_told_apart(self, ids: Sequence[str]) -> bool:
        """Whether mistakes are different ones, in parts of their own, and none hides another."""
        parts = {self.mistakes[name][0] for name in ids}
        hidden = any(
            some & _known_as(one) and others & _known_as(other)
            for one, other in itertools.permutations(ids, 2)
            for some, others in self.uncertain
        )
        return len(parts) == len({*map(id_of, ids)}) == len(ids) and not hidden

    def written(self, variants: Mapping[str, Variant]) -> str:
        """The module with each part as it is chosen."""
        lines = {part: does for part, (_, does) in variants.items()}
        lines["made"] = "\n".join(made for made, _ in variants.values() if made)

        def filled(place: re.Match[str]) -> str:
            return "".join(f"{place[1]}{line}\n" for line in lines[place[2]].splitlines())

        return PLACE.sub(filled, self.template)


@dataclass(frozen=True)
class Composed:
    """A module. ids: the known mistakes in it. lines: of those that one line makes."""

    exercise: str
    ids: frozenset[str]
    source: str
    lines: Mapping[str, int]


def done(*ways: str) -> list[Variant]:
    """Variants of a part for which nothing is made."""
    return [("", way) for way in ways]


def id_of(name: str) -> str:
    """The mistake that is made, wherever."""
    return name.partition(" in ")[0]


def _known_as(name: str) -> set[str]:
    return {name, id_of(name), name.partition("-")[0]}


def of_class(name: str, arguments: str, parts: Sequence[str]) -> str:
    """The template of a module's class. parts: in the order in which `forward` does them."""
    forward = "".join(f"        {{{part}}}\n" for part in parts)
    return (
        f"{HEADER}class {name}(nn.Module):\n    def __init__(self, {arguments}):\n        super().__init__()\n"
        f"        {{made}}\n\n    def forward(self, x):\n{forward}"
    )


def composed(plans: Sequence[Plan], seed: int, count: int) -> Composed:
    """The module that a seed stands for, with so many mistakes in it, each in a part of its own."""
    rng = random.Random(seed)
    plan = rng.choice(plans)
    ids = rng.sample([*plan.mistakes], count)
    while not plan.are_told_apart(ids):
        ids = rng.sample([*plan.mistakes], count)
    variants = {part: rng.choice(written) for part, written in plan.parts.items()}
    variants |= dict(plan.needs[name] for name in ids if name in plan.needs)
    for name in ids:
        part, wrong = plan.mistakes[name]
        made, does = rng.choice(wrong)
        mark = f"# <- {id_of(name)}"
        variants[part] = made.replace("# <-", mark), does.replace("# <-", mark)
    source = _renamed(plan.written(variants).replace("WIDTH", rng.choice(plan.widths)), plan.names, rng)
    lines = {mark[1]: number for number, line in enumerate(source.splitlines(), 1) if (mark := CULPRIT.search(line))}
    return Composed(plan.exercise, frozenset(map(id_of, ids)), source, lines)


def _renamed(source: str, names: Mapping[str, Sequence[str]], rng: random.Random) -> str:
    """The same with other names for what is computed; a mark stays as it is."""
    if not names:
        return source
    own = {name: rng.choice((name, *others)) for name, others in names.items()}
    word = re.compile(rf"(?<![\w.'-])({'|'.join(own)})(?![\w-])")
    return "\n".join(_renamed_line(line, word, own) for line in source.split("\n"))


def _renamed_line(line: str, word: re.Pattern[str], own: Mapping[str, str]) -> str:
    code, mark, said = line.partition("# <-")
    return word.sub(lambda found: own[found[1]], code) + mark + said
