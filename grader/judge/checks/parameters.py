"""`parameters`: the module holds the weights it should, registered, of the right shapes, and no others."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from grader.judge.binding import labels, paths
from grader.judge.binding.fitting import fits
from grader.judge.binding.lists import too_few, with_fused
from grader.judge.binding.loadings import (
    bias_of_another_name,
    is_fused_bias,
    kept_in_buffers,
    matching,
    naming_of,
    own_bias,
    roles_of,
    unasked_biases,
)
from grader.judge.binding.numbered import as_lists
from grader.judge.binding.output_layer import is_all_that_is_missing
from grader.judge.binding.renamed import renamed
from grader.judge.checks.asking import MODULE, constructor, make, num_heads
from grader.model.case import Expected
from grader.model.check import Finding, Question, wrong
from grader.model.observation import Observation, Slot
from grader.model.pack import Naming
from grader.model.run import Inspect, Run
from grader.words import heard, say


class Parameters:
    """Compares the module's parameters with the reference's, by role."""

    name = "parameters"
    compares = True
    explained = False
    options: Mapping[str, type] = {}

    def plan(self, question: Question) -> Run:
        return Run((make(question), Inspect(MODULE, values=True)))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        found = self._judged(question, seen, expected)
        if not found.right and (listed := as_lists(seen.slots.get(MODULE, ()), layers=False)):
            tensors = {f"{MODULE}.{slot.name}": seen.tensors.get(f"{MODULE}.{own}") for own, slot in listed.items()}
            as_list = replace(seen, slots={MODULE: tuple(listed.values())}, tensors=tensors)
            of_list = self._judged(question, as_list, expected)
            if of_list.right:
                return Finding(True)  # whose notes would say a list's names
            if heard("check.parameter-absent", found.summary) and not heard("check.parameter-absent", of_list.summary):
                return _by_own_names(of_list, listed)
        return found

    def _judged(self, question: Question, seen: Observation, expected: Expected) -> Finding:
        slots = seen.slots.get(MODULE, ())
        idle = {slot.name for slot in slots if _is_idle(slot, seen)}
        wanted = [slot for slot in expected.observation.slots[MODULE] if slot.kind == "parameter"]
        naming = naming_of([want.name for want in wanted], slots, question.naming)
        pairs = [(matching(want.name, slots, naming), want) for want in wanted]
        held_as = [(slot, want) for slot, want in pairs if slot is not None]
        missing = [want for slot, want in pairs if slot is None]
        found = {slot.name for slot, _ in held_as}
        shapes = {want.name: want.shape for want in missing}
        question = replace(question, naming=with_fused(shapes, slots, naming))
        own = _of_several(slots, found, missing, idle, question.naming)
        roles = {role for slot in own for role in roles_of(slot, question.naming)}
        optional = [want for want in missing if question.naming.is_optional(want.name)]
        spare = [want for want in optional if paths.role(want.name) in roles]
        there = {want.name for want in spare} | own_bias(shapes, slots).keys()
        absent = [say("check.optional-absent", slot=want.name) for want in optional if want.name not in there]
        missing = [want for want in missing if want not in optional]
        if in_parts := next(filter(None, (_in_parts(want, slots, question) for want in missing)), None):
            return in_parts  # to which what is wrong with other weights is due
        if problem := next(filter(None, (_misshapen(slot, want, question) for slot, want in held_as)), None):
            more = _unasked(wanted, slots, found, question) if not missing else []
            also = ["bias-always"] if any(slot.name not in idle for slot in more) else []
            also += ["bias-ignored"] if _lack_biases(missing, slots, found, question) else []
            return replace(problem, also=tuple(also))  # which the step does not come to by itself
        held = [want for want in missing if paths.role(want.name) in roles]
        others = [slot for slot in slots if slot.name not in found]
        if held and (of_fused := _of_fused(own, held, spare, others, question)):
            return of_fused
        if lost := [want for want in missing if want not in held]:
            return _absent(lost, slots, found, question)
        everything = found | {slot.name for slot in own if held}
        unasked = (slot for slot in _unasked(wanted, slots, everything, question) if slot.name not in idle)
        tied = _tied(slots, everything)
        said_of_tied = say("check.tied", one=tied[0], other=tied[1]) if tied else ""
        for slot in unasked:
            said = say("check.bias-unwanted", slot=slot.name, call=constructor(question))
            besides = (said_of_tied,) if tied else ()
            return replace(wrong(said, "bias-always"), about=slot.name, besides=besides)
        if tied:
            return replace(wrong(said_of_tied), about=tied[1])
        # A layer's scale begins as ones: what the reference's weights begin with is right.
        if (even := _even(seen, everything)) and not _even(expected.observation, {want.name for want in wanted}):
            return replace(wrong(say("check.even")), about=even)
        accepted = (note for slot, want in held_as for note in labels.accepted(want.name, slot))
        return Finding(True, notes=(*accepted, *absent, *labels.turned(held_as)))


def _of_several(
    slots: Sequence[Slot], found: Set[str], missing: Sequence[Slot], idle: Set[str], naming: Naming
) -> list[Slot]:
    """The slots that hold several of the missing weights. idle: those that may stand for a bias nobody asks for."""
    own = [slot for slot in slots if slot.name not in found and roles_of(slot, naming)]
    if any(want.name.endswith(".bias") and not naming.is_optional(want.name) for want in missing):
        return own
    return [slot for slot in own if slot.name not in idle or not is_fused_bias(slot, naming)]


def _misshapen(slot: Slot, want: Slot, question: Question) -> Finding | None:
    """What is found of a slot that does not hold a weight as it should; None for nothing."""
    problem = _problem(slot, want, num_heads(question))
    return replace(wrong(problem, _mistake(slot, want)), about=slot.name) if problem else None


def _by_own_names(finding: Finding, listed: Mapping[str, Slot]) -> Finding:
    """What is found of a list's slots, told by their own names. listed: slots as in a list, by their own names."""
    own = {slot.name: name for name, slot in listed.items()}
    summary = re.sub(r"`([^`]+)`", lambda found: f"`{own.get(found[1], found[1])}`", finding.summary)
    return replace(finding, summary=summary, about=own.get(finding.about, finding.about))


