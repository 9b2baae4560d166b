"""`copies`: after one module's weights were copied into another, both give the same outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.judge import compare
from grader.judge.checks.asking import RESULT, inputs, tensors, weights
from grader.model.case import Expected
from grader.model.check import Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Action, Call, Load, Made, Make, Mode, Run, Value
from grader.model.text import clean

SOURCE = "source"
TARGET = "target"
STILL = "still"


class Copies:
    """Makes a source with the case's weights and a target, calls the function on both, compares their outputs.

    Options. `source`, `target`: each "module.Class". `target_construct`: the target's arguments where they differ.
    """

    name = "copies"
    compares = True
    options: Mapping[str, type] = {"source": str, "target": str, "target_construct": dict}

    def plan(self, question: Question) -> Run:
        options, construct = question.step.options, question.case.template.construct
        both = ((SOURCE, construct), (TARGET, options.get("target_construct", construct)))
        makes = [_make(name, options[name], arguments) for name, arguments in both]
        copy = Call(
            "copied",
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
        for name, fault in seen.refused.items():
            whose = "target" if name == RESULT else "source"
            return wrong(f"after the copy the {whose} can no longer compute: {clean(fault.message, 160)}")
        for name, whose in ((RESULT, "after the copy, the target's output: "), (STILL, "the source's own output: ")):
            finding = compare.returned(question, name, seen, expected.observation, floors=floors)
            if not finding.right:
                return Finding(False, whose + finding.summary)
        return finding


def _make(name: str, path: str, construct: Mapping[str, Any]) -> Make:
    module, definition = path.split(".")
    return Make(name, module, definition, tuple(Value(value) for value in construct.values()))
