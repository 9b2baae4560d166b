"""Where a slot lies in a module, in parts: what it lies in, which role it plays there, and other spellings of that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from grader.model.pack import Naming

# What a layer calls its parameters.
LEAVES = frozenset({"weight", "bias"})
LONGEST_BIAS = 60


def parts(name: str) -> list[str]:
    """The parts of a slot's name."""
    return name.split(".")


def path(name: str) -> list[str]:
    """A slot's parts without its number in what holds layers, as in `to_out.0.weight`, or parameters, as in `qkv.0`."""
    match parts(name):
        case [*before, layer, number, ("weight" | "bias") as leaf] if number.isdigit():
            return [*before, layer, leaf]
        case [*before, number] if number.isdigit():
            return before
        case whole:
            return whole


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
    return len(wanted) == len(found) and all(
        part in (want, *naming.aliases.get(want, ())) for want, part in zip(wanted, found, strict=True)
    )


def nested(wanted: Sequence[str], found: Sequence[str], naming: Naming) -> int | None:
    """Whether a path is the one that is wanted but for more before it or in between; not so behind its role.

    How many of its first parts stand before what is more, as many as may be; None where it is another path.
    """
    behind = len(found) - len(wanted)
    together = 2 if LEAVES.intersection(wanted[-1:]) else 1  # a role and its leaf
    cuts = reversed(range(max(1, len(wanted) - together + 1))) if wanted and behind >= 0 else ()
    return next((cut for cut in cuts if alike(wanted, [*found[:cut], *found[cut + behind :]], naming)), None)


def wraps(wanted: Sequence[str], found: Sequence[str], naming: Naming) -> bool:
    """Whether a path is the wanted one but for a layer in what has the role, as in `query.linear.weight`."""
    is_layer = len(found) == len(wanted) + 1 > 2 and found[-1] in LEAVES
    return is_layer and alike(wanted, [*found[:-2], found[-1]], naming)


def is_own_bias(wanted: Sequence[str], found: Sequence[str], naming: Naming) -> bool:
    """Whether a path is that of a bias which is a parameter beside its weight: `b_query`, `bq`, `query_bias`."""
    if wanted[-1] != "bias" or len(found) != len(wanted) - 1 or len(found[-1]) > LONGEST_BIAS:
        return False
    names = _own_biases((wanted[-2], *naming.aliases.get(wanted[-2], ())))
    return found[-1] in names and alike(wanted[:-2], found[:-1], naming)


@lru_cache(maxsize=16)
def _own_biases(spellings: tuple[str, ...]) -> frozenset[str]:
    bare = {re.sub(r"^[Ww](_|(?=[A-Zqkvo]$))", "", each) for each in spellings}
    return frozenset(form.format(each) for each in bare for form in ("b_{}", "b{}", "bias_{}", "{}_bias"))


def has_meaning(part: str, naming: Naming) -> bool:
    """Whether a part of a path is an accepted spelling of anything."""
    return any(part == role or part in others for role, others in naming.aliases.items()) or any(
        part in kind.names for kind in naming.fused
    )


def layer(name: str) -> str:
    """A slot's name without its leaf."""
    return name.removesuffix(".weight").removesuffix(".bias")
