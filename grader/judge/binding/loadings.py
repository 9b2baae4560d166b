"""Finds, for each weight of the reference, the place in a student's module where it belongs.

Names decide roles. The lesson's spelling is canonical; a pack lists the others it accepts. A fused projection has no
names for its parts, so each order of them is a candidate, and the outputs tell which one is meant.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge.binding import heads, labels, paths
from grader.judge.binding.fitting import Unbound, fitted, long_axes
from grader.judge.binding.fused import AS_THEY_ARE, Loading, fused, not_found
from grader.judge.binding.layers import with_own_layers
from grader.judge.binding.lists import with_fused, with_modules
from grader.judge.binding.numbered import as_lists, nameless, own_names
from grader.judge.binding.renamed import Shape, renamed
from grader.model.observation import Slot
from grader.model.pack import Fused, Naming
from grader.words import say

TURNED = ", turned"
# Beside those of the reference's own names so many slots are looked at, each by every spelling there is. A list of
# heads has some forty, one of all rows of all weights a hundred.
MOST_SLOTS = 150


def loadings(weights: Mapping[str, Any], slots: Sequence[Slot], naming: Naming, num_heads: int = 1) -> list[Loading]:
    """Every way in which these weights may be meant to go into these slots; one unless a projection is fused.

    weights: arrays by the reference's slot names. Raises fitting.Unbound where no place is found for one of them.
    """
    if len(slots) > MOST_SLOTS:
        others = [slot for slot in slots if slot.name not in weights][:MOST_SLOTS]
        slots = [*(slot for slot in slots if slot.name in weights), *others]
    found: list[Loading] = []
    refused: list[Unbound] = []
    try:
        found += _loadings(weights, slots, naming, num_heads)
    except Unbound as unbound:
        refused.append(unbound)
    # Whole heads with nothing that mixes them are a wrapper, which is none of what is asked for by these names.
    are_mixed = any(all(paths.role(name) not in kind.roles for kind in naming.fused) for name in weights)
    is_of_heads = any(map(labels.NUMBER.search, weights))
    each_head = None if is_of_heads else heads.whole(slots, num_heads, weights, are_mixed)
    if each_head and (refused or each_head.holds(found[0].arrays)):
        layouts = {way.layout for way in found}
        try:
            every = _loadings(weights, each_head.slots, naming, num_heads, each_head.called)
            ways = (way for way in every if way.layout not in layouts)
            cut = each_head.cut
            found += [replace(way, arrays=cut(way.arrays), unwanted=cut(way.unwanted)) for way in ways]
        except Unbound as unbound:
            if refused and 0 < len(unbound.missing) < len(refused[0].missing):  # the others have places in the heads'
                refused[0] = not_found(unbound.missing, _places(slots))
    found = found or _read_otherwise(weights, slots, naming, num_heads)
    if not found:
        raise refused[0]
    return found


def _read_otherwise(weights: Mapping[str, Any], slots: Sequence[Slot], naming: Naming, num_heads: int) -> list[Loading]:
    """The ways where what is numbered in its name, or has none, is a list, or one layer serves all heads; none else."""
    for listed in filter(None, (as_lists(slots), nameless(slots, with_own_layers(slots, naming)))):
        with contextlib.suppress(Unbound):
            return [
                # Its notes would say a list's names.
                replace(way, arrays=own_names(way.arrays, listed), unwanted=own_names(way.unwanted, listed), notes=())
                for way in loadings(weights, [*listed.values()], naming, num_heads)
            ]
    of_all = heads.joined(weights)
    with contextlib.suppress(Unbound):
        return loadings(of_all, slots, naming, num_heads) if of_all else []
    return []


def _loadings(
    weights: Mapping[str, Any],
    slots: Sequence[Slot],
    naming: Naming,
    num_heads: int,
    called: Mapping[str, str] = AS_THEY_ARE,
) -> list[Loading]:
    """Every way to put weights into slots as they are. called: what slots are called that stand for several."""
    places = _places(slots)
    naming = naming_of(weights, slots, naming)
    known = {name: slot for name in weights if (slot := matching(name, slots, naming)) is not None}
    absent = {name: array.shape for name, array in weights.items() if name not in known}
    naming = with_fused(absent, slots, naming)
    meant = _meant(absent, known, slots, naming)
    held = {**known, **meant}
    ways = {slot.name: fitted(name, weights[name], slot, num_heads) for name, slot in held.items()}
    notes = [note for name, slot in known.items() for note in labels.accepted(name, slot, called.get(slot.name, ""))]
    notes += [labels.taken(name, slot) for name, slot in meant.items() if slot.kind != "buffer"]
    found = [Loading({name: each[0] for name, each in ways.items()}, notes=tuple(notes))]
    left = [name for name in absent if name not in held]
    if not all(naming.is_optional(name) for name in left):
        try:
            ways_together = fused(left, weights, places, naming, num_heads, called)
            found = [_joined(found[0], each) for each in ways_together]
        except Unbound as unbound:
            if said := bias_of_another_name(unbound.missing, places, ways, naming):
                raise Unbound(said) from unbound
            raise
    if either := {name: each[1] for name, each in ways.items() if len(each) > 1}:
        found += [_turned(loading, either) for loading in found]
    biases = (slot for slot in unasked_biases(weights, places, found[0].arrays, naming) if slot.may_be_filled)
    unwanted = {slot.name: np.zeros(slot.shape, np.float32) for slot in biases}  # so that only their own step is lost
    return [replace(loading, unwanted=unwanted) for loading in found]


def _places(slots: Sequence[Slot]) -> list[Slot]:
    """The slots that weights may go into."""
    return [slot for slot in slots if slot.kind != "buffer"]


def naming_of(names: Iterable[str], slots: Sequence[Slot], naming: Naming) -> Naming:
    """A naming that knows what lists and layers of its own a module has.

    names: of the reference's weights.
    """
    return with_own_layers(slots, with_modules(names, slots, naming))


def bias_of_another_name(missing: Sequence[str], slots: Sequence[Slot], held: Collection[str], naming: Naming) -> str:
    """What is said where biases alone are missing and something that is called like none may be one; "" for nothing.

    held: the names of the slots that hold weights.
    """
    own = [
        slot
        for slot in slots
        if slot.trainable and slot.name not in held and math.prod(slot.shape) > 1 and not roles_of(slot, naming)
        # A layer's has both of these, its role and what it is there.
        if not all(paths.split(naming.known(slot.name))[1:])
    ]
    if not own or not missing or not all(name.endswith(".bias") for name in missing):
        return ""
    weight = matching(f"{paths.layer(missing[0])}.weight", slots, naming)
    weight = weight or next((slot for slot in slots if roles_of(slot, naming)), None)
    called = paths.role(".".join(paths.path(weight.name)) if weight else missing[0])  # a buffer holds it, say
    return say("judge.bias-unnamed", found=labels.listing(own), called=f"{called}_bias")


def _turned(loading: Loading, arrays: Mapping[str, Any]) -> Loading:
    """The same with some weights the other way round."""
    return replace(loading, arrays={**loading.arrays, **arrays}, layout=f"{loading.layout}{TURNED}")


def _meant(
    absent: Mapping[str, Shape], known: Mapping[str, Slot], slots: Sequence[Slot], naming: Naming
) -> dict[str, Slot]:
    """The slots that must be meant by names that no parameter has: buffers, or layers of other names."""
    together = {role for slot in slots if slot.kind != "buffer" for role in roles_of(slot, naming)}
    lost = {name: shape for name, shape in absent.items() if paths.role(name) not in together}
    buffers = kept_in_buffers(lost, slots, naming)
    lost = {name: shape for name, shape in lost.items() if name not in buffers}
    return buffers | renamed(lost, slots, {slot.name for slot in known.values()}, naming) | own_bias(lost, slots)


def own_bias(absent: Mapping[str, Shape], slots: Sequence[Slot]) -> dict[str, Slot]:
    """The bias that is the module's own, by the name of the only one that is absent; empty where several are."""
    biases = [name for name in absent if name.endswith(".bias")]
    own = [slot for slot in slots if slot.kind == "parameter" and paths.is_bias(slot.name)]
    return {biases[0]: own[0]} if len(biases) == len(own) == 1 and own[0].shape == absent[biases[0]] else {}


