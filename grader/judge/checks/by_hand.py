"""`by-hand`: the result is right, and was not had from the operation that the student is to write."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from grader.judge import compare
from grader.judge.checks.asking import RESULT, asked, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Run
from grader.model.text import clean
from grader.words import say


class ByHand:
    """Option `without`: patterns of dispatched operations' names, such as "*softmax*", that must not occur."""

    name = "by-hand"
    compares = True
    explained = False
    options: Mapping[str, type] = {"without": list}

    def plan(self, question: Question) -> Run:
        return Run(asked(question, count=True), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        finding = compare.returned(question, RESULT, seen, expected)
        if not finding.right:
            return finding
        patterns = question.step.options["without"]
        dispatched = sorted(name for name, count in seen.operations.get(RESULT, {}).items() if count)
        used = next((name for name in dispatched if any(fnmatchcase(name, pattern) for pattern in patterns)), "")
        if used:
            return wrong(say("check.not-by-hand", operation=clean(used.strip("_"), 60)))
        return RIGHT
