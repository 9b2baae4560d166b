"""`rows-sum-to-one`: every row of the result is a distribution."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import RESULT, asked, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Run
from grader.words import say


class RowsSumToOne:
    """Asks that no weight is negative and that the last axis sums to one. Needs no reference."""

    name = "rows-sum-to-one"
    compares = False
    explained = False
    options: Mapping[str, type] = {}

    def plan(self, question: Question) -> Run:
        return Run(asked(question), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        rows = compare.tensor(seen, RESULT)
        if rows is None or rows.ndim < 1 or rows.size == 0:
            return wrong(say("check.no-weights", got=compare.described(seen, RESULT)))
        if np.isnan(rows).any():
            return wrong(say("check.weights-nan", number=int(np.isnan(rows).sum()), total=rows.size))
        if (rows < 0).any():
            return wrong(say("check.weights-negative", number=int((rows < 0).sum()), total=rows.size))
        sums = rows.astype(np.float64).sum(-1)
        # Each row adds up as many roundings as it has entries.
        allowed = compare.TOLERANCE_FACTOR * compare.EPSILON[question.dtype] * rows.shape[-1]
        error = np.abs(sums - 1.0)
        if bool(np.all(error <= allowed)):
            return RIGHT
        worst = int(error.reshape(-1).argmax())
        got, _ = compare.shown_apart(float(sums.reshape(-1)[worst]), 1.0)
        return wrong(say("check.row-sum", row=worst, sum=got))
