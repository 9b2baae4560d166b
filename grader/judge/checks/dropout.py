"""`dropout`: weights are dropped at the rate asked, survivors are scaled, in training only.

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
from grader.judge.checks.asking import MODULE, called, called_with, inputs, is_class, made, tensors
from grader.judge.checks.extra import unwanted
from grader.model.case import Expected
from grader.model.check import RIGHT, CaseArgument, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.pack import Input
from grader.model.run import Action, Inspect, Mode, Run, Send
from grader.words import say

# So many weights are drawn in all, however many calls that takes of tensors as large as the case's: more in one call
# cost next to nothing, more calls do. Some there are anyhow, since calls are to differ, also in how many they drop.
DRAWN = 1_300
FEWEST, MOST = 8, 16
PLAIN = "plain"
DROPPED = "dropped"
EVALUATED = "evaluated"
# Asked once more: what comes out differently each time is drawn at random.
PLAIN_AGAIN = "plain again"
EVALUATED_AGAIN = "evaluated again"
# A right answer fails less than once in 10⁹ runs; Hoeffding's inequality turns this into an interval for the share.
FAILURE = 1e-9
# Weights below this are too near zero to tell a dropped one from a survivor.
VISIBLE = 1e-3
# How far a ratio of two roundings may lie from what it should be: a hundredth, and more only where digits are fewer.
LOOSE, LOOSE_UNITS = 1e-2, 4.0
# What calls say of one another, they say only where each was given the same inputs.
COMPARED = ("dropout-in-eval", "dropout-on-context")


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
        if any(array is None or array.dtype.kind != "f" or array.ndim == 0 for array in arrays):
            said = say("check.no-floats", got=compare.described(seen, _not_floats(results, arrays)))
            items = seen.returned[DROPPED].items if DROPPED in seen.returned else ()
            is_none = any(item.kind == "none" for item in items)
            return wrong(said, "returns-none" if is_none else compare.nothing(seen, *results))
        if compare.lifeless(plain):
            return wrong(_without(question, plain, evaluated, dropped))
        if evaluated.shape != plain.shape or dropped.shape != (calls(question), *plain.shape):
            return wrong(say("check.shape-in-training"))
        if said := _of_another_type(question, seen, results):
            return wrong(said)
        finding = _finding(question, seen, plain, evaluated, dropped)
        if finding.right or not compare.changed_inputs(seen, question.case):
            return finding
        certain = tuple(name for name in finding.mistakes if name not in COMPARED)
        summary = finding.summary if finding.mistake in certain else say("check.calls-change-inputs")
        return replace(finding, mistake="", also=certain, summary=summary)


def _not_floats(names: list[str], arrays: list[Any]) -> str:
    """The first of these results that is no tensor of floats."""
    pairs = zip(names, arrays, strict=True)
    return next((name for name, each in pairs if each is None or each.dtype.kind != "f"), names[0])


def _of_another_type(question: Question, seen: Observation, names: list[str]) -> str:
    """What is said of a function whose results have another type than its argument; a class has steps that compare."""
    types = [seen.returned[name].dtype for name in names if seen.returned[name].kind == "tensor"]
    other = next((dtype for dtype in types if dtype != question.dtype), "")
    return say("judge.dtype", got=other, expected=question.dtype) if other and not is_class(question) else ""


def calls(question: Question) -> int:
    """How often dropout is asked for in training."""
    return min(MOST, max(FEWEST, math.ceil(DRAWN / _weights(question))))


def _weights(question: Question) -> int:
    """How many weights one call drops from: a class has one for each pair of a token with an earlier one, or itself."""
    shape: tuple[int, ...] = max(map(np.shape, question.case.inputs.values()), key=math.prod, default=())
    if not is_class(question) or len(shape) < 2:
        return max(1, math.prod(shape))
    heads: int = question.step.options.get("heads", 1)
    tokens = shape[-2]
    return max(1, math.prod(shape[:-2]) * heads * tokens * (tokens + 1) // 2)


def _finding(
    question: Question, seen: Observation, plain: np.ndarray, evaluated: np.ndarray, dropped: np.ndarray
) -> Finding:
    if _differs(seen, PLAIN, PLAIN_AGAIN) and not compare.changed_inputs(seen, question.case):
        return wrong(say("check.dropped-at-zero"))  # against which nothing else can be measured
    if factor := _scaled_at_zero(question, plain, evaluated):
        return wrong(say("check.scaled-at-zero", factor=f"{factor:.3g}"))
    found = law(question, plain, dropped)
    if compare.values(question, evaluated, plain.astype(np.float64)).right:
        return found
    mistake = _outside_training(question, seen, plain, evaluated)
    if mistake and "dropout-missing" in found.mistakes:  # one mistake: the branches have changed places
        return wrong(say("check.only-outside-training"), mistake)
    if not mistake and (said := unwanted(question, seen)):  # which is drawn anew for each module
        return wrong(said, at=MODULE)
    return replace(wrong(say("check.dropout-stays-on"), mistake), also=found.mistakes)


def _scaled_at_zero(question: Question, plain: np.ndarray, evaluated: np.ndarray) -> float:
    """What everything is multiplied by where p = 0, as by who divides by a number of their own; 0 for nothing.

    Of a class all there is to compare with is what it gives outside training, which may be what is scaled.
    """
    if is_class(question):
        before = evaluated
        if _rescaled(question, plain, evaluated):
            return 0.0
    else:
        before = max(question.case.inputs.values(), key=np.size)
    if np.shape(before) != plain.shape or not (visible := np.abs(before) > VISIBLE).any():
        return 0.0
    if (np.abs(plain) > VISIBLE)[~visible].any():  # of which something was dropped
        return 0.0
    ratio = plain[visible] / before[visible]
    factor, loose = float(np.median(ratio)), _loose(question)
    is_scaled = abs(factor - 1.0) > loose and abs(factor) > loose and bool((np.abs(ratio - factor) < loose).all())
    return factor if is_scaled else 0.0


def _without(question: Question, plain: np.ndarray, evaluated: np.ndarray, dropped: np.ndarray) -> str:
    """What is said of an output with p = 0 in which nothing could be dropped."""
    if not np.isfinite(plain).all() and np.isfinite(dropped).all() and np.isfinite(evaluated).all():
        return say("check.infinite-at-zero")
    is_exchanged = not plain.any() and _keeps_what_is_to_go(question, evaluated, dropped)
    return say("check.all-dropped" if is_exchanged else "check.nothing-to-drop")


def _keeps_what_is_to_go(question: Question, evaluated: np.ndarray, dropped: np.ndarray) -> bool:
    """Whether in training about 1 - p of what is there outside training is gone, and not p of it."""
    rate = float(_rate(question))
    if dropped.shape[1:] != evaluated.shape or not (np.abs(evaluated) > VISIBLE).any():
        return False
    share = float((dropped == 0)[:, np.abs(evaluated) > VISIBLE].mean())
    return abs(share - (1.0 - rate)) < abs(share - rate)


def _outside_training(question: Question, seen: Observation, plain: np.ndarray, evaluated: np.ndarray) -> str:
    """The mistake where it is certain that what differs outside training is dropout."""
    if _hidden(seen):
        return ""
    is_dropout = _drops(question, plain, evaluated) or _rescaled(question, plain, evaluated)
    is_random = _differs(seen, EVALUATED, EVALUATED_AGAIN)  # although it does not where p = 0
    return "dropout-in-eval" if is_dropout or is_random else ""


def _rescaled(question: Question, plain: np.ndarray, result: np.ndarray) -> bool:
    """Whether every value is 1 - p of what it was, or what a survivor would be."""
    kept = 1.0 - float(_rate(question))
    return any(bool(np.allclose(result, plain * factor, atol=VISIBLE)) for factor in (kept, 1.0 / kept))


def _differs(seen: Observation, once: str, again: str) -> bool:
    """Whether asking again gives something else."""
    first, second = compare.tensor(seen, once), compare.tensor(seen, again)
    if second is None or first.shape != second.shape:
        return False
    return not np.allclose(first, second, atol=VISIBLE)


def _drops(question: Question, plain: np.ndarray, result: np.ndarray) -> bool:
    """Whether every visible value is either gone or as it was, scaled or not."""
    visible = np.abs(plain) > VISIBLE
    loose = _loose(question)
    with np.errstate(all="ignore"):
        ratio = np.divide(result, plain, out=np.zeros_like(plain), where=visible)
    gone = visible & (np.abs(ratio) < loose)
    kept = (np.abs(ratio - 1.0) < loose) | (np.abs(ratio - 1.0 / (1.0 - float(_rate(question)))) < loose)
    return bool(gone.any() and (visible & kept).any() and (gone | kept)[visible].all())


def _hidden(seen: Observation) -> bool:
    """Whether parts of the module are out of torch's sight, and so were never told that training is over."""
    return any(slot.kind == "loose" for slot in seen.slots.get(MODULE, ()))


