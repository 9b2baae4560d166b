"""Finds, for each weight of the reference, the place in a student's module where it belongs.

Names decide roles. The lesson's spelling is canonical; a pack lists the others it accepts. A fused projection has no
names for its parts, so each order of them is a candidate, and the outputs tell which one is meant.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from grader.judge import labels, paths
from grader.judge.renamed import Shape, renamed
from grader.model.observation import Slot
from grader.model.pack import Fused, Naming
from grader.words import say

BLOCKS = "side by side"
BY_HEAD = "head by head"
TURNED = ", turned"
# Layers of torch's own, whose weights are (out, in).
LAYERS = ("Linear", "LazyLinear", "NonDynamicallyQuantizableLinear")


@dataclass(frozen=True, slots=True)
class Loading:
    """One way to put the reference's weights into a student's module: slot name to array.

    unwanted: slots that no weight belongs in, to be filled with zeros. layout: of a fused projection.
    """

    arrays: Mapping[str, Any]
    unwanted: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    layout: str = ""


class Unbound(Exception):
    """The student's module has no place for some weight. The message says what was found and what was expected.

    missing: the names of weights that nothing in the module is called like.
    """

    def __init__(self, said: str, missing: Sequence[str] = ()) -> None:
        super().__init__(said)
        self.missing = tuple(missing)


def loadings(weights: Mapping[str, Any], slots: Sequence[Slot], naming: Naming, num_heads: int = 1) -> list[Loading]:
    """Every way in which these weights may be meant to go into these slots; one unless a projection is fused.

    weights: arrays by the reference's slot names. Raises Unbound where no place is found for one of them.
    """
    places = [slot for slot in slots if slot.kind != "buffer"]
    known = {name: slot for name in weights if (slot := matching(name, slots, naming)) is not None}
    meant = _meant({name: array.shape for name, array in weights.items() if name not in known}, known, slots, naming)
    held = {**known, **meant}
    arrays = {slot.name: _fitted(name, weights[name], slot) for name, slot in held.items()}
    notes = [note for name, slot in known.items() for note in labels.accepted(name, slot)]
    notes += [labels.taken(name, slot) for name, slot in meant.items() if slot.kind != "buffer"]
    missing = [name for name in weights if name not in held and not naming.is_optional(name)]
    found = [Loading(arrays, notes=tuple(notes))]
    if missing:
        found = [_joined(found[0], fused) for fused in _fused(missing, weights, places, naming, num_heads)]
    if either := [slot.name for name, slot in held.items() if is_either_way(weights[name], slot)]:
        found += [_turned(loading, either) for loading in found]
    biases = (slot for slot in unasked_biases(weights, places, found[0].arrays, naming) if slot.may_be_filled)
    unwanted = {slot.name: np.zeros(slot.shape, np.float32) for slot in biases}  # so that only their own step is lost
    return [replace(loading, unwanted=unwanted) for loading in found]


def is_either_way(array: Any, slot: Slot) -> bool:
    """Whether a weight's shape does not say which way it lies, and its layer is none of torch's, which would."""
    return array.ndim == 2 and array.shape == slot.shape == array.shape[::-1] and slot.owner not in LAYERS


def _turned(loading: Loading, names: Sequence[str]) -> Loading:
    """The same with some weights on their side."""
    arrays = {name: np.ascontiguousarray(loading.arrays[name].T) for name in names}
    return replace(loading, arrays={**loading.arrays, **arrays}, layout=f"{loading.layout}{TURNED}")


def _meant(
    absent: Mapping[str, Shape], known: Mapping[str, Slot], slots: Sequence[Slot], naming: Naming
) -> dict[str, Slot]:
    """The slots that must be meant by names that no parameter has: buffers, or layers of other names."""
    fused = {role for slot in slots if slot.kind != "buffer" for role in roles_of(slot, naming)}
    lost = {name: shape for name, shape in absent.items() if paths.role(name) not in fused}
    buffers = kept_in_buffers(lost, slots, naming)
    lost = {name: shape for name, shape in lost.items() if name not in buffers}
    return buffers | renamed(lost, slots, {slot.name for slot in known.values()}, naming)


def matching(name: str, slots: Sequence[Slot], naming: Naming) -> Slot | None:
    """The slot that plays the role of the reference's slot of that name, whatever its shape."""
    return _place(name, [slot for slot in slots if slot.kind != "buffer"], naming)


def kept_in_buffers(absent: Mapping[str, Shape], slots: Sequence[Slot], naming: Naming) -> dict[str, Slot]:
    """The buffers that have the names of weights which nothing else can hold, and their shapes."""
    buffers = [slot for slot in slots if slot.kind == "buffer"]
    found = {name: slot for name in absent if (slot := _place(name, buffers, naming)) is not None}
    return {name: slot for name, slot in found.items() if slot.shape in (absent[name], absent[name][::-1])}


