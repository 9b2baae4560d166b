"""`gradients`: a gradient reaches everything that is to be learnt."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import MODULE, RESULT, asked, called, is_class, make, tensors, told, weights
from grader.judge.checks.dropout import Dropout
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import DETACHED, PARAMETERS, Observation
from grader.model.run import Action, Backward, Inspect, Load, Mode, Run
from grader.model.run import Gradients as SendGradients
from grader.words import say

# Gradients add up more than results do, and lose more digits; what is cut off anywhere is off by much more.
LOOSE, LOOSE_UNITS = 1e-2, 16.0
PREFIX, OF_FIRST = "gradient.", "first."
# A module that is made with other arguments, and what it gives.
OTHER, GIVEN = "other", "given"
OF_OTHER = f"{OTHER}."
# What its biases are, which is no matter but that of all of them: fused or not, they are the same then.
BIAS = 0.25
# What a module gives outside training, and what once its weights are others.
OUTSIDE, LEARNT = "outside", "learnt"
# So much of each weight is left of it then; a weight of 0 stays one.
OF_EACH = 0.5


class Gradients:
    """Sends a gradient back and asks that it is finite and not all zero, for each weight or each tensor argument.

    Of weights that lie together as one, so many zeros that one of them may be of no use are too many.

    A class is asked in training, which is what gradients are for, then outside it, and once more with other weights,
    which is what comes of them: who keeps something of the weights learns nothing. Option `also`: arguments that
    another module is made with, where a gradient has to reach every weight as well.

    The values are `output`'s to judge: a wrong result with sound gradients loses nothing here. Where the result is
    right, its gradients have to be the reference's: they are not where a part of it is cut off. Where what a module
    gives outside training is right, that is due in training as well, unless it has dropout, which is judged elsewhere.
    """

    name = "gradients"
    compares = True
    explained = False
    options: Mapping[str, type] = {"also": dict}

    def plan(self, question: Question) -> Run:
        ask = asked(question, training=True, track=not is_class(question))
        if is_class(question):
            slots = next(action.weights for action in ask if isinstance(action, Load))
            send = SendGradients(of=MODULE, tensors=tuple(slots))
            then = (
                Mode(MODULE, training=False),
                called(question, OUTSIDE, may_fail=True),
                Mode(MODULE, training=True),
                Load(MODULE, weights(question), times=OF_EACH),
                Mode(MODULE, training=False),
                called(question, LEARNT, may_fail=True),
            )
            return Run((*ask, Backward(RESULT), send, *then, *_otherwise(question)), tensors(question))
        send = SendGradients(tensors=_floating(question))
        return Run((*ask, Backward(RESULT), send), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        wanted = question.loaded if is_class(question) else _floating(question)
        sizes = _sizes(expected.observation)
        for name in wanted:
            gradient = seen.tensors.get(f"{PREFIX}{name}")
            if gradient is None:
                return wrong(say("check.no-gradient", name=name))
            if not np.isfinite(gradient).all():
                return wrong(say("check.gradient-not-finite", name=name))
            if not gradient.any():
                return wrong(say("check.gradient-zero", name=name))
            holds_several = gradient.ndim > 1 and gradient.size not in sizes
            if holds_several and np.count_nonzero(gradient == 0) >= min(sizes, default=math.inf):
                return wrong(say("check.gradient-zero-in-part", name=name))
        result = compare.returned(question, RESULT, seen, expected)
        if result.right and not _are_due(question, seen, expected.observation):
            return wrong(say("check.gradients-off"))
        if not (other := _of_other(question, seen, expected)).right:
            return other
        if not is_class(question) or not compare.returned(question, OUTSIDE, seen, expected).right:
            return RIGHT
        if not result.right and not _has_dropout(question):
            return wrong(say("check.otherwise-in-training", said=result.summary), at=RESULT)
        if LEARNT in seen.refused:
            return wrong(say("check.learnt-broken", why=told(question, seen.refused[LEARNT])), at=RESULT)
        learnt = compare.returned(question, LEARNT, seen, expected)
        return RIGHT if learnt.right else wrong(say("check.learnt-wrong", said=learnt.summary), at=RESULT)


def _sizes(due: Observation) -> set[int]:
    """How many numbers each of the reference's weights has, or each tensor that it is asked for gradients of."""
    return {each.size for name, each in due.tensors.items() if name.startswith(PREFIX) and each.ndim > 1}


def _has_dropout(question: Question) -> bool:
    """Whether another step judges what the class does in training."""
    return any(step.check == Dropout.name and step.of == question.step.of for step in question.exercise.steps)


