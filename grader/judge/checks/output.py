"""`output`: the result is what the reference gives."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import MODULE, RESULT, asked, tensors, told
from grader.model.case import Expected
from grader.model.check import Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Call, Run, Tensor
from grader.words import say

LONGER = "longer"


class Output:
    """Compares the result with the reference's.

    Options. `minus_infinity`: values at or below this number count as minus infinity. `additional`: layers that
    students add, by the role that the pack has names for, each with the id of that mistake. `longest`: the argument of
    the constructor that says how many tokens there may be; the same module is called with so many first.
    """

    name = "output"
    compares = True
    explained = True
    options: Mapping[str, type] = {"minus_infinity": float, "additional": dict, "longest": str}

    def plan(self, question: Question) -> Run:
        *before, call = asked(question)
        given = tensors(question)
        if "longest" in question.step.options:
            inputs = question.case.inputs.items()
            more = {f"{LONGER} {name}": _repeated(array, _most(question)) for name, array in inputs}
            arguments = tuple(Tensor(name) for name in more)
            before.append(Call(LONGER, of=MODULE, arguments=arguments, may_fail=True))
            given = {**given, **more}
        return Run((*before, call), given)

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        lowest = question.step.options.get("minus_infinity")

        def compared(name: str) -> Finding:
            floors = dict(expected.floors)
            return compare.returned(question, name, seen, expected.observation, floors=floors, minus_infinity=lowest)

        finding = compared(RESULT)
        if not finding.right or "longest" not in question.step.options:
            return finding
        if LONGER in seen.refused:
            return wrong(say("check.longer-broken", tokens=_most(question), why=told(question, seen.refused[LONGER])))
        longer = compared(LONGER)
        if longer.right:
            return finding
        return wrong(say("check.longer-wrong", tokens=_most(question), said=longer.summary))


def _most(question: Question) -> int:
    """How many tokens there may be."""
    return int(question.case.template.construct[question.step.options["longest"]])


def _repeated(array: np.ndarray, tokens: int) -> np.ndarray:
    """A sequence, on the last axis but one, over and over until there are so many tokens."""
    times = -(-tokens // array.shape[-2])
    return np.concatenate([array] * times, axis=-2)[..., :tokens, :]
