"""`gradients`: a gradient reaches everything that is to be learnt."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import MODULE, RESULT, asked, called, is_class, tensors, told, weights
from grader.judge.checks.dropout import Dropout
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Backward, Load, Mode, Run
from grader.model.run import Gradients as SendGradients
from grader.words import say

# Gradients add up more than results do, and lose more digits; what is cut off anywhere is off by much more.
LOOSE, LOOSE_UNITS = 1e-2, 16.0
PREFIX = "gradient."
# What a module gives outside training, and what once its weights are others.
OUTSIDE, LEARNT = "outside", "learnt"
# So much of each weight is left of it then; a weight of 0 stays one.
OF_EACH = 0.5


class Gradients:
    """Sends a gradient back and asks that it is finite and not all zero, for each weight or each tensor argument.

    A class is asked in training, which is what gradients are for, then outside it, and once more with other weights,
    which is what comes of them: who keeps something of the weights learns nothing.

    The values are `output`'s to judge: a wrong result with sound gradients loses nothing here. Where the result is
    right, its gradients have to be the reference's: they are not where a part of it is cut off. Where what a module
    gives outside training is right, that is due in training as well, unless it has dropout, which is judged elsewhere.
    """

    name = "gradients"
    compares = True
    explained = False
    options: Mapping[str, type] = {}

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
            return Run((*ask, Backward(RESULT), send, *then), tensors(question))
        send = SendGradients(tensors=_floating(question))
        return Run((*ask, Backward(RESULT), send), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        wanted = question.loaded if is_class(question) else _floating(question)
        for name in wanted:
            gradient = seen.tensors.get(f"{PREFIX}{name}")
            if gradient is None:
                return wrong(say("check.no-gradient", name=name))
            if not np.isfinite(gradient).all():
                return wrong(say("check.gradient-not-finite", name=name))
            if not gradient.any():
                return wrong(say("check.gradient-zero", name=name))
        result = compare.returned(question, RESULT, seen, expected)
        if result.right and not _are_due(question, seen, expected.observation):
            return wrong(say("check.gradients-off"))
        if not is_class(question) or not compare.returned(question, OUTSIDE, seen, expected).right:
            return RIGHT
        if not result.right and not _has_dropout(question):
            return wrong(say("check.otherwise-in-training", said=result.summary), at=RESULT)
        if LEARNT in seen.refused:
            return wrong(say("check.learnt-broken", why=told(question, seen.refused[LEARNT])), at=RESULT)
        learnt = compare.returned(question, LEARNT, seen, expected)
        return RIGHT if learnt.right else wrong(say("check.learnt-wrong", said=learnt.summary), at=RESULT)


def _has_dropout(question: Question) -> bool:
    """Whether another step judges what the class does in training."""
    return any(step.check == Dropout.name and step.of == question.step.of for step in question.exercise.steps)


def _are_due(question: Question, seen: Observation, due: Observation) -> bool:
    """Whether a right result has the reference's gradients, in any arrangement: weights may be fused, turned or absent.

    What is returned beside the result adds gradients of its own, so that nothing is said of them.
    """
    if seen.returned[RESULT].kind != due.returned[RESULT].kind:
        return True
    got, wanted = _in_order(seen), _in_order(due)
    if got.size != wanted.size:  # as where a weight that may be absent is
        wanted = _in_order(due, lambda name: not question.naming.is_optional(name))
    if got.size != wanted.size or not got.size:
        return True
    loose = max(LOOSE, LOOSE_UNITS * compare.EPSILON[question.dtype])
    return bool(np.all(np.abs(got - wanted) <= loose * np.abs(wanted).max()))


def _in_order(seen: Observation, counts: Callable[[str], bool] = lambda _: True) -> np.ndarray:
    """The numbers of all gradients, the smallest first. counts: whether a weight's do."""
    named = {name.removeprefix(PREFIX): array for name, array in seen.tensors.items() if name.startswith(PREFIX)}
    arrays = [array.reshape(-1) for name, array in named.items() if counts(name)]
    return np.sort(np.concatenate([np.zeros(0), *arrays]).astype(np.float64))


def _floating(question: Question) -> tuple[str, ...]:
    return tuple(name for name, array in question.case.inputs.items() if array.dtype.kind == "f")
