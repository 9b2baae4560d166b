"""`gradients`: a gradient reaches everything that is to be learnt."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge.checks.asking import MODULE, RESULT, asked, is_class, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Backward, Load, Run
from grader.model.run import Gradients as SendGradients
from grader.words import say


class Gradients:
    """Sends a gradient back and asks that it is finite and not all zero, for each weight or each tensor argument.

    A class is asked in training, which is what gradients are for.

    The values are `output`'s to judge: a wrong result with sound gradients loses nothing here.
    """

    name = "gradients"
    compares = False
    explained = False
    options: Mapping[str, type] = {}

    def plan(self, question: Question) -> Run:
        ask = asked(question, training=True, track=not is_class(question))
        if is_class(question):
            slots = next(action.weights for action in ask if isinstance(action, Load))
            send = SendGradients(of=MODULE, tensors=tuple(slots))
        else:
            send = SendGradients(tensors=_floating(question))
        return Run((*ask, Backward(RESULT), send), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        found = {name.removeprefix("gradient."): g for name, g in seen.tensors.items() if name.startswith("gradient.")}
        wanted = question.loaded if is_class(question) else _floating(question)
        for name in wanted:
            gradient = found.get(name)
            if gradient is None:
                return wrong(say("check.no-gradient", name=name))
            if not np.isfinite(gradient).all():
                return wrong(say("check.gradient-not-finite", name=name))
            if not gradient.any():
                return wrong(say("check.gradient-zero", name=name))
        return RIGHT


def _floating(question: Question) -> tuple[str, ...]:
    return tuple(name for name, array in question.case.inputs.items() if array.dtype.kind == "f")
