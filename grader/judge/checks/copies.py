"""`copies`: after one module's weights were copied into another, it holds them, both give the same outputs, and the
source is what it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.checks import copied_weights
from grader.judge.checks.asking import RESULT, called_with, inputs, tensors, told, weights
from grader.judge.checks.copied_weights import EMPTY, FILLED
from grader.model.case import Expected
from grader.model.check import Finding, Question, wrong
from grader.model.observation import PARAMETERS, Observation
from grader.model.run import Action, Call, Inspect, Load, Made, Make, Mode, Run, Value
from grader.words import say

SOURCE = "source"
TARGET = "target"
# What the source gives before the copy and after it.
WAS, STILL = "was", "still"
# What it holds.
READ, LEFT = "read", "left"
COPIED = "copied"
# Another pair, as they are made, which is in training: what each of them gives before the copy and behind it. Where one
# drops at random that is another thing each of two times, of more than a hundred weights all but surely.
TRAINED, BESIDE = "trained", "beside"
BEFORE, BEHIND, TIMES = "before", "behind", 2
BESIDE_BEFORE, BESIDE_BEHIND = f"{BESIDE} {BEFORE}", f"{BESIDE} {BEHIND}"
# A third pair, as they are made, of other sizes: what its target gives before the copy, which it may be unable to by
# itself; then what the source gives, and behind the copy the target.
OTHER, FOR_OTHER = "other source", "other target"
ABLE, DUE, GIVEN = "able", "due", "given"
COPIED_TRAINED, COPIED_OTHER = f"{COPIED} behind", f"{COPIED} given"

# By how much of the largest number two modules of the same weights may differ; of others they differ by much more.
LOOSE, LOOSE_UNITS = 1e-2, 16.0


class Copies:
    """Makes a source with the case's weights and a target, calls the function on both, compares their outputs.

    Options. `source`, `target`: each "module.Class". `target_construct`: the target's arguments that differ.
    `left`: weights of the target, by the reference's names, that students leave as they were, with that mistake's id.
    `joins`: whether the source's weights that are called alike but for a number come to stand in one of the target's.
    `training`: arguments of both with which they drop at random in training, where the copy has to leave them.
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
            slot, why = copied_weights.reshaped(seen)
            why = why or told(question, seen.refused[RESULT])
            return replace(wrong(say("check.target-broken", why=why)), about=slot)
        copied = compare.returned(question, RESULT, seen, expected)
        if not copied.right:
            said = say("check.target-output", said=copied.summary)
            return replace(wrong(said), notes=tuple(copied_weights.otherwise_held(question, seen)))
        if frozen := copied_weights.frozen(question, seen):
            return wrong(say("check.no-longer-trained", slot=frozen))
        if not copied_weights.holds(question, seen):
            return wrong(say("check.weights-elsewhere"))
        if question.step.options.get("joins") and not copied_weights.joins(question, seen):
            return wrong(say("check.not-joined", target=question.step.options["target"].rpartition(".")[2]))
        still = compare.returned(question, STILL, seen, expected)
        if not still.right and changes_source(seen):
            return wrong(say("check.source-output", said=still.summary), "input-mutated")
        if _ends_dropping(seen, BEFORE, BEHIND):
            return wrong(say("check.source-evaluated"))
        if _ends_dropping(seen, BESIDE_BEFORE, BESIDE_BEHIND):
            return wrong(say("check.target-evaluated"))
        return _of_another_pair(question, seen) or _of_source(seen) or copied


def changes_source(seen: Observation) -> bool:
    """Whether a source gives something else behind the copy than before it."""
    before, after = compare.tensor(seen, WAS), compare.tensor(seen, STILL)
    return before is not None and after is not None and not np.array_equal(before, after, equal_nan=True)


def _in_training(question: Question) -> tuple[Action, ...]:
    """What is asked of a pair that is in training when weights are copied, if the rubric says how to tell.

    Of the step's first case alone: it takes as long as all else that is asked there.
    """
    if not (changed := question.step.options.get("training")) or question.case.name != question.step.cases[0]:
        return ()
    arguments = inputs(question)
    return (
        *_pair(question, TRAINED, BESIDE, changed, may_fail=True),
        Call(BEFORE, of=TRAINED, arguments=arguments, times=TIMES, may_fail=True),
        Call(BESIDE_BEFORE, of=BESIDE, arguments=arguments, times=TIMES, may_fail=True),
        called_with(question, COPIED_TRAINED, (Made(TRAINED), Made(BESIDE)), may_fail=True),
        Call(BEHIND, of=TRAINED, arguments=arguments, times=TIMES, may_fail=True),
        Call(BESIDE_BEHIND, of=BESIDE, arguments=arguments, times=TIMES, may_fail=True),
    )


def _ends_dropping(seen: Observation, *names: str) -> bool:
    """Whether a module that drops at random, as the first of these results shows, no longer does behind the copy."""
    before, behind = (compare.tensor(seen, name) for name in names)
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
