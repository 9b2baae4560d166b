"""`inputs-unchanged`: the caller's tensors are as they were."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import RESULT, asked, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Run, Send
from grader.words import say


class InputsUnchanged:
    """Compares the inputs after the call with those that were sent, bit for bit."""

    name = "inputs-unchanged"
    compares = False
    explained = False
    options: Mapping[str, type] = {}

    def plan(self, question: Question) -> Run:
        return Run((*asked(question), Send(tuple(question.case.inputs))), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        result = compare.tensor(seen, RESULT)
        # Infinities are part of a right result.
        if result is None or compare.lifeless(result[np.isfinite(result)]):
            return wrong(say("check.inputs-unclear"))
        for name, before, after in compare.sent_back(seen, question):
            if after is None or after.shape != before.shape:
                return wrong(say("check.input-reshaped", name=name))
            changed = int((after != before).sum())
            if changed:
                said = say("check.input-changed", name=name, changed=changed, total=before.size)
                return wrong(said, "input-mutated")
        return RIGHT
