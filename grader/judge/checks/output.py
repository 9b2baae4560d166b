"""`output`: the result is what the reference gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import MODULE, RESULT, asked, inputs, is_class, make, renamed, tensors, told
from grader.model.case import Expected
from grader.model.check import ConstructorArgument, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Call, Run, Send
from grader.words import say

LONGER = "longer"
# Other numbers of the case's sizes, by the same module: what it keeps of a call shows nowhere else.
AGAIN = "again"
# Fewer sequences, or tokens of one: what it keeps of how many there were shows nowhere else.
FEWER = "fewer"
# Again once another module of other sizes was made: what the two of them share shows nowhere else.
ANOTHER, BESIDE = "another", "beside"


class Output:
    """Compares the result with the reference's, and of a module others: of other numbers, twice, and of fewer.

    Options. `minus_infinity`: values at or below this number count as minus infinity. `additional`: layers that
    students add, by the role that the pack has names for, each with the id of that mistake. `longest`: the argument of
    the constructor that says how many tokens there may be; the same module is called with so many in between.
    `unchanged`: whether the caller's tensors have to be as they were. `zeros`: whether what is 0 has to be so exactly.
    """

    name = "output"
    compares = True
    explained = True
    options: Mapping[str, type] = {
        "minus_infinity": float,
        "additional": dict,
        "longest": ConstructorArgument,
        "unchanged": bool,
        "zeros": bool,
    }

    def plan(self, question: Question) -> Run:
        actions, given = asked(question), tensors(question)
        calls: dict[str, Mapping[str, Any]] = {}
        if "longest" in question.step.options:
            calls[LONGER] = {name: _repeated(array, _most(question)) for name, array in question.case.inputs.items()}
        if is_class(question):
            calls[AGAIN] = {name: _turned(array) for name, array in question.case.inputs.items()}
            if fewer := _fewer(calls[AGAIN]):
                calls[FEWER] = fewer
        actions += tuple(_called(name, question) for name in calls)
        if is_class(question):
            another = make(question, ANOTHER, may_fail=True, **_others(question))
            actions += (another, replace(_called(AGAIN, question), name=BESIDE))
        more = {f"{call} {name}": array for call, arrays in calls.items() for name, array in arrays.items()}
        if question.step.options.get("unchanged"):
            actions += (Send(tuple(given)),)
        return Run(actions, {**given, **more})

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        def compared(name: str) -> Finding:
            return result(question, seen, expected, name)

        finding = compared(RESULT)
        if finding.right and question.step.options.get("unchanged"):
            # What no frame can hold any more was not sent.
            lost = [name for name in tensors(question) if f"sent.{name}" not in seen.tensors]
            if changed := [*lost, *compare.changed_inputs(seen, question)]:
                return wrong(say("check.writes-into", name=", ".join(changed)), "input-mutated")
        if finding.right and question.step.options.get("zeros") and (said := _left_of_nothing(seen, expected)):
            return wrong(said)
        if finding.right and RESULT in seen.written and "input-mutated" in question.exercise.mistakes:
            said = say("check.writes-into", name=", ".join(seen.written[RESULT]))
            finding = replace(finding, notes=(*finding.notes, said))
        if not finding.right or not is_class(question):
            return finding
        if "longest" in question.step.options and (said := _wrong_when_longer(question, seen, compared)):
            return wrong(said)
        if AGAIN in seen.refused:
            return wrong(say("check.again-broken", why=told(question, seen.refused[AGAIN])))
        again = compared(AGAIN)
        if not again.right:
            return wrong(say("check.again-wrong", said=again.summary))
        if said := _wrong_of_fewer(question, seen, compared):
            return wrong(said)
        beside = compared(BESIDE) if BESIDE not in seen.refused else None
        if AGAIN in seen.written and (beside is None or not beside.right):  # which is called with what is left of that
            names = ", ".join(name.removeprefix(f"{AGAIN} ") for name in seen.written[AGAIN])
            return wrong(say("check.writes-into", name=names), "input-mutated")
        if BESIDE in seen.refused:
            why = told(question, seen.refused[BESIDE])
            return wrong(say("check.shared", of=question.step.of, said=why), at=MODULE)
        if beside is None or beside.right:
            return finding
        return wrong(say("check.shared", of=question.step.of, said=beside.summary), at=MODULE)


def result(question: Question, seen: Observation, expected: Expected | None, name: str = RESULT) -> Finding:
    """What is found of one call's result. name: the call's."""
    assert expected is not None
    lowest = question.step.options.get("minus_infinity")
    return compare.returned(question, name, seen, expected, minus_infinity=lowest)


def _left_of_nothing(seen: Observation, expected: Expected | None) -> str:
    """What is said of a number that is not 0 where the reference's is; empty for none."""
    assert expected is not None
    got, due = compare.tensor(seen, RESULT), compare.tensor(expected.observation, RESULT)
    if got is None or due is None or got.shape != due.shape or not (left := (due == 0) & (got != 0)).any():
        return ""
    place = np.argwhere(left)[0]
    return say("check.not-nothing", place=place.tolist(), got=f"{float(got[tuple(place)]):.1g}")


