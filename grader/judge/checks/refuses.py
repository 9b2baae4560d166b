"""`refuses`: the constructor turns down arguments that cannot work, and takes those that can."""

from __future__ import annotations

from collections.abc import Mapping

from grader.judge.checks.asking import constructor, make
from grader.model.case import Expected
from grader.model.check import Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Run
from grader.words import say

ASKED_FOR, ACCEPTED = "ValueError", "AssertionError"


class Refuses:
    """Option `refused`: for each refusal to be seen, the constructor arguments that are changed."""

    name = "refuses"
    compares = False
    explained = False
    options: Mapping[str, type] = {"refused": list}

    def plan(self, question: Question) -> Run:
        refused = enumerate(question.step.options["refused"])
        return Run((make(question), *(make(question, _name(i), may_fail=True, **changed) for i, changed in refused)))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        is_asserted = False
        for index, changed in enumerate(question.step.options["refused"]):
            call = constructor(question, **changed)
            fault = seen.refused.get(_name(index))
            if fault is None:
                return wrong(say("check.not-refused", call=call))
            raised = {fault.type, *fault.bases} if fault.kind == "exception" else set()
            if ASKED_FOR in raised:
                continue
            if ACCEPTED not in raised:
                return wrong(say("check.refused-otherwise", call=call, exception=fault.type or fault.kind))
            is_asserted = True
        return Finding(
            True, notes=(say("judge.name-accepted", theirs=ACCEPTED, ours=ASKED_FOR),) if is_asserted else ()
        )


def _name(index: int) -> str:
    return f"refused {index}"
