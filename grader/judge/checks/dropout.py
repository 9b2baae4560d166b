"""`dropout`: weights are dropped at the rate asked, survivors are scaled, in training only, also behind evaluation.

Tested by its law, never by its mask. The case's values are identities, so that the output is the dropped weights
themselves: column j of a token's output is the weight it gives to token j. The identity stands there more than once,
so that dropping weights (all copies alike) is told from dropping the output (each copy on its own).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.binding import labels, paths
from grader.judge.checks.against_inputs import against_inputs
from grader.judge.checks.asking import (
    MODULE,
    called,
    called_with,
    inputs,
    is_class,
    largest_input,
    made,
    tensors,
)
from grader.judge.checks.extra import unwanted
from grader.judge.checks.law import VISIBLE, law, loose_of
from grader.judge.checks.outside import EVALUATED, EVALUATED_AGAIN, differs, is_dropout, is_dropped, is_rescaled
from grader.judge.checks.spoilt import spoilt
from grader.judge.summaries import NO_DROPOUT_SEEN, is_said
from grader.model.case import Expected
from grader.model.check import CaseArgument, Finding, Question, wrong
from grader.model.observation import Observation, Slot
from grader.model.pack import Input
from grader.model.run import Action, Inspect, Mode, Run, Send
from grader.words import say

# So many weights are drawn in all, however many calls that takes of tensors as large as the case's: more in one call
# cost next to nothing, more calls do. Some there are anyhow, since calls are to differ, also in how many they drop.
DRAWN = 1_300
FEWEST, MOST = 8, 16
# Behind evaluation, where calls are known to differ in number, what is drawn counts alone; by fewer nobody sees a mask
# that comes again.
FEWEST_LATER = 4
PLAIN = "plain"
DROPPED = "dropped"
# The same once more, as outside training.
PLAIN_AGAIN = "plain again"
# A class is asked in training once more, behind evaluation, which may neither end dropout for good nor change it.
LATER = "dropped later"
# What calls say of one another, they say only where each was given the same inputs. Those outside training were where
# the two before them are alike, although something is changed later on.
COMPARED = ("dropout-in-eval", "dropout-on-context")
# A row of fewer numbers may sum to 1 by chance.
FEW = 4


class Dropout:
    """Options. `rate`: the argument that holds p. `training`: for a function, the argument that switches it on.

    `heads`, `copies`: how the last axis of the output is made up: heads, then copies of the weights.
    """

    name = "dropout"
    compares = False
    explained = False
    options: Mapping[str, type] = {"rate": CaseArgument, "training": CaseArgument, "heads": int, "copies": int}

    def plan(self, question: Question) -> Run:
        actions = _of_class(question) if is_class(question) else _of_function(question)
        given = tensors(question)
        return Run((*actions, Send(tuple(name for name in question.case.inputs if name in given))), given)

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        results = [PLAIN, EVALUATED, DROPPED]
        plain, evaluated, dropped = arrays = [compare.tensor(seen, name) for name in results]
        if not compare.are_floats(*arrays):
            said = compare.no_floats(_each(seen, DROPPED), _not_floats(results, arrays))
            items = seen.returned[DROPPED].items if DROPPED in seen.returned else ()
            is_none = any(item.kind == "none" for item in items)
            found = wrong(said, "returns-none" if is_none else compare.nothing(seen, *results))
            return against_inputs(question, seen, found, evaluated, dropped)
        if not all(array.ndim for array in arrays):
            return wrong(say("check.single-number"))
        if compare.lifeless(plain):
            return spoilt(question, seen, plain, evaluated, dropped)
        if evaluated.shape != plain.shape or dropped.shape != (calls(question), *plain.shape):
            return wrong(say("check.shape-in-training"))
        if said := _of_another_type(question, seen, results):
            return wrong(said)
        finding = _finding(question, seen, plain, evaluated, dropped)
        if finding.right or not compare.changed_inputs(seen, question):
            return finding
        again = compare.tensor(seen, PLAIN_AGAIN)
        is_alike = again is not None and not differs(seen, PLAIN, PLAIN_AGAIN)
        told_apart = {*COMPARED} - ({"dropout-in-eval"} if is_alike else set())
        certain = tuple(name for name in finding.mistakes if name not in told_apart)
        summary = finding.summary if finding.mistake in certain else say("check.calls-change-inputs")
        return replace(finding, mistake="", also=certain, summary=summary, besides=())


def _each(seen: Observation, name: str) -> Observation:
    """What is seen, with one call's result for those of several calls, which are no tensors alike."""
    items = seen.returned[name].items if name in seen.returned else ()
    odd = next((each for each in items if each.kind != "tensor"), None)
    return seen if odd is None else replace(seen, returned={**seen.returned, name: odd})