def _is_idle(slot: Slot, seen: Observation) -> bool:
    """Whether a slot is no parameter and may stand for a bias where none is asked for: a buffer, or one of zeros."""
    held = seen.tensors.get(f"{MODULE}.{slot.name}")
    return slot.kind == "buffer" or (slot.kind == "loose" and held is not None and not held.any())


def _even(seen: Observation, found: Set[str]) -> str:
    """The first of all weights where each begins with one number everywhere, from which nothing is learnt; "" for none.

    A bias may begin so, and so may one of several weights.
    """
    held_as = [slot.name for slot in seen.slots.get(MODULE, ()) if slot.name in found]
    names = [name for name in held_as if not name.endswith(".bias")]
    held = [seen.tensors.get(f"{MODULE}.{name}") for name in names]
    are_even = [each is not None and each.size > 1 and bool((each == each.flat[0]).all()) for each in held]
    return names[0] if names and all(are_even) else ""


def _tied(slots: Sequence[Slot], found: Set[str]) -> list[str]:
    """The names of parameters that are to be several and are one; empty where there are none.

    A name of the student's own for one that is asked for under another is not meant.
    """
    by_first: dict[str, list[str]] = {}
    for slot in slots:
        if slot.kind == "shared" and slot.name in found:
            by_first.setdefault(slot.first, []).append(slot.name)
    return next((names for names in by_first.values() if len(names) > 1), [])


def _problem(slot: Slot, want: Slot, heads: int) -> str:
    if slot.kind == "loose":
        in_list = labels.NUMBER.search(want.name)  # which is a mistake that has its remedy
        return say("check.head-not-registered" if in_list else "check.not-registered", slot=slot.name)
    if slot.kind == "buffer" or not slot.trainable:
        return say("check.not-trainable", slot=slot.name)
    is_linear = slot.owner == want.owner == "Linear"  # which says by itself what is in and what is out
    if slot.shape == want.shape or (not is_linear and fits(want.name, np.empty(want.shape), slot, heads)):
        return ""
    return say("check.slot-shape", slot=slot.name, shape=slot.shape, expected=want.shape)


def _mistake(slot: Slot, want: Slot) -> str:
    if slot.kind == "loose" and labels.NUMBER.search(want.name):  # its module sits in a plain list
        return "heads-unregistered"
    is_layer = slot.kind == "parameter" and slot.trainable and slot.shape != want.shape
    return "out-proj-wrong-width" if is_layer and want.name == "out_proj.weight" else ""


def _unasked(wanted: Sequence[Slot], slots: Sequence[Slot], found: Set[str], question: Question) -> list[Slot]:
    """The biases that nobody asked for."""
    return unasked_biases([want.name for want in wanted], slots, found, question.naming)


