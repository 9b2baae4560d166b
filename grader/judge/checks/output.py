"""`output`: the result is what the reference gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import MODULE, RESULT, asked, tensors, told
from grader.model.case import Expected
from grader.model.check import ConstructorArgument, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Call, Run, Tensor
from grader.words import say

LONGER = "longer"
# The case once more, by a module that has seen a longer sequence in between.
AGAIN = "again"


class Output:
    """Compares the result with the reference's.

    Options. `minus_infinity`: values at or below this number count as minus infinity. `additional`: layers that
    students add, by the role that the pack has names for, each with the id of that mistake. `longest`: the argument of
    the constructor that says how many tokens there may be; the same module is called with so many then, and once more
    as before, so that what it keeps from a call is seen.
    """

    name = "output"
    compares = True
    explained = True
    options: Mapping[str, type] = {"minus_infinity": float, "additional": dict, "longest": ConstructorArgument}

    def plan(self, question: Question) -> Run:
        actions, given = asked(question), tensors(question)
        if "longest" in question.step.options:
            inputs = question.case.inputs.items()
            more = {f"{LONGER} {name}": _repeated(array, _most(question)) for name, array in inputs}
            more |= {f"{AGAIN} {name}": array for name, array in inputs}  # which the first call may have changed
            actions += tuple(_called(name, question) for name in (LONGER, AGAIN))
            given = {**given, **more}
        return Run(actions, given)

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        lowest = question.step.options.get("minus_infinity")

        def compared(name: str) -> Finding:
            return compare.returned(question, name, seen, expected, minus_infinity=lowest)

        finding = compared(RESULT)
        if finding.right and RESULT in seen.written and "input-mutated" in question.exercise.mistakes:
            said = say("check.writes-into", name=", ".join(seen.written[RESULT]))
            finding = replace(finding, notes=(*finding.notes, said))
        if not finding.right or "longest" not in question.step.options:
            return finding
        most, first = _most(question), next(iter(question.case.inputs.values())).shape[-2]
        if LONGER in seen.refused:
            why = told(question, seen.refused[LONGER])
            return wrong(say("check.longer-broken", tokens=most, first=first, why=why))
        longer = compared(LONGER)
        if not longer.right:
            return wrong(say("check.longer-wrong", tokens=most, first=first, said=longer.summary))
        if AGAIN in seen.refused:
            return wrong(say("check.again-broken", tokens=most, why=told(question, seen.refused[AGAIN])))
        again = compared(AGAIN)
        return finding if again.right else wrong(say("check.again-wrong", tokens=most, said=again.summary))


def _called(name: str, question: Question) -> Call:
    """Call the module once more, with inputs of its own."""
    arguments = tuple(Tensor(f"{name} {each}") for each in question.case.inputs)
    return Call(name, of=MODULE, arguments=arguments, may_fail=True)


def _most(question: Question) -> int:
    """How many tokens there may be."""
    return int(question.case.template.construct[question.step.options["longest"]])


def _repeated(array: np.ndarray, tokens: int) -> np.ndarray:
    """A sequence, on the last axis but one, over and over until there are so many tokens."""
    times = -(-tokens // array.shape[-2])
    return np.concatenate([array] * times, axis=-2)[..., :tokens, :]
