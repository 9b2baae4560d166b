"""What the target of a copy holds of the source's weights: all of them, in which roles, and still trained or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.binding import paths
from grader.judge.binding.loadings import matching
from grader.model.check import Question
from grader.model.observation import PARAMETERS, Observation, Slot
from grader.words import say

# What the target holds before the copy and after it.
EMPTY, FILLED = "empty", "filled"
# By how much of the largest number what is copied may be off: a few of the last digits in float32.
ROUNDED_OFF = 1e-6


def holds(question: Question, seen: Observation) -> bool:
    """Whether every number of the source's weights stands somewhere in what the target held before, too.

    In any arrangement, since a target may fuse or turn its layers. A bias is not looked for: of the keys' it makes no
    difference to any output.
    """
    numbers = np.concatenate([np.zeros(0), *_held(seen)])
    return all(_all_in(array.astype(np.float64), numbers) for _, array in _due(question))


def reshaped(seen: Observation) -> tuple[str, str]:
    """A weight of the target's that has another shape than before the copy, and what is said of it; "" for none."""
    before = {slot.name: slot.shape for slot in seen.slots[EMPTY]}
    for slot in seen.slots[FILLED]:
        if (shape := before.get(slot.name, slot.shape)) != slot.shape:
            return slot.name, say("check.slot-shape", slot=slot.name, shape=slot.shape, expected=shape)
    return "", ""


def frozen(question: Question, seen: Observation) -> str:
    """A weight of the target's that holds the source's numbers and is no longer trained, as it was; "" for none."""
    trained = {slot.name for slot in seen.slots[EMPTY] if slot.kind in PARAMETERS and slot.trainable}
    every = (compare.rounded(array, question.dtype).reshape(-1) for array in question.case.weights.values())
    numbers = np.concatenate([np.zeros(0), *every]).astype(np.float64)
    for slot in seen.slots[FILLED]:
        held = seen.tensors.get(f"{FILLED}.{slot.name}")
        is_frozen = slot.name in trained and (slot.kind in ("loose", "buffer") or not slot.trainable)
        if is_frozen and held is not None and bool(np.isin(numbers, held.astype(np.float64)).any()):
            return slot.name
    return ""


def otherwise_held(question: Question, seen: Observation) -> Iterator[str]:
    """What there is to say of weights that hold other numbers than those of the source's that are called alike.

    Of those alone that have as many, and a shape that says which way they lie.
    """
    due = _due_by_role(question) or _joined_by_role(question)
    on_their_side, absent = [], []
    for role, (slot, held) in _held_by_role(question, seen, due).items():
        array = due[role]
        if _all_in(array, held):
            if held.shape == array.shape[::-1] != array.shape and not np.array_equal(held, array.T):
                on_their_side.append(slot.name)
        elif another := _another(role, held, due):
            yield say("check.copy-of-another", slot=slot.name, other=another, role=role)
        elif not np.isin(array, held).any():
            absent.append(slot.name)
    if on_their_side:
        yield say("check.copy-not-turned", names=", ".join(on_their_side))
    if absent:
        yield say("check.copy-absent", names=", ".join(absent))


def of_others(question: Question, seen: Observation) -> list[str]:
    """The known mistakes of a copy that gives weights of the target's another role's numbers."""
    due = _due_by_role(question) or _joined_by_role(question)
    others = {role: _another(role, held, due) for role, (_, held) in _held_by_role(question, seen, due).items()}
    is_exchanged = (others.get("W_query"), others.get("W_key")) == ("W_key", "W_query")
    reused = any(other and not others.get(other, other) for other in others.values())  # which has its own as well
    named = {"query-key-swapped": is_exchanged, "projection-reused": reused}
    named["heads-wrong-axis"] = _in_orders(question, seen)
    return [name for name, is_so in named.items() if is_so]