def _not_floats(names: list[str], arrays: list[Any]) -> str:
    """The first of these results that is no tensor of floats."""
    pairs = zip(names, arrays, strict=True)
    return next((name for name, each in pairs if not compare.are_floats(each)), names[0])


def _of_another_type(question: Question, seen: Observation, names: list[str]) -> str:
    """What is said of a function whose results have another type than its argument; "" for none.

    And of a class that gives another one in training alone: what it gives outside, other steps compare.
    """
    types = {name: seen.returned[name].dtype for name in names if seen.returned[name].kind == "tensor"}
    if is_class(question) and types.get(EVALUATED) != question.dtype:
        return ""
    other = next((dtype for dtype in types.values() if dtype != question.dtype), "")
    return compare.another_type(other, question.dtype) if other else ""


def calls(question: Question, fewest: int = FEWEST) -> int:
    """How often dropout is asked for in training."""
    return min(MOST, max(fewest, math.ceil(DRAWN / _weights(question))))


def _weights(question: Question) -> int:
    """How many weights one call drops from: a class has one for each pair of a token with an earlier one, or itself."""
    shape: tuple[int, ...] = np.shape(largest_input(question))
    if not is_class(question) or len(shape) < 2:
        return max(1, math.prod(shape))
    heads: int = question.step.options.get("heads", 1)
    tokens = shape[-2]
    return max(1, math.prod(shape[:-2]) * heads * tokens * (tokens + 1) // 2)


def _finding(
    question: Question, seen: Observation, plain: np.ndarray, evaluated: np.ndarray, dropped: np.ndarray
) -> Finding:
    if differs(seen, PLAIN, PLAIN_AGAIN) and not compare.changed_inputs(seen, question):
        return wrong(say("check.dropped-at-zero"))  # against which nothing else can be measured
    if factor := _scaled_at_zero(question, plain, evaluated):
        return wrong(say("check.scaled-at-zero", factor=f"{factor:.3g}"))
    found = law(question, plain, dropped)
    if is_said(("check.dropout-unclear",), found.summary):
        found = _misshapen(question, plain) or found
    if not found.right and _are_made_one(question, plain, dropped):
        return replace(found, summary=say("check.rows-made-one"))
    if compare.values(question, evaluated, plain.astype(np.float64)).right:
        return _later(question, seen, plain) if found.right and is_class(question) else found
    is_of_dropout = is_dropout(question, seen, plain, evaluated)
    hidden = _hidden(seen)
    if is_of_dropout and any(slot.trainable and labels.NUMBER.search(paths.module(slot.name)) for slot in hidden):
        return replace(wrong(say("check.eval-unreached"), "heads-unregistered", at=MODULE), also=found.mistakes)
    mistake = "dropout-in-eval" if is_of_dropout and not hidden else ""
    is_there = is_dropped(question, seen, plain, evaluated)
    if mistake and is_there and "dropout-missing" in found.mistakes:  # one mistake: the branches have changed places
        return wrong(say("check.only-outside-training"), mistake)
    said, slot = unwanted(question, seen) if not mistake else ("", "")
    if said:  # it is drawn anew for each module
        return replace(wrong(said, at=MODULE), about=slot)
    more = found.besides if found.right or found.mistake else (found.summary, *found.besides)
    more = () if is_said(NO_DROPOUT_SEEN, found.summary) else more
    return replace(wrong(say("check.dropout-stays-on"), mistake), also=found.mistakes, besides=more)


def _misshapen(question: Question, plain: np.ndarray) -> Finding | None:
    """What is found of a class whose output has no room, or too much, for the copies of every head's weights."""
    given: tuple[int, ...] = np.shape(largest_input(question))
    if not is_class(question) or len(given) < 2:
        return None
    heads, copies = question.step.options.get("heads", 1), question.step.options.get("copies", 1)
    due = (*given[:-1], heads * copies * given[-2])
    return None if plain.shape == due else wrong(say("check.dropout-misshapen", got=plain.shape, expected=due))


def _later(question: Question, seen: Observation, plain: np.ndarray) -> Finding:
    """The finding on training behind evaluation, of what drops as it should before it."""
    later = compare.tensor(seen, LATER)
    if not compare.are_floats(later):
        return wrong(compare.no_floats(_each(seen, LATER), LATER), compare.nothing(seen, LATER), at=MODULE)
    if later.shape != (calls(question, FEWEST_LATER), *plain.shape):
        return wrong(say("check.shape-in-training"), at=MODULE)
    if not np.isfinite(later).all():
        return wrong(say("check.broken-by-evaluation"), at=MODULE)
    found = law(question, plain, later)
    if found.right:
        return found
    visible = np.abs(plain) > VISIBLE
    is_gone = np.abs(later[:, visible]) < loose_of(question) * np.abs(plain[visible])
    said = say("check.dropout-later", said=found.summary) if is_gone.any() else say("check.dropout-ended")
    return replace(wrong(said, at=MODULE), repeats=found.repeats)


def _scaled_at_zero(question: Question, plain: np.ndarray, evaluated: np.ndarray) -> float:
    """What everything is multiplied by where p = 0, as by who divides by a number of their own; 0 for nothing.

    Of a class all there is to compare with is what it gives outside training, which may be what is scaled.
    """
    if is_class(question):
        before = evaluated
        if is_rescaled(question, plain, evaluated):
            return 0.0
    else:
        before = largest_input(question)
    if np.shape(before) != plain.shape or not (visible := np.abs(before) > VISIBLE).any():
        return 0.0
    if (np.abs(plain) > VISIBLE)[~visible].any():  # of which something was dropped
        return 0.0
    ratio = plain[visible] / before[visible]
    factor, loose = float(np.median(ratio)), loose_of(question)
    is_scaled = abs(factor - 1.0) > loose and abs(factor) > loose and bool((np.abs(ratio - factor) < loose).all())
    return factor if is_scaled else 0.0


def _are_made_one(question: Question, plain: np.ndarray, dropped: np.ndarray) -> bool:
    """Whether a function makes each row sum to 1 that did not before, but where all of it is gone."""
    given = largest_input(question)
    if is_class(question) or np.shape(given) != plain.shape or plain.shape[-1] < FEW:
        return False
    loose = loose_of(question)
    before, after, left = (each.sum(axis=-1) for each in (given, plain, dropped))
    is_left = np.isfinite(left) & (np.abs(dropped) > 0).any(axis=-1)
    is_one_before = bool((np.abs(before - 1.0) < loose).any())
    are_one = bool((np.abs(after - 1.0) < loose).all() and (np.abs(left - 1.0) < loose)[is_left].all())
    return not is_one_before and are_one and bool(is_left.any())


def _hidden(seen: Observation) -> list[Slot]:
    """The parts of the module that are out of torch's sight, and so were never told that training is over."""
    return [slot for slot in seen.slots.get(MODULE, ()) if slot.kind == "loose"]


def _of_class(question: Question) -> tuple[Action, ...]:
    rate = question.step.options["rate"]
    return (
        *made(question, "without", training=True, **{rate: 0.0}),
        called(question, PLAIN, of="without"),
        called(question, PLAIN_AGAIN, of="without"),
        *made(question, training=True),
        called(question, DROPPED, times=calls(question)),
        Mode(MODULE, training=False),
        called(question, EVALUATED),
        called(question, EVALUATED_AGAIN),
        Mode(MODULE, training=True),
        called(question, LATER, times=calls(question, FEWEST_LATER)),
        Inspect(MODULE),
    )


def _of_function(question: Question) -> tuple[Action, ...]:
    rate, training = question.step.options["rate"], question.step.options["training"]
    without: dict[str, Input] = {rate: 0.0, training: True}
    settings: dict[str, dict[str, Input]] = {PLAIN: without, PLAIN_AGAIN: without}
    settings |= {EVALUATED: {training: False}, EVALUATED_AGAIN: {training: False}}
    settings |= {DROPPED: {training: True}}
    return tuple(
        called_with(question, name, inputs(question, **changed), times=calls(question) if name == DROPPED else 1)
        for name, changed in settings.items()
    )
