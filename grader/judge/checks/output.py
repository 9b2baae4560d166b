"""`output`: the result is what the reference gives."""

from __future__ import annotations

from collections.abc import Mapping

from grader.judge import compare
from grader.judge.checks.asking import RESULT, asked, tensors
from grader.model.case import Expected
from grader.model.check import Finding, Question
from grader.model.observation import Observation
from grader.model.run import Run


class Output:
    """Compares the result with the reference's.

    Options. `minus_infinity`: values at or below this number count as minus infinity. `additional`: layers that
    students add, by the role that the pack has names for, each with the id of that mistake.
    """

    name = "output"
    compares = True
    explained = True
    options: Mapping[str, type] = {"minus_infinity": float, "additional": dict}

    def plan(self, question: Question) -> Run:
        return Run(asked(question), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        return compare.returned(
            question,
            RESULT,
            seen,
            expected.observation,
            floors=dict(expected.floors),
            minus_infinity=question.step.options.get("minus_infinity"),
        )