def _in_orders(question: Question, seen: Observation) -> bool:
    """Whether the heads' rows stand in several orders below each other, of which one at most can be the target's."""
    due: dict[str, list[Any]] = {}
    for name, array in question.case.weights.items():
        role = re.sub(r"^.*\d\.", "", name)
        due.setdefault(role, []).append(compare.rounded(array, question.dtype))
    orders = set()
    for role, arrays in due.items():
        slot = matching(role, seen.slots.get(FILLED, ()), question.naming)
        held = seen.tensors.get(f"{FILLED}.{slot.name}") if slot is not None else None
        rows = [row.tobytes() for row in np.concatenate(arrays)] if len({each.shape for each in arrays}) == 1 else []
        if held is not None and len(arrays) > 1 and len({*rows}) == len(rows) == len(held):
            places = [rows.index(row.tobytes()) if row.tobytes() in rows else -1 for row in held]
            orders |= {tuple(places)} if sorted(places) == [*range(len(rows))] else set()
    return len(orders) > 1


def _due_by_role(question: Question) -> dict[str, Any]:
    """The source's weights by role; empty where a role has several."""
    due = {paths.role(name): array for name, array in _due(question)}
    return due if len(due) == len(_due(question)) else {}


def _joined_by_role(question: Question) -> dict[str, Any]:
    """The source's weights by role, of several heads one below the other; empty where these differ in shape."""
    several: dict[str, list[Any]] = {}
    for name, array in _due(question):
        several.setdefault(paths.role(name), []).append(array)
    is_alike = all(len({array.shape for array in arrays}) == 1 for arrays in several.values())
    return {role: np.concatenate(arrays) for role, arrays in several.items()} if is_alike else {}


def _held_by_role(question: Question, seen: Observation, due: Mapping[str, Any]) -> dict[str, tuple[Slot, Any]]:
    """What the target holds where the source's weights belong, of as many numbers. due: these, by role."""
    found: dict[str, tuple[Slot, Any]] = {}
    for role, array in due.items():
        slot = matching(role, seen.slots.get(FILLED, ()), question.naming)
        held = seen.tensors.get(f"{FILLED}.{slot.name}") if slot is not None else None
        if slot is not None and held is not None and held.shape in (array.shape, array.shape[::-1]):
            found[role] = slot, np.asarray(held, np.float64)
    return found


def _another(role: str, held: Any, due: Mapping[str, Any]) -> str:
    """The other role whose numbers are held in place of this one's; "" for none."""
    if _all_in(due[role], held):
        return ""
    return next((name for name, each in due.items() if name != role and _all_in(each, held)), "")


def _all_in(array: Any, held: Any) -> bool:
    """Whether every number of one array stands in another, but for what rounds off where a difference is added."""
    there = np.sort(held, axis=None)
    if not there.size or not array.size:
        return not array.size
    behind = np.searchsorted(there, array)
    beside = there[np.clip([behind - 1, behind], 0, there.size - 1)]
    return bool((np.abs(beside - array).min(0) <= ROUNDED_OFF * np.abs(array).max()).all())


def joins(question: Question, seen: Observation) -> bool:
    """Whether the source's weights that are called alike but for a number stand in one parameter of the target's."""
    alike: dict[str, list[Any]] = {}
    for name, array in _due(question):
        alike.setdefault(re.sub(r"\d+", "", name), []).append(array.reshape(-1))
    held = _held(seen)
    return all(any(_all_in(np.concatenate(some), one) for one in held) for some in alike.values())


def _held(seen: Observation) -> list[Any]:
    """The numbers of each of what the target holds after the copy and held before, too."""
    names = {slot.name for slot in seen.slots[EMPTY]} & {slot.name for slot in seen.slots[FILLED]}
    arrays = [array for name in sorted(names) if (array := seen.tensors.get(f"{FILLED}.{name}")) is not None]
    return [np.asarray(array, np.float64).reshape(-1) for array in arrays]


def _due(question: Question) -> list[tuple[str, Any]]:
    """The source's weights by their names, without its biases, as a solution is given them."""
    weights = question.case.weights.items()
    return [(name, compare.rounded(array, question.dtype)) for name, array in weights if array.ndim > 1]