def _are_due(question: Question, seen: Observation, due: Observation) -> bool:
    """Whether a right result has the reference's gradients, in any arrangement: weights may be fused, turned or absent.

    What is returned beside the result, which adds gradients of its own, is left out.
    """
    ours, theirs = seen.returned[RESULT], due.returned[RESULT]
    is_first_of_some = theirs.kind == "tensor" and ours.kind == "sequence"
    is_one_of_many = is_first_of_some and ours.length > 1
    if ours.kind != theirs.kind and not is_first_of_some:
        return True
    got = _in_order(seen, OF_FIRST if is_one_of_many else PREFIX)
    if is_one_of_many:  # to what is reached from the rest alone, nothing flows from the first
        got = np.sort(np.append(got, np.zeros(max(0, _in_order(seen).size - got.size))))
    return _are_alike(question, got, due, PREFIX)


def _are_alike(question: Question, got: np.ndarray, due: Observation, prefix: str) -> bool:
    """Whether gradients are those of the reference that are called so, in order; True for as many as nobody expects."""
    every, needed = _in_order(due, prefix), _in_order(due, prefix, lambda name: not question.naming.is_optional(name))
    wanted = next((each for each in (every, needed) if each.size == got.size), None)
    if wanted is None or not got.size:
        return True
    loose = max(LOOSE, LOOSE_UNITS * compare.EPSILON[question.dtype])
    return bool(np.all(np.abs(got - wanted) <= loose * np.abs(wanted).max()))


def _otherwise(question: Question) -> tuple[Action, ...]:
    """What is asked of a module that is made with other arguments, if the rubric names any."""
    if not (also := question.step.options.get("also")):
        return ()
    return (
        make(question, OTHER, may_fail=True, **also),
        Load(OTHER, weights(question), rest=BIAS, may_fail=True),
        called(question, GIVEN, of=OTHER, may_fail=True),
        Backward(GIVEN, may_fail=True),
        Inspect(OTHER, OTHER, gradients=True, may_fail=True),
    )


def _of_other(question: Question, seen: Observation, expected: Expected) -> Finding:
    """Whether gradients arrive in a module that is made with other arguments; what it gives is judged elsewhere."""
    if OTHER in seen.refused or GIVEN in seen.refused or not question.step.options.get("also"):
        return RIGHT
    given = ", ".join(f"{name}={value}" for name, value in question.step.options["also"].items())
    fault = seen.refused.get(Backward(GIVEN).name)
    if fault is not None and fault.kind != DETACHED:
        return wrong(say("check.gradient-broken", given=given, why=told(question, fault)), at=GIVEN)
    is_loaded = Load(OTHER, {}).name not in seen.refused  # else it is not known which numbers its weights have
    named_once = [slot for slot in seen.slots.get(OTHER, ()) if slot.first in ("", slot.name)]
    learnt = {slot.name: slot for slot in named_once if slot.trainable}
    due = expected.observation
    if sum(math.prod(slot.shape) for slot in learnt.values()) > _in_order(due, OF_OTHER).size:
        # More than is due is like nothing, such as a mask that was given a bias's numbers; and how large it is said to
        # be costs a solution nothing.
        return RIGHT
    arrived = {name: seen.tensors.get(f"{OF_OTHER}{name}") for name in learnt}
    absent = [name for name, each in arrived.items() if each is None or (is_loaded and not each.any())]
    if name := next((name for name in absent if name in question.loaded), None):
        return wrong(say("check.no-gradient-given", given=given, name=name), at=GIVEN)
    is_all_learnt = all(slot.trainable for slot in named_once if slot.kind in PARAMETERS)
    if not is_loaded or not is_all_learnt or not compare.returned(question, GIVEN, seen, expected).right:
        return RIGHT
    numbers = [np.zeros(learnt[name].shape) if each is None else each for name, each in arrived.items()]
    got = np.sort(np.concatenate([np.zeros(0), *(each.reshape(-1) for each in numbers)]).astype(np.float64))
    if _are_alike(question, got, due, OF_OTHER):
        return RIGHT
    if name := next((name for name in absent if _is_large(due, name)), None):
        return wrong(say("check.no-gradient-given", given=given, name=name), at=GIVEN)
    return wrong(say("check.gradients-off-given", given=given), at=GIVEN)


def _is_large(due: Observation, name: str) -> bool:
    """Whether a gradient is due that is more than the rounding of none: a bias of all keys alike changes nothing."""
    largest = np.abs(_in_order(due, OF_OTHER)).max()
    return bool((np.abs(due.tensors.get(f"{OF_OTHER}{name}", np.zeros(1))) > LOOSE * largest).any())


def _in_order(seen: Observation, prefix: str = PREFIX, counts: Callable[[str], bool] = lambda _: True) -> np.ndarray:
    """The numbers of all gradients that are called so, the smallest first. counts: whether a weight's do."""
    named = {name.removeprefix(prefix): array for name, array in seen.tensors.items() if name.startswith(prefix)}
    arrays = [array.reshape(-1) for name, array in named.items() if counts(name)]
    return np.sort(np.concatenate([np.zeros(0), *arrays]).astype(np.float64))


def _floating(question: Question) -> tuple[str, ...]:
    return tuple(name for name, array in question.case.inputs.items() if array.dtype.kind == "f")
