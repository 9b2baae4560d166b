"""Where a slot lies in a module, in parts: what it lies in, which role it plays there, and other spellings of that."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from grader.model.observation import Slot
from grader.model.pack import Fused, Naming

# What a layer calls its parameters.
LEAVES = frozenset({"weight", "bias"})
BIASES = frozenset({"bias", "biases"})
# What is longer nobody writes, and to compare it takes time.
LONGEST = 60
# Names are looked at for each role and each case, and a module may hold hundreds. So many are remembered.
REMEMBERED = 4096
# Underscores, and what only a key may hold: `W-query`, `W query`, `W^Q`.
BETWEEN = re.compile(r"[\W_]+")


def parts(name: str) -> list[str]:
    """The parts of a slot's name."""
    return name.split(".")


def path(name: str) -> list[str]:
    """A slot's path, by its name."""
    return [*_path(name)]


@lru_cache(maxsize=REMEMBERED)
def _path(name: str) -> tuple[str, ...]:
    """A slot's parts without its number in what holds layers, as in `to_out.0.weight`, or parameters, as in `qkv.0`."""
    match parts(name):
        case [*before, layer, number, ("weight" | "bias") as leaf] if number.isdecimal():
            return (*before, layer, leaf)
        case [*before, layer, number] if number.isdecimal():
            return (*before, layer)
        case whole:
            return (*whole,)


def of(slot: Slot, naming: Naming) -> list[str]:
    """The path of a solution's slot, by what torch's own layers would call it."""
    return path(naming.known(slot.name))


def number(slot: Slot, naming: Naming) -> int | None:
    """A slot's number in what holds layers or parameters; None where it lies in no such thing."""
    whole, bare = parts(naming.known(slot.name)), of(slot, naming)
    return int(whole[-2 if whole[-1] in LEAVES else -1]) if len(whole) > len(bare) else None


def split(name: str) -> tuple[str, str, str]:
    """A name's prefix, its role and its leaf, which a bare parameter has not."""
    *before, last = parts(name)
    leaf = last if last in LEAVES else ""
    body = before if leaf else [*before, last]
    return ".".join(body[:-1]), body[-1] if body else "", leaf


def role(name: str) -> str:
    """The role of a slot of the reference's: what it is called without what it lies in, and without its leaf."""
    return split(name)[1]


def alike(wanted: Sequence[str], found: Sequence[str], naming: Naming) -> bool:
    """Whether a path is the one that is wanted, in accepted spellings."""
    return len(wanted) == len(found) and all(map(is_called, found, wanted, itertools.repeat(naming)))


def is_called(part: str, name: str, naming: Naming) -> bool:
    """Whether a part of a path is an accepted spelling of a name: `query_layer` and `toQuery` of `query`."""
    if part == name:
        return True
    if len(part) > LONGEST or not (name in naming.aliases or any(name in kind.names for kind in naming.fused)):
        return False
    return _is_spelt(part, (name, *naming.aliases.get(name, ())), naming.around)


def is_fused(part: str, kind: Fused, naming: Naming) -> bool:
    """Whether a part of a path is an accepted spelling of any name of a fused projection."""
    if part in kind.names:
        return True
    spellings = (each for name in kind.names for each in (name, *naming.aliases.get(name, ())))
    return len(part) <= LONGEST and _is_spelt(part, (*spellings,), naming.around)


@lru_cache(maxsize=16 * REMEMBERED)
def _is_spelt(part: str, names: tuple[str, ...], around: tuple[str, ...]) -> bool:
    return _spelling(names, around).fullmatch(_folded(part)) is not None


@lru_cache(maxsize=256)
def _spelling(names: tuple[str, ...], around: tuple[str, ...]) -> re.Pattern[str]:
    ours, others = ("|".join(re.escape(_folded(each)) for each in some) for some in (names, around))
    return re.compile(f"(?:{others})*(?:{ours})(?:{others})*")


def _folded(part: str) -> str:
    """A part without what makes no difference: capitals, and what is neither a letter nor a number."""
    return BETWEEN.sub("", part).casefold()


def nested(wanted: Sequence[str], found: Sequence[str], naming: Naming) -> int | None:
    """Whether a path is the one that is wanted but for more before it or in between; not so behind its role.

    How many of its first parts stand before what is more, as many as may be; None where it is another path.
    """
    behind = len(found) - len(wanted)
    together = 2 if LEAVES.intersection(wanted[-1:]) else 1  # a role and its leaf
    cuts = reversed(range(max(1, len(wanted) - together + 1))) if wanted and behind >= 0 else ()
    return next((cut for cut in cuts if alike(wanted, [*found[:cut], *found[cut + behind :]], naming)), None)


def within(wanted: Sequence[str], found: Sequence[str], naming: Naming) -> bool:
    """Whether a path lies in what has the wanted one's role, as `query.linear.weight` or `query.kernel` does."""
    is_leaf = wanted[-1] in LEAVES
    place = wanted[:-1] if is_leaf else wanted
    is_another = is_leaf and found[-1] in LEAVES and found[-1] != wanted[-1]
    return len(found) > len(place) > 0 and not is_another and alike(place, found[: len(place)], naming)


def is_of_bias(found: Sequence[str]) -> bool:
    """Whether a path says that it is a bias's, as `biases.q` does."""
    return any(_folded(part) in BIASES for part in found)


def is_bias(name: str) -> bool:
    """Whether a slot is called a bias and nothing else, in no layer."""
    return _folded(name) in BIASES


def is_own_bias(wanted: Sequence[str], found: Sequence[str], naming: Naming) -> bool:
    """Whether a path is that of a bias which is a parameter beside its weight: `b_query`, `query_bias`, `biases.q`."""
    if wanted[-1] != "bias":
        return False
    return any(nested(wanted[:-1], bare, naming) is not None for bare in _without_bias(found))


def _without_bias(found: Sequence[str]) -> Iterator[list[str]]:
    """What a path may be without what says that it is a bias's."""
    if is_of_bias(found):
        yield [part for part in found if _folded(part) not in BIASES]
    *before, last = found
    name = _folded(last)
    for cut in (*map(name.removeprefix, ("b", "bias")), *map(name.removesuffix, ("b", "bias"))):
        if cut != name:
            yield [*before, cut]


def has_meaning(part: str, naming: Naming) -> bool:
    """Whether a part of a path is an accepted spelling of anything."""
    names = itertools.chain(naming.aliases, *(kind.names for kind in naming.fused))
    return any(is_called(part, name, naming) for name in names)


def module(name: str) -> str:
    """The name of the module that a slot's layer lies in, such as `heads.0`; "" where that is the whole."""
    return layer(name).rpartition(".")[0]


def layer(name: str) -> str:
    """A slot's name without its leaf."""
    return name.removesuffix(".weight").removesuffix(".bias")
