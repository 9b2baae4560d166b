"""`generator`: random numbers come from the generator that is given, and from no other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import inputs, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.pack import Generator
from grader.model.run import Call, Randomness, Run
from grader.words import say


class GeneratorUse:
    """Calls with one seed twice and with another once, and looks at torch's global generator before and after."""

    name = "generator"
    compares = False
    explained = False
    options: Mapping[str, type] = {"argument": str}

    def plan(self, question: Question) -> Run:
        argument = question.step.options["argument"]
        calls = [
            Call(
                name,
                module=question.exercise.id,
                definition=question.step.of,
                arguments=inputs(question, **{argument: Generator(seed)}),
            )
            for name, seed in (("once", 11), ("again", 11), ("other", 12))
        ]
        return Run((Randomness("before"), *calls, Randomness("after")), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        once, again, other = (compare.tensor(seen, name) for name in ("once", "again", "other"))
        if once is None or again is None or other is None:
            said = say("check.no-tensor", got=compare.described(seen, "once"))
            return wrong(said, compare.nothing(seen, "once", "again", "other"))
        argument = question.step.options["argument"]
        if not np.array_equal(once, again):
            return wrong(say("check.generator-not-used"), draws_from=argument)
        if np.array_equal(once, other):
            return wrong(say("check.generator-ignored"), draws_from=argument)
        before, after = (seen.tensors.get(f"randomness.{name}") for name in ("before", "after"))
        if before is None or after is None or not np.array_equal(before, after):
            return wrong(say("check.global-generator"), draws_from=argument)
        return RIGHT