def roles_of(slot: Slot, naming: Naming) -> tuple[str, ...]:
    """The roles that a fused projection holds, by its name; none for any other slot."""
    return next((kind.roles for kind in naming.fused for name in kind.names if _is_of(name, slot, naming)), ())


def is_fused_bias(slot: Slot, naming: Naming) -> bool:
    """Whether a slot is the bias of a projection that holds several roles."""
    names = (name for kind in naming.fused for name in kind.names)
    return any(paths.is_own_bias([name, "bias"], paths.path(slot.name), naming) for name in names)


def _is_of(name: str, slot: Slot, naming: Naming) -> bool:
    """Whether a slot is a projection's of that name, or its bias."""
    if paths.is_own_bias([name, "bias"], paths.path(slot.name), naming):
        return True
    return any(paths.is_called(part, name, naming) for part in paths.parts(slot.name))


def _place(name: str, slots: Sequence[Slot], naming: Naming) -> Slot | None:
    """A slot of the same path, by accepted spellings; or the only one of that path but for what lies in between."""
    same = next((slot for slot in slots if slot.name == name), None)
    if same is not None:  # as nearly always, and spellings take time to compare
        return same
    wanted = paths.parts(name)
    if wanted[-1] != "bias":
        slots = [slot for slot in slots if not paths.is_of_bias(paths.path(slot.name))]
    forms = [wanted]
    if wanted[-1] == "weight":
        forms.append(wanted[:-1])  # a bare parameter for a Linear
    elif wanted[-1] != "bias":
        forms.append([*wanted, "weight"])  # a Linear for a bare parameter
    for form in forms:
        cuts = {slot.name: paths.nested(form, paths.path(slot.name), naming) for slot in slots}
        alike = [slot for slot in slots if cuts[slot.name] is not None]
        whole = [slot for slot in alike if len(paths.path(slot.name)) == len(form)]
        exact = [slot for slot in whole if paths.path(slot.name) == form]
        longest = max((cut for cut in cuts.values() if cut is not None), default=0)
        nearest = [slot for slot in alike if cuts[slot.name] == longest]
        for choice in (exact, whole, nearest):
            if len(choice) == 1:
                return choice[0]
    others = [slot for slot in slots if paths.is_own_bias(wanted, paths.path(slot.name), naming)]
    inside = [slot for slot in slots if paths.within(wanted, paths.path(slot.name), naming)]
    rank = 1 if wanted[-1] == "bias" else 2
    others = others or [slot for slot in inside if len(long_axes(slot.shape)) == rank]
    return others[0] if len(others) == 1 else None


def _fitted(name: str, array: Any, slot: Slot) -> Any:
    """The array as the slot holds it: transposed where a bare parameter stands for a Linear, or the other way.

    Axes of one entry make no difference: those of a bias that is added by hand, or of a convolution over one token.
    """
    is_turned = name.endswith(".weight") is not slot.name.endswith(".weight")
    for each in (array.T, array) if is_turned else (array, array.T):
        if each.shape == slot.shape:
            return np.ascontiguousarray(each)
        if each.shape == long_axes(slot.shape):
            return each.reshape(slot.shape)
    raise Unbound(say("judge.slot-shape", slot=slot.name, shape=slot.shape, expected=array.shape))


def long_axes(shape: Shape) -> Shape:
    """A shape without its axes of one entry."""
    return tuple(size for size in shape if size != 1)


def _joined(loading: Loading, fused: Loading) -> Loading:
    return replace(fused, arrays={**loading.arrays, **fused.arrays}, notes=loading.notes + fused.notes)


def _fused(
    missing: Sequence[str], weights: Mapping[str, Any], slots: Sequence[Slot], naming: Naming, num_heads: int
) -> list[Loading]:
    """Every order in which the missing weights may lie side by side in fused projections."""
    groups = _groups(missing)
    for kind in naming.fused:
        places = {
            (prefix, leaf): own
            for (prefix, leaf), names in groups.items()
            if {*kind.roles} <= {*names} and (own := _fused_places(prefix, leaf, slots, kind, naming))
        }
        if places:
            break
    else:
        raise _not_found(missing, slots)
    held = {groups[place][role] for place in places for role in kind.roles}
    if left := [name for name in missing if name not in held]:
        raise _not_found(left, slots)
    orders = list(itertools.permutations(kind.roles))
    is_one = all(len(own) == 1 for own in places.values())
    is_flat = all(len(slot.shape) < 3 for own in places.values() for slot in own)
    is_cut = all(weights[name].shape[0] % num_heads == 0 for name in missing)
    splits = is_one and is_flat and num_heads > 1 and is_cut
    layouts = [BLOCKS, BY_HEAD] if splits else [BLOCKS]
    found = []
    for layout, order in itertools.product(layouts, orders):
        arrays: dict[str, Any] = {}
        for (prefix, leaf), own in places.items():
            parts = [weights[groups[prefix, leaf][role]] for role in order]
            if not leaf:  # bare parameters are (in, out)
                parts = [np.ascontiguousarray(part.T) for part in parts]
            if len(own) > 1:  # a list of layers
                arrays |= {
                    slot.name: _side_by_side([part], slot, BLOCKS, 1) for slot, part in zip(own, parts, strict=True)
                }
            else:
                arrays[own[0].name] = _side_by_side(parts, own[0], layout, num_heads)
        roles = ", ".join(order)
        first = labels.fused_name(next(iter(arrays)), missing[0])
        is_blocks = layout == BLOCKS
        note = say("judge.side-by-side" if is_blocks else "judge.head-by-head", slot=first, roles=roles)
        found.append(Loading(arrays, notes=(note,), layout=f"{layout}: {roles}"))
    return found