def law(question: Question, plain: np.ndarray, dropped: np.ndarray) -> Finding:
    """Whether each number is dropped at the rate asked, on its own, and else as large as a survivor is to be.

    plain: what there is to drop from. dropped: (calls, *plain.shape), each drawn anew.
    """
    rate, loose = float(_rate(question)), _loose(question)
    heads, copies = question.step.options.get("heads", 1), question.step.options.get("copies", 1)
    visible = np.broadcast_to(np.abs(plain) > VISIBLE, dropped.shape)
    if not visible.any():
        return wrong(say("check.zero-to-drop"))
    ratio = np.divide(dropped, plain, out=np.zeros_like(dropped), where=visible)
    gone = visible & (np.abs(ratio) < loose)
    scaled = visible & (np.abs(ratio - 1.0 / (1.0 - rate)) < loose)
    if bool((np.abs(ratio - 1.0) < loose)[visible].all()):
        return wrong(say("check.nothing-dropped", rate=f"{rate:g}"), "dropout-missing")
    if plain.shape[-1] % (heads * copies):
        return wrong(say("check.dropout-unclear"))
    parts = gone.reshape(*gone.shape[:-1], heads, copies, -1)
    is_laid_out = _is_weights(plain.reshape(*plain.shape[:-1], heads, copies, -1), loose, is_class(question))
    if not (gone | scaled)[visible].all():
        kept = visible & ~gone
        if bool((np.abs(ratio - 1.0) < loose)[kept].all()):
            return wrong(say("check.not-scaled", rate=f"{rate:g}"), "dropout-unscaled")
        if not is_laid_out:
            return wrong(say("check.dropout-unclear"))
        with np.errstate(all="ignore"):
            shares = dropped.reshape(*dropped.shape[:-1], heads, copies, -1).sum(axis=-1)
        if bool((np.abs(shares - 1.0) < loose).all()):
            return wrong(say("check.dropped-scores"), "dropout-on-scores")
        is_twice = bool((np.abs(ratio * (1.0 - rate) ** 2 - 1.0) < loose)[kept].all())
        mistake = "dropout-on-context" if is_twice and not _together(parts) else ""
        factor = float(np.median(ratio[kept]))
        if math.isfinite(factor) and bool(np.allclose(ratio[kept], factor, rtol=0.0, atol=loose)):
            due = f"{1.0 / (1.0 - rate):.3g}"
            return wrong(say("check.scaled-otherwise", factor=f"{factor:.3g}", due=due), mistake)
        of_class, of_function = say("check.neither-dropped-nor-scaled"), say("check.survivors-not-scaled")
        return wrong(of_class if is_class(question) else of_function, mistake)
    if not _together(parts):
        if not is_laid_out:
            return wrong(say("check.dropout-unclear"))
        return wrong(say("check.dropped-context"), "dropout-on-context")
    return _share(parts[..., 0, :], visible.reshape(*gone.shape[:-1], heads, copies, -1)[..., 0, :], rate)


