"""`copies`: after one module's weights were copied into another, it holds them, both give the same outputs, and the
source is what it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.binding import paths
from grader.judge.binding.loadings import matching
from grader.judge.checks.asking import RESULT, called_with, inputs, tensors, told, weights
from grader.model.case import Expected
from grader.model.check import Finding, Question, wrong
from grader.model.observation import PARAMETERS, Observation, Slot
from grader.model.run import Action, Call, Inspect, Load, Made, Make, Mode, Run, Value
from grader.words import say

# What the target holds before the copy and after it.
EMPTY, FILLED = "empty", "filled"
SOURCE = "source"
TARGET = "target"
# What the source gives before the copy and after it.
WAS, STILL = "was", "still"
# What it holds.
READ, LEFT = "read", "left"
COPIED = "copied"
# Another pair, as they are made, which is in training: what its source gives before the copy and behind it. Where it
# drops at random that is another thing each of two times, of more than a hundred weights all but surely.
TRAINED, BESIDE = "trained", "beside"
BEFORE, BEHIND, TIMES = "before", "behind", 2
# A third pair, as they are made, of other sizes: what its target gives before the copy, which it may be unable to by
# itself; then what the source gives, and behind the copy the target.
OTHER, FOR_OTHER = "other source", "other target"
ABLE, DUE, GIVEN = "able", "due", "given"
COPIED_TRAINED, COPIED_OTHER = f"{COPIED} behind", f"{COPIED} given"

# By how much of the largest number what is copied may be off: a few of the last digits in float32.
ROUNDED_OFF = 1e-6
# By how much of the largest number two modules of the same weights may differ; of others they differ by much more.
LOOSE, LOOSE_UNITS = 1e-2, 16.0


class Copies:
    """Makes a source with the case's weights and a target, calls the function on both, compares their outputs.

    Options. `source`, `target`: each "module.Class". `target_construct`: the target's arguments that differ.
    `left`: weights of the target, by the reference's names, that students leave as they were, with that mistake's id.
    `joins`: whether the source's weights that are called alike but for a number come to stand in one of the target's.
    `training`: arguments of both with which a source drops at random in training, where the copy has to leave it.
    `also`: arguments of both for another pair, such as those with which a weight fits on its side too.
    """

    name = "copies"
    compares = True
    explained = True
    options: Mapping[str, type] = {
        "source": str,
        "target": str,
        "target_construct": dict,
        "left": dict,
        "joins": bool,
        "training": dict,
        "also": dict,
    }

    def plan(self, question: Question) -> Run:
        arguments = inputs(question)
        actions: tuple[Action, ...] = (
            *_pair(question, SOURCE, TARGET),
            Load(SOURCE, weights(question)),
            *(Mode(name, training=False) for name in (SOURCE, TARGET)),
            Call(WAS, of=SOURCE, arguments=arguments, may_fail=True),
            Inspect(SOURCE, READ, values=True),
            Inspect(TARGET, EMPTY),
            called_with(question, COPIED, (Made(SOURCE), Made(TARGET))),
            Inspect(TARGET, FILLED, values=True),
            Inspect(SOURCE, LEFT, values=True),
            Call(RESULT, of=TARGET, arguments=arguments, may_fail=True),
            Call(STILL, of=SOURCE, arguments=arguments, may_fail=True),
        )
        return Run((*actions, *_in_training(question), *_of_other_sizes(question)), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        # A source may be wrong by itself; what counts here is whether the copy changed it.
        if STILL in seen.refused and WAS not in seen.refused:
            return wrong(say("check.source-broken", why=told(question, seen.refused[STILL])), "input-mutated")
        if RESULT in seen.refused:
            slot, why = _reshaped(seen)
            why = why or told(question, seen.refused[RESULT])
            return replace(wrong(say("check.target-broken", why=why)), about=slot)
        copied = compare.returned(question, RESULT, seen, expected)
        if not copied.right:
            said = say("check.target-output", said=copied.summary)
            return replace(wrong(said), notes=tuple(_carried(question, seen)))
        if frozen := _frozen(question, seen):
            return wrong(say("check.no-longer-trained", slot=frozen))
        if not _holds(question, seen):
            return wrong(say("check.weights-elsewhere"))
        if question.step.options.get("joins") and not _joins(question, seen):
            return wrong(say("check.not-joined", target=question.step.options["target"].rpartition(".")[2]))
        still = compare.returned(question, STILL, seen, expected)
        if not still.right and changes_source(seen):
            return wrong(say("check.source-output", said=still.summary), "input-mutated")
        if _ends_training(seen):
            return wrong(say("check.source-evaluated"))
        return _of_another_pair(question, seen) or _of_source(seen) or copied


def changes_source(seen: Observation) -> bool:
    """Whether a source gives something else behind the copy than before it."""
    before, after = compare.tensor(seen, WAS), compare.tensor(seen, STILL)
    return before is not None and after is not None and not np.array_equal(before, after, equal_nan=True)


def _in_training(question: Question) -> tuple[Action, ...]:
    """What is asked of a source that is in training when its weights are copied, if the rubric says how to tell.

    Of the step's first case alone: it takes as long as all else that is asked there.
    """
    if not (changed := question.step.options.get("training")) or question.case.name != question.step.cases[0]:
        return ()
    arguments = inputs(question)
    return (
        *_pair(question, TRAINED, BESIDE, changed, may_fail=True),
        Call(BEFORE, of=TRAINED, arguments=arguments, times=TIMES, may_fail=True),
        called_with(question, COPIED_TRAINED, (Made(TRAINED), Made(BESIDE)), may_fail=True),
        Call(BEHIND, of=TRAINED, arguments=arguments, times=TIMES, may_fail=True),
    )


def _ends_training(seen: Observation) -> bool:
    """Whether a source that drops at random no longer does behind the copy."""
    before, behind = (compare.tensor(seen, name) for name in (BEFORE, BEHIND))
    if before is None or behind is None or len(before) != TIMES or len(behind) != TIMES:
        return False
    return np.array_equal(*behind) and not np.array_equal(*before)


def _of_other_sizes(question: Question) -> tuple[Action, ...]:
    """What is asked of a pair of other sizes, if the rubric names any; of the step's first case alone."""
    if not (changed := question.step.options.get("also")) or question.case.name != question.step.cases[0]:
        return ()
    arguments = inputs(question)
    return (
        *_pair(question, OTHER, FOR_OTHER, changed, may_fail=True),
        *(Mode(name, training=False, may_fail=True) for name in (OTHER, FOR_OTHER)),
        Call(ABLE, of=FOR_OTHER, arguments=arguments, may_fail=True),
        called_with(question, COPIED_OTHER, (Made(OTHER), Made(FOR_OTHER)), may_fail=True),
        Call(DUE, of=OTHER, arguments=arguments, may_fail=True),
        Call(GIVEN, of=FOR_OTHER, arguments=arguments, may_fail=True),
    )