def matching(name: str, slots: Sequence[Slot], naming: Naming) -> Slot | None:
    """The slot that plays the role of the reference's slot of that name, whatever its shape."""
    return _place(name, _places(slots), naming)


def kept_in_buffers(absent: Mapping[str, Shape], slots: Sequence[Slot], naming: Naming) -> dict[str, Slot]:
    """The buffers that have the names of weights which nothing else can hold, and their shapes."""
    buffers = [slot for slot in slots if slot.kind == "buffer"]
    found = {name: slot for name in absent if (slot := _place(name, buffers, naming)) is not None}
    return {name: slot for name, slot in found.items() if slot.shape in (absent[name], absent[name][::-1])}


def roles_of(slot: Slot, naming: Naming) -> tuple[str, ...]:
    """The roles that a fused projection holds, by its name; none for any other slot."""
    path, parts = paths.of(slot, naming), {*paths.parts(naming.known(slot.name))}
    return next((kind.roles for kind in naming.fused if _is_of(kind, path, parts, naming)), ())


def is_fused_bias(slot: Slot, naming: Naming) -> bool:
    """Whether a slot is the bias of a projection that holds several roles."""
    path = paths.of(slot, naming)
    names = (name for kind in naming.fused for name in kind.names)
    return any(paths.is_own_bias([name, "bias"], path, naming) for name in names)