def _together(gone: np.ndarray) -> bool:
    """Whether all copies of a weight are dropped together."""
    return bool((gone == gone[..., :1, :]).all())


def _is_weights(parts: np.ndarray, loose: float, of_class: bool) -> bool:
    """Whether copies of weights are alike, as they are where values and heads keep to their places.

    of_class: whether the weights are a module's own, which sum to 1.
    """
    are_shares = not of_class or np.allclose(parts.sum(axis=-1), 1.0, atol=loose)
    return bool(are_shares and np.allclose(parts, parts[..., :1, :], atol=loose))


def _share(gone: np.ndarray, visible: np.ndarray, rate: float) -> Finding:
    count = int(visible.sum())
    if count == 0:
        return wrong(say("check.dropout-unclear"))
    share = float(gone.sum()) / count
    allowed = math.sqrt(math.log(2.0 / FAILURE) / (2.0 * count))
    if abs(share - rate) > allowed:
        none = "dropout-missing" if share == 0.0 else ""
        figures = {"share": f"{share:.0%}", "rate": f"{rate:.0%}"}
        is_exchanged = abs(share - (1.0 - rate)) <= allowed
        return wrong(say("check.share-kept" if is_exchanged else "check.share-dropped", **figures), none)
    if all(bool((gone[0] == other).all()) for other in gone[1:]):
        return replace(wrong(say("check.same-each-time")), repeats=True)
    if any(_goes_together(gone, visible, axis, rate) for axis in range(1, gone.ndim)):
        return wrong(say("check.dropped-together"))
    if are_counted_out(gone, count // len(gone), rate):
        return wrong(say("check.same-number"))
    return RIGHT


def are_counted_out(gone: np.ndarray, visible: int, rate: float) -> bool:
    """Whether each call drops as many as any other, of so many that can be seen. Axis 0 is the calls."""
    counts = gone.reshape(len(gone), -1).sum(axis=1)
    likeliest = min(visible, math.floor((visible + 1) * rate))
    ways = math.lgamma(visible + 1) - math.lgamma(likeliest + 1) - math.lgamma(visible - likeliest + 1)
    at_most = math.exp(ways + likeliest * math.log(rate) + (visible - likeliest) * math.log1p(-rate))
    by_chance = at_most ** (len(counts) - 1)  # whatever the first call drops, each other does with at most this
    return bool(by_chance < FAILURE and (counts == counts[0]).all())


def _goes_together(gone: np.ndarray, visible: np.ndarray, axis: int, rate: float) -> bool:
    """Whether two neighbours along an axis are dropped alike wherever both can be seen. Axis 0 is the calls."""
    slices, seen = (np.moveaxis(array, axis, 0) for array in (gone, visible))
    alike = rate**2 + (1 - rate) ** 2
    for number in range(len(slices) - 1):
        both = seen[number] & seen[number + 1]
        by_chance = alike ** int(both.sum())
        if by_chance * len(slices) < FAILURE and (slices[number] == slices[number + 1])[both].all():
            return True
    return False


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


def _loose(question: Question) -> float:
    return max(LOOSE, LOOSE_UNITS * compare.EPSILON[question.dtype])


def _rate(question: Question) -> float:
    template = question.case.template
    given = {**template.construct, **template.inputs}
    return given[question.step.options["rate"]]  # type: ignore[return-value]