def _of_another_pair(question: Question, seen: Observation) -> Finding | None:
    """The finding on the copy between a pair of other sizes; None where it is right or nothing is known of it."""
    changed = question.step.options.get("also", {})
    given = ", ".join(f"{name}={value}" for name, value in changed.items())
    if ABLE in seen.returned and DUE in seen.returned:  # what cannot be made or called by itself is no copy's fault
        if fault := seen.refused.get(COPIED_OTHER):
            return wrong(say("check.copy-broken-given", given=given, why=told(question, fault)))
        if fault := seen.refused.get(GIVEN):
            return wrong(say("check.target-broken-given", given=given, why=told(question, fault)))
    return wrong(say("check.copy-differs", given=given)) if _differ(question, seen) else None


def _differ(question: Question, seen: Observation) -> bool:
    """Whether a pair of other sizes gives other outputs behind the copy, where the case's own gives the same ones.

    Where it does not, one of the two is replaced by what computes something else.
    """
    own, copied, due, given = (compare.tensor(seen, name) for name in (STILL, RESULT, DUE, GIVEN))
    if any(each is None or not compare.are_floats(each) for each in (own, copied, due, given)):
        return False
    loose = max(LOOSE, LOOSE_UNITS * compare.EPSILON[question.dtype])

    def are_alike(one: Any, other: Any) -> bool:
        if one.shape != other.shape:
            return False
        return bool((np.abs(one - other) <= loose * np.abs(one).max(initial=0.0)).all())

    return bool(np.isfinite(due).all()) and are_alike(own, copied) and not are_alike(due, given)


def _of_source(seen: Observation) -> Finding | None:
    """The finding on a weight of the source's that is not what it was, whatever it gives; None for none."""
    left = {slot.name: slot for slot in seen.slots[LEFT]}
    # A tensor that it only keeps, such as the last weights, is another one as soon as a copy tries what it made.
    for was in (slot for slot in seen.slots[READ] if slot.trainable or slot.kind in PARAMETERS):
        before, after = (seen.tensors.get(f"{key}.{was.name}") for key in (READ, LEFT))
        if was.trainable and not (was.name in left and left[was.name].trainable):
            return wrong(say("check.source-not-trained", slot=was.name))
        if before is not None and (after is None or not np.array_equal(before, after, equal_nan=True)):
            return wrong(say("check.source-changed", slot=was.name), "input-mutated")
    return None


def _holds(question: Question, seen: Observation) -> bool:
    """Whether every number of the source's weights stands somewhere in what the target held before, too.

    In any arrangement, since a target may fuse or turn its layers. A bias is not looked for: of the keys' it makes no
    difference to any output.
    """
    numbers = np.concatenate([np.zeros(0), *_held(seen)])
    return all(_all_in(array.astype(np.float64), numbers) for _, array in _due(question))


def _reshaped(seen: Observation) -> tuple[str, str]:
    """A weight of the target's that has another shape than before the copy, and what is said of it; "" for none."""
    before = {slot.name: slot.shape for slot in seen.slots[EMPTY]}
    for slot in seen.slots[FILLED]:
        if (shape := before.get(slot.name, slot.shape)) != slot.shape:
            return slot.name, say("check.slot-shape", slot=slot.name, shape=slot.shape, expected=shape)
    return "", ""


def _frozen(question: Question, seen: Observation) -> str:
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


def _carried(question: Question, seen: Observation) -> Iterator[str]:
    """What there is to say of weights that hold other numbers than those of the source's that are called alike.

    Of those alone that have as many, and a shape that says which way they lie.
    """
    due = _due_by_role(question)
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
    return [*(["query-key-swapped"] if is_exchanged else []), *(["projection-reused"] if reused else [])]


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


def _joins(question: Question, seen: Observation) -> bool:
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


def _pair(
    question: Question, source: str, target: str, changed: Mapping[str, Any] | None = None, *, may_fail: bool = False
) -> tuple[Make, Make]:
    """Make a source and a target with the case's arguments, some of them changed in both."""
    options = question.step.options
    construct = {**question.case.template.construct, **(changed or {})}
    return (
        _make(source, options["source"], construct, may_fail),
        _make(target, options["target"], {**construct, **options.get("target_construct", {})}, may_fail),
    )


def _make(name: str, path: str, construct: Mapping[str, Any], may_fail: bool) -> Make:
    module, definition = path.split(".")
    return Make(name, module, definition, tuple(map(Value, construct.values())), may_fail)