def _is_of(kind: Fused, path: Sequence[str], parts: Iterable[str], naming: Naming) -> bool:
    """Whether a slot of that path and these parts is a projection's of that kind, or its bias."""
    if any(paths.is_fused(part, kind, naming) for part in parts):
        return True
    return any(paths.is_own_bias([name, "bias"], path, naming) for name in kind.names)


def _place(name: str, slots: Sequence[Slot], naming: Naming) -> Slot | None:
    """A slot of the same path, by accepted spellings; or the only one of that path but for what lies in between."""
    same = next((slot for slot in slots if slot.name == name), None)
    if same is not None:  # as nearly always, and spellings take time to compare
        return same
    wanted = paths.parts(name)
    if wanted[-1] != "bias":
        slots = [slot for slot in slots if not paths.is_of_bias(paths.of(slot, naming))]
    forms = [wanted]
    if wanted[-1] == "weight":
        forms.append(wanted[:-1])  # a bare parameter for a Linear
    elif wanted[-1] != "bias":
        forms.append([*wanted, "weight"])  # a Linear for a bare parameter
    for form in forms:
        cuts = {slot.name: paths.nested(form, paths.of(slot, naming), naming) for slot in slots}
        alike = [slot for slot in slots if cuts[slot.name] is not None]
        whole = [slot for slot in alike if len(paths.of(slot, naming)) == len(form)]
        exact = [slot for slot in whole if paths.of(slot, naming) == form]
        longest = max((cut for cut in cuts.values() if cut is not None), default=0)
        nearest = [slot for slot in alike if cuts[slot.name] == longest]
        for choice in (exact, whole, nearest):
            if len(choice) == 1:
                return choice[0]
    others = [slot for slot in slots if paths.is_own_bias(wanted, paths.of(slot, naming), naming)]
    inside = [slot for slot in slots if paths.within(wanted, paths.of(slot, naming), naming)]
    rank = 1 if wanted[-1] == "bias" else 2
    others = others or [slot for slot in inside if len(long_axes(slot.shape)) == rank]
    return others[0] if len(others) == 1 else None


def _joined(loading: Loading, other: Loading) -> Loading:
    return replace(other, arrays={**loading.arrays, **other.arrays}, notes=loading.notes + other.notes)


def unasked_biases(weights: Iterable[str], slots: Sequence[Slot], held: Container[str], naming: Naming) -> list[Slot]:
    """The biases that nobody asked for, of the layers that hold weights, or of their own beside them.

    weights: the reference's names. held: the slots of the module's that these are put into.
    """
    names = {*weights}
    own = [slot for slot in slots if slot.kind != "buffer" and slot.name not in held and slot.name not in names]
    due = dict.fromkeys(f"{paths.layer(name)}.bias" for name in weights)
    called = {slot.name for bias in due if bias not in names and (slot := matching(bias, own, naming)) is not None}
    layers = {paths.layer(naming.known(slot.name)) for slot in slots if slot.name in held}
    return [
        slot
        for slot in own
        if slot.name in called
        or is_fused_bias(slot, naming)
        or ((name := naming.known(slot.name)).endswith(".bias") and paths.layer(name) in layers)
    ]