def _groups(missing: Sequence[str]) -> dict[tuple[str, str], dict[str, str]]:
    """Missing names by prefix and leaf, then by role."""
    groups: dict[tuple[str, str], dict[str, str]] = {}
    for name in missing:
        prefix, named, leaf = paths.split(name)
        groups.setdefault((prefix, leaf), {})[named] = name
    return groups


def _fused_places(prefix: str, leaf: str, slots: Sequence[Slot], kind: Fused, naming: Naming) -> list[Slot]:
    """The slot of a fused projection, or those of a list of as many layers; none where there is neither."""
    ends = ([leaf], []) if leaf == "weight" else ([leaf],) if leaf else ([], ["weight"])
    if leaf != "bias":
        slots = [slot for slot in slots if not paths.is_of_bias(paths.path(slot.name))]
    for fused, end in itertools.product(kind.names, ends):
        wanted = [*(paths.parts(prefix) if prefix else []), fused, *end]
        own = [slot for slot in slots if paths.alike(wanted, paths.path(slot.name), naming)]
        own = own or [slot for slot in slots if paths.nested(wanted, paths.path(slot.name), naming) is not None]
        own = own or [slot for slot in slots if paths.is_own_bias(wanted, paths.path(slot.name), naming)]
        if len(own) in (1, len(kind.roles)):
            return own
    return []


def _side_by_side(parts: list[Any], slot: Slot, layout: str, num_heads: int) -> Any:
    """Weights (out, in) stacked along the output axis, whole after whole or head by head, or on an axis of their own.

    Those of a parameter with such an axis are (in, out), as in `x @ W_qkv`, where its shape does not say otherwise.
    """
    for sideways in (True, False):
        if slot.shape == (len(parts), *parts[0].shape[:: -1 if sideways else 1]) and parts[0].ndim == 2:
            return np.stack([part.T if sideways else part for part in parts])
    is_bare = not slot.name.endswith(".weight") and len(slot.shape) == 2
    if parts[0].ndim == 2 and is_bare and slot.shape[0] == parts[0].shape[1]:
        stacked = _side_by_side(parts, Slot("fused.weight", slot.shape[::-1], slot.kind), layout, num_heads)
        return np.ascontiguousarray(stacked.T)
    if layout == BY_HEAD:
        split = [part.reshape(num_heads, -1, *part.shape[1:]) for part in parts]
        stacked = np.concatenate(split, axis=1).reshape(-1, *parts[0].shape[1:])
    else:
        stacked = np.concatenate(parts, axis=0)
    if stacked.T.shape == slot.shape and slot.owner not in LAYERS:
        return np.ascontiguousarray(stacked.T)
    if stacked.ndim == 1 and stacked.size == math.prod(slot.shape):
        return stacked.reshape(slot.shape)
    if stacked.shape != slot.shape:
        raise Unbound(say("judge.slot-shape", slot=slot.name, shape=slot.shape, expected=stacked.shape))
    return stacked


def unasked_biases(weights: Iterable[str], slots: Sequence[Slot], held: Container[str], naming: Naming) -> list[Slot]:
    """The biases that nobody asked for, of the layers that hold weights, or of their own beside them.

    weights: the reference's names. held: the slots of the module's that these are put into.
    """
    names = {*weights}
    own = [slot for slot in slots if slot.kind != "buffer" and slot.name not in held and slot.name not in names]
    due = dict.fromkeys(f"{paths.layer(name)}.bias" for name in weights)
    called = {slot.name for bias in due if bias not in names and (slot := matching(bias, own, naming)) is not None}
    return [
        slot
        for slot in own
        if slot.name in called
        or is_fused_bias(slot, naming)
        or (slot.name.endswith(".bias") and f"{slot.name.removesuffix('.bias')}.weight" in held)
    ]


def _not_found(missing: Sequence[str], slots: Sequence[Slot]) -> Unbound:
    found = labels.listing(slots) or say("judge.no-parameters")
    return Unbound(say("judge.no-place", weights=labels.few(missing, 6), found=found), missing)
