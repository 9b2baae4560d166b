"""`copies`: after one module's weights were copied into another, both give the same outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.judge import compare
from grader.judge.checks.asking import RESULT, inputs, tensors, weights
from grader.model.case import Expected
from grader.model.check import Finding, Question, wrong
from grader.model.observation import Fault, Observation
from grader.model.run import Action, Call, Load, Made, Make, Mode, Run, Value
from grader.model.text import clean
from grader.words import say

SOURCE = "source"
TARGET = "target"
STILL = "still"
COPIED = "copied"


class Copies:
    """Makes a source with the case's weights and a target, calls the function on both, compares their outputs.

    Options. `source`, `target`: each "module.Class". `target_construct`: the target's arguments where they differ.
    `left`: weights of the target, by the reference's names, that students leave as they were, with that mistake's id.
    """

    name = "copies"
    compares = True
    explained = True
    options: Mapping[str, type] = {"source": str, "target": str, "target_construct": dict, "left": dict}

    def plan(self, question: Question) -> Run:
        options, construct = question.step.options, question.case.template.construct
        both = ((SOURCE, construct), (TARGET, options.get("target_construct", construct)))
        makes = [_make(name, options[name], arguments) for name, arguments in both]
        copy = Call(
            COPIED,
            module=question.exercise.id,
            definition=question.step.of,
            arguments=(Made(SOURCE), Made(TARGET)),
        )
        arguments = inputs(question)
        actions: tuple[Action, ...] = (
            *makes,
            Load(SOURCE, weights(question)),
            *(Mode(name, training=False) for name, _ in both),
            copy,
            Call(RESULT, of=TARGET, arguments=arguments, may_fail=True),
            Call(STILL, of=SOURCE, arguments=arguments, may_fail=True),
        )
        return Run(actions, tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        floors = dict(expected.floors)
        if RESULT in seen.refused:
            return wrong(say("check.target-broken", why=_why(question, seen.refused[RESULT])))
        copied = compare.returned(question, RESULT, seen, expected.observation, floors=floors)
        if not copied.right:
            return wrong(say("check.target-output", said=copied.summary))
        # What the target gives is right by now, so the source was, until the copy changed it.
        if STILL in seen.refused:
            return wrong(say("check.source-broken", why=_why(question, seen.refused[STILL])), "input-mutated")
        still = compare.returned(question, STILL, seen, expected.observation, floors=floors)
        return copied if still.right else wrong(say("check.source-output", said=still.summary), "input-mutated")


def _why(question: Question, fault: Fault) -> str:
    """What an exception says, unless it could show inputs that nobody is to see."""
    return clean(fault.message, 160) if question.case.is_public else say("check.error-withheld")


def _make(name: str, path: str, construct: Mapping[str, Any]) -> Make:
    module, definition = path.split(".")
    return Make(name, module, definition, tuple(Value(value) for value in construct.values()))