def _of_fused(
    own: Sequence[Slot], held: Sequence[Slot], spare: Sequence[Slot], others: Sequence[Slot], question: Question
) -> Finding | None:
    """What is wrong with fused projections; None where they hold as many numbers as the weights in them would.

    spare: what they may hold beside them. others: theirs, and those of which nobody knows what they are for.
    """
    is_asked = any(want.name.endswith(".bias") for want in held)
    asked = [slot for slot in own if is_asked or not is_fused_bias(slot, question.naming)]
    if hidden := [slot for slot in asked if slot.kind not in ("parameter", "shared")]:
        return replace(wrong(say("check.fused-not-registered", slot=hidden[0].name)), about=hidden[0].name)
    if frozen := [slot for slot in asked if not slot.trainable]:
        return replace(wrong(say("check.not-trainable", slot=frozen[0].name)), about=frozen[0].name)
    if _size(own) in (_size(held), _size([*held, *spare])):
        return None
    parts = {"parts": len({paths.role(want.name) for want in held}), "part": held[0].shape}
    said = say("check.fused-shape", slot=own[0].name, shape=own[0].shape, **parts)
    return _bias_of_fused(own, held, others, question) or replace(wrong(said), about=own[0].name)


def _absent(missing: Sequence[Slot], slots: Sequence[Slot], found: Set[str], question: Question) -> Finding:
    """The finding that there is no place for some parameters."""
    shapes = {want.name: want.shape for want in missing}
    for slot in kept_in_buffers(shapes, slots, question.naming).values():
        return replace(wrong(say("check.not-trainable", slot=slot.name)), about=slot.name)
    meant = renamed(shapes, slots, found, question.naming)
    if meant.keys() == shapes.keys():
        return replace(wrong(_to_be_called(meant)), about=meant[missing[0].name].name)
    if said := bias_of_another_name([*shapes], slots, found, question.naming):
        return wrong(said)
    if all(slot.name.endswith(".bias") for slot in missing):
        return wrong(say("check.bias-absent", slot=missing[0].name, call=constructor(question)), "bias-ignored")
    have = labels.listing([slot for slot in slots if slot.kind != "buffer"]) or say("check.none")
    absent = say("check.parameter-absent", slot=missing[0].name, shape=missing[0].shape, found=have)
    names = [want.name for want in missing]
    mistake = "out-proj-missing" if is_all_that_is_missing(names, slots, found, question.naming) else ""
    return replace(wrong(too_few([*shapes], slots) or absent, mistake), about=missing[0].name)


def _lack_biases(missing: Sequence[Slot], slots: Sequence[Slot], found: Set[str], question: Question) -> bool:
    """Whether all that there is no place for are biases, which have no other name either."""
    names = [want.name for want in missing]
    is_of_biases = bool(names) and all(name.endswith(".bias") for name in names)
    return is_of_biases and not bias_of_another_name(names, slots, found, question.naming)


def _in_parts(want: Slot, slots: Sequence[Slot], question: Question) -> Finding | None:
    """The finding that a list's modules have a layer each where one is to serve them all."""
    if labels.NUMBER.search(want.name) or paths.layer(want.name) == want.name:
        return None
    wanted = paths.parts(want.name)[-2:]
    own = [slot for slot in slots if labels.NUMBER.search(slot.name) and slot.kind in ("parameter", "loose")]
    own = [slot for slot in own if paths.alike(wanted, paths.of(slot, question.naming)[-2:], question.naming)]
    if len(own) < 2 or len({slot.shape for slot in own}) > 1:
        return None
    theirs = labels.NUMBER.sub("*", paths.layer(own[0].name))
    shapes = {"part": own[0].shape, "shape": want.shape}
    said = say("check.in-parts", theirs=theirs, ours=paths.layer(want.name), count=len(own), **shapes)
    return replace(wrong(said), about=labels.NUMBER.split(own[0].name)[0].rstrip("."))


def _to_be_called(meant: Mapping[str, Slot]) -> str:
    """What is to be called otherwise; what several numbered modules have alike is told once."""
    names = {labels.NUMBER.sub("*", paths.layer(slot.name)): paths.role(name) for name, slot in meant.items()}
    return "; ".join(say("check.to-be-called", theirs=theirs, ours=ours) for theirs, ours in names.items())


def _bias_of_fused(
    own: Sequence[Slot], missing: Sequence[Slot], others: Sequence[Slot], question: Question
) -> Finding | None:
    """The finding that a fused projection holds the right weights, and a bias too much or too little."""
    biases = [slot for slot in own if is_fused_bias(slot, question.naming)]
    held = [slot for slot in own if slot not in biases]
    due = [want for want in missing if not want.name.endswith(".bias")]
    if _size(held) != _size(due):
        return None
    if len(due) == len(missing):
        return wrong(say("check.bias-unwanted", slot=biases[0].name, call=constructor(question)), "bias-always")
    if len(held) == len(own):
        lacking = [want.name for want in missing if want not in due]
        if said := bias_of_another_name(lacking, others, {slot.name for slot in own}, question.naming):
            return wrong(said)
        return wrong(say("check.fused-bias-absent", slot=own[0].name, call=constructor(question)), "bias-ignored")
    return None


def _size(slots: Iterable[Slot]) -> int:
    """How many numbers they hold."""
    return sum(math.prod(slot.shape) for slot in slots)
