"""Finds where the weights of several roles lie together: side by side in one projection, or in a list of layers.

Their parts have no names, so each order of the roles is a candidate, and the outputs tell which one is meant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from grader.judge.binding import labels, paths
from grader.judge.binding.fitting import LAYERS, Unbound, fits, fitted, long_axes
from grader.judge.binding.lists import too_few
from grader.judge.binding.renamed import Shape
from grader.model.observation import Slot
from grader.model.pack import Fused, Naming
from grader.words import say

BLOCKS = "side by side"
BY_HEAD = "head by head"
IN_TURN = "in turn"
# As head by head, where the heads have an axis of their own.
EACH_HEAD = "each head"
# How one long row may be seen, and how the roles then lie: r roles, h heads, of width w, together o; i goes in.
LONG_ROWS = (
    *itertools.product(("ro i", "i ro"), (BLOCKS, BY_HEAD, IN_TURN)),
    ("r i o", "0"), ("r h i w", "0"), ("h r i w", "1"), ("h i rw", EACH_HEAD),
)  # fmt: skip
# Between the axis on which a weight has its roles and the one on which its bias has them.
BIAS = ", of biases "
# Between the order of the weights and that of their biases, where it is another.
BIASES = "; biases: "
AS_THEY_ARE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Loading:
    """One way to put the reference's weights into a student's module: slot name to array.

    unwanted: slots that no weight belongs in, to be filled with zeros. layout: of a fused projection. lacking: the
    reference's weights that have no place, and without which all else can be asked.
    """

    arrays: Mapping[str, Any]
    unwanted: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    layout: str = ""
    lacking: tuple[str, ...] = ()


def fused(
    absent: Sequence[str],
    weights: Mapping[str, Any],
    slots: Sequence[Slot],
    naming: Naming,
    num_heads: int,
    called: Mapping[str, str] = AS_THEY_ARE,
) -> list[Loading]:
    """Every order in which absent weights may lie together. Raises Unbound where some have no place in any.

    called: what slots are called that stand for several.
    """
    missing = [name for name in absent if not naming.is_optional(name)]
    groups = _groups(absent)
    kinds = {at: kind for at, names in groups.items() if (kind := _kind(*at, names, slots, naming))}
    if not kinds:
        raise not_found(missing, slots)
    together = dict.fromkeys(role for kind, _ in kinds.values() for role in kind.roles)
    is_cut = all(weights[name].shape[0] % num_heads == 0 for name in missing)
    found: list[Loading] = []
    refused: list[Unbound] = []
    orders = [*itertools.permutations(together)]
    pairs = [(order, order) for order in orders]
    others = [*itertools.permutations(orders, 2)] if _are_apart(kinds) else []
    layouts = _layouts(kinds, num_heads if is_cut else 1)
    each_way = (*itertools.product(layouts, pairs), *itertools.product(layouts, others))
    for (view, layout), (order, of_biases) in each_way:
        each = ((at, kind, of_biases if at[1] == "bias" else order) for at, kind in kinds.items())
        held = {slot: names for at, kind, own in each for slot, names in _dealt(own, groups[at], *kind, naming)}
        try:
            if left := [name for name in missing if not any(name in names for names in held.values())]:
                raise not_found(left, slots)
            arrays = {slot.name: _laid(names, weights, slot, view, layout, num_heads) for slot, names in held.items()}
        except Unbound as unbound:  # a list's layers are not all of one size
            refused.append(unbound)
            continue
        roles, told = ", ".join(order), _told(next(iter(arrays)), missing[0], called)
        notes, meant = [_note(layout, told, roles)], f"{view}{layout}: {roles}"
        if of_biases != order:
            roles = ", ".join(of_biases)
            bias = next(slot.name for slot, names in held.items() if names[0].endswith(".bias"))
            notes.append(_note(layout, _told(bias, missing[0], called), roles))
            meant += f"{BIASES}{roles}"
        found.append(Loading(arrays, notes=tuple(notes), layout=meant))
    if not found:
        raise refused[0]
    return found


def _told(name: str, ours: str, called: Mapping[str, str]) -> str:
    """What a fused projection is called to whom it is told."""
    return labels.fused_name(called.get(name, name), ours)


def _are_apart(kinds: Mapping[tuple[str, str], tuple[Fused, list[Slot]]]) -> bool:
    """Whether each fused weight has a fused bias that is none of a layer of torch's own.

    Only such a one may have its roles in an order of its own.
    """
    biases = [own for (_, leaf), (_, own) in kinds.items() if leaf == "bias"]
    return 2 * len(biases) == len(kinds) and all(len(own) == 1 and own[0].owner not in LAYERS for own in biases)


def _layouts(kinds: Mapping[tuple[str, str], tuple[Fused, list[Slot]]], num_heads: int) -> list[tuple[str, str]]:
    """The ways in which the roles may lie together, each behind how one long row is seen; "" where there is none.

    num_heads: 1 where there are none, or widths that cannot be cut.
    """
    if any(len(own) > 1 for _, own in kinds.values()):
        return [("", BLOCKS)]  # of a list's layers each holds one role
    axes = max((len(long_axes(own[0].shape)) for (_, leaf), (_, own) in kinds.items() if leaf != "bias"), default=0)
    if axes == 1:
        of_heads = (BY_HEAD, EACH_HEAD)
        return [(f"{view}, ", how) for view, how in LONG_ROWS if num_heads > 1 or not ("h" in view or how in of_heads)]
    if axes > 2:
        each = itertools.product(range(axes), _axes_of_biases(kinds))
        layouts = [f"{axis}{BIAS}{other}" for axis, other in each] + ([EACH_HEAD] if num_heads > 1 else [])
    else:
        layouts = [BLOCKS, BY_HEAD, IN_TURN] if num_heads > 1 else [BLOCKS, IN_TURN]
    return [("", layout) for layout in layouts]


def _axes_of_biases(kinds: Mapping[tuple[str, str], tuple[Fused, list[Slot]]]) -> list[str]:
    """The axes on which a bias may have its roles where its shape does not say it; one of no name where it does."""
    found = {
        str(axis)
        for (_, leaf), (kind, own) in kinds.items()
        if leaf == "bias"
        for slot in own
        for axis, size in enumerate(slot.shape)
        if size == len(kind.roles) and slot.shape.count(size) > 1
    }
    return sorted(found) or [""]


def _note(layout: str, slot: str, roles: str) -> str:
    """What is said of a fused projection: which roles it holds, and how they lie there."""
    if layout in (BY_HEAD, EACH_HEAD):
        return say("judge.head-by-head", slot=slot, roles=roles)
    if layout == IN_TURN:
        return say("judge.in-turn", slot=slot, roles=roles)
    return say("judge.side-by-side", slot=slot, roles=roles)


def _groups(absent: Sequence[str]) -> dict[tuple[str, str], dict[str, str]]:
    """Absent names by prefix and leaf, then by role."""
    groups: dict[tuple[str, str], dict[str, str]] = {}
    for name in absent:
        prefix, named, leaf = paths.split(name)
        groups.setdefault((prefix, leaf), {})[named] = name
    return groups


def _kind(
    prefix: str, leaf: str, names: Mapping[str, str], slots: Sequence[Slot], naming: Naming
) -> tuple[Fused, list[Slot]] | None:
    """The first kind of fused projection that there is a place for, with its slots: biases may be of another."""
    if leaf != "bias":
        slots = [slot for slot in slots if not paths.is_of_bias(paths.of(slot, naming))]
    each = [(slot, paths.of(slot, naming)) for slot in slots]
    found = ((kind, _places(prefix, leaf, names, each, kind, naming)) for kind in naming.fused)
    return next(((kind, own) for kind, own in found if own), None)


def _places(
    prefix: str,
    leaf: str,
    names: Mapping[str, str],
    slots: Sequence[tuple[Slot, Sequence[str]]],
    kind: Fused,
    naming: Naming,
) -> list[Slot]:
    """The slot of a fused projection, or those of a list of layers; none where there is neither.

    names: those that are absent there, by role. slots: each with its path.
    """
    ends = ([leaf], []) if leaf == "weight" else ([leaf],) if leaf else ([], ["weight"])
    for called, end in itertools.product(kind.names, ends if {*kind.roles} <= {*names} else ()):
        wanted = [*(paths.parts(prefix) if prefix else []), called, *end]
        own = [slot for slot, path in slots if paths.alike(wanted, path, naming)]
        own = own or [slot for slot, path in slots if paths.nested(wanted, path, naming) is not None]
        own = own or [slot for slot, path in slots if paths.is_own_bias(wanted, path, naming)]
        numbers = [number for slot in own if (number := paths.number(slot, naming)) in range(len(kind.roles))]
        if len(own) == 1 or len(own) == len({*numbers}) > 0:
            return own
    return []


def _dealt(
    order: Sequence[str], names: Mapping[str, str], kind: Fused, own: Sequence[Slot], naming: Naming
) -> Iterator[tuple[Slot, list[str]]]:
    """Which weights each slot of a projection holds: all of them, or of a list's the one of its number.

    names: of the weights that are absent there, by role.
    """
    order = [role for role in order if role in kind.roles]
    for slot in own:
        number = paths.number(slot, naming) if len(own) > 1 else None
        yield slot, [names[role] for role in (order if number is None else [order[number]])]


def _laid(names: Sequence[str], weights: Mapping[str, Any], slot: Slot, view: str, layout: str, num_heads: int) -> Any:
    """What a slot holds of these weights. view: how it is seen if it is one long row."""
    if len(names) == 1:
        return fitted(names[0], weights[names[0]], slot, num_heads)[0]
    parts = [weights[name] if paths.split(name)[2] else weights[name].T for name in names]  # bare ones are (in, out)
    if view and parts[0].ndim > 1 and math.prod(seen := _seen(view, parts, num_heads)) == math.prod(slot.shape):
        return _laid(names, weights, replace(slot, shape=seen), "", layout, num_heads).reshape(slot.shape)
    if layout == EACH_HEAD:
        return _in_each_head(parts, slot, num_heads)
    return _side_by_side(parts, slot, layout, num_heads)


def _seen(view: str, parts: Sequence[Any], num_heads: int) -> Shape:
    """The shape of one long row, as it is seen, that holds weights (out, in)."""
    out, into = parts[0].shape
    sizes = {"r": len(parts), "h": num_heads, "w": out // num_heads, "o": out, "i": into}
    return tuple(math.prod(sizes[letter] for letter in axis) for axis in view.rstrip(", ").split())


def _in_each_head(parts: list[Any], slot: Slot, num_heads: int) -> Any:
    """Weights (out, in) cut into heads and stacked in each, as in `x @ W_qkv` where that is (heads, in, out)."""
    stacked = np.concatenate([part.reshape(num_heads, -1, *part.shape[1:]) for part in parts], axis=1)
    for axes in sorted(itertools.permutations(range(stacked.ndim)), key=lambda axes: axes[-1] != 1):
        if (way := stacked.transpose(axes)).shape == long_axes(slot.shape):
            return np.ascontiguousarray(way.reshape(slot.shape))
    if long_axes(slot.shape) == (stacked.size,):  # a bias that is given its shape when it is added
        return stacked.reshape(slot.shape)
    raise Unbound(say("judge.slot-shape", slot=slot.name, shape=slot.shape, expected=stacked.shape))


def _side_by_side(parts: list[Any], slot: Slot, layout: str, num_heads: int) -> Any:
    """Weights (out, in) stacked along the output axis, whole after whole, head by head or row by row in turn.

    Or on an axis of their own. Those of a parameter with such an axis are (in, out), as in `x @ W_qkv`, where its shape
    does not say otherwise.
    layout: of what has such an axis, which one it is.
    """
    of_weight, _, of_bias = layout.partition(BIAS)
    for axis in (n for n, size in enumerate(slot.shape) if size == len(parts)):
        one = Slot("fused", (*slot.shape[:axis], *slot.shape[axis + 1 :]), slot.kind)
        is_meant = str(axis) == of_weight if parts[0].ndim > 1 else of_bias in ("", str(axis))
        if is_meant and fits("part.weight", parts[0], one, num_heads):
            return np.stack([fitted("part.weight", part, one, num_heads)[0] for part in parts], axis)
    shape = slot.shape if len(slot.shape) == 2 else long_axes(slot.shape)
    is_bare = not slot.name.endswith(".weight") and len(shape) == 2
    if parts[0].ndim == 2 and is_bare and shape[0] == parts[0].shape[1]:
        stacked = _side_by_side(parts, Slot("fused.weight", shape[::-1], slot.kind), layout, num_heads)
        return np.ascontiguousarray(stacked.T.reshape(slot.shape))
    pieces = {BY_HEAD: num_heads, IN_TURN: math.gcd(*map(len, parts))}.get(layout, 1)
    split = [part.reshape(pieces, -1, *part.shape[1:]) for part in parts]
    stacked = np.concatenate(split, axis=1).reshape(-1, *parts[0].shape[1:])
    if stacked.T.shape == slot.shape and slot.owner not in LAYERS:
        return np.ascontiguousarray(stacked.T)
    if stacked.shape != long_axes(slot.shape):
        raise Unbound(say("judge.slot-shape", slot=slot.name, shape=slot.shape, expected=stacked.shape))
    return stacked.reshape(slot.shape)


def not_found(missing: Sequence[str], slots: Sequence[Slot]) -> Unbound:
    """The error that nothing in a module is called like some weights."""
    if told := too_few(missing, slots):  # whose names are right
        return Unbound(say("judge.no-place-behind", weights=labels.few(missing, 6), why=told), missing)
    found = labels.listing(slots) or say("judge.no-parameters")
    return Unbound(say("judge.no-place", weights=labels.few(missing, 6), found=found), missing)