def _wrong_when_longer(question: Question, seen: Observation, compared: Callable[[str], Finding]) -> str:
    """What is wrong with the longest sequence there may be; empty for nothing."""
    most, first = _most(question), next(iter(question.case.inputs.values())).shape[-2]
    if LONGER in seen.refused:
        why = told(question, seen.refused[LONGER])
        return say("check.longer-broken", tokens=most, first=first, why=why)
    longer = compared(LONGER)
    return "" if longer.right else say("check.longer-wrong", tokens=most, first=first, said=longer.summary)


def _wrong_of_fewer(question: Question, seen: Observation, compared: Callable[[str], Finding]) -> str:
    """What is wrong where fewer are given than before; empty for nothing."""
    if not (fewer := _fewer(question.case.inputs)):
        return ""
    ((name, array),) = fewer.items()
    parts = {"name": name, "shape": array.shape, "before": question.case.inputs[name].shape}
    if FEWER in seen.refused:
        return say("check.fewer-broken", why=told(question, seen.refused[FEWER]), **parts)
    found = compared(FEWER)
    return "" if found.right else say("check.fewer-wrong", said=found.summary, **parts)


def _called(name: str, question: Question) -> Call:
    """Call the module once more, with inputs of its own."""
    arguments = renamed(inputs(question), lambda given: f"{name} {given}")
    return Call(name, of=MODULE, arguments=arguments, recorded=name != LONGER, may_fail=True)


def _others(question: Question) -> dict[str, int]:
    """The whole numbers among the constructor's arguments, each twice as large: what divides another still does.

    Where there may be so many tokens, another module may be for one: a mask that both share is too small then.
    """
    given = question.case.template.construct
    twice = {name: 2 * value for name, value in given.items() if type(value) is int}
    longest = question.step.options.get("longest")
    return {**twice, longest: 1} if longest else twice


def _fewer(given: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The only input without the last of its sequences, or tokens; empty for several inputs.

    Empty also where one would be left: whoever loses an axis of one is told so by the case that has one.
    """
    return {name: array[:-1] for name, array in given.items() if len(given) == 1 and array.ndim > 1 and len(array) > 2}


def _most(question: Question) -> int:
    """How many tokens there may be."""
    return int(question.case.template.construct[question.step.options["longest"]])


def _repeated(array: np.ndarray, tokens: int) -> np.ndarray:
    """A sequence, on the last axis but one, over and over until there are so many tokens.

    Each time its numbers are moved on by one place, so that no token is what it was the time before: of tokens that are
    all alike, any weights make the same.
    """
    times = -(-tokens // array.shape[-2])
    return np.concatenate([np.roll(array, time, axis=-1) for time in range(times)], axis=-2)[..., :tokens, :]


def _turned(array: np.ndarray) -> np.ndarray:
    """The same numbers in other places: the last axis backwards. What says yes or no stays where it is."""
    return array if array.dtype.kind == "b" or array.ndim == 0 else np.ascontiguousarray(array[..., ::-1])
