"""`generator`: random numbers come from the generator that is given, and from no other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import inputs, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, CaseArgument, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.pack import Generator
from grader.model.run import Call, Randomness, Run, Seeded
from grader.words import say

FIRST, SECOND = 11, 12
ASKED = {"once": Seeded(FIRST), "again": Seeded(FIRST), "other": Seeded(SECOND), "later": Seeded(FIRST, drawn=5)}


class GeneratorUse:
    """Calls with one seed twice, with another, and with a generator that has drawn before; looks at torch's own too.

    Whoever only reads the seed, to draw elsewhere with it, gives the generator that has drawn what a new one gets.
    """

    name = "generator"
    compares = False
    explained = False
    options: Mapping[str, type] = {"argument": CaseArgument}

    def plan(self, question: Question) -> Run:
        argument = question.step.options["argument"]
        given = inputs(question, **{argument: Generator(FIRST)})
        calls = [
            Call(
                name,
                module=question.exercise.id,
                definition=question.step.of,
                arguments=tuple(seeded if isinstance(each, Seeded) else each for each in given),
            )
            for name, seeded in ASKED.items()
        ]
        return Run((Randomness("before"), *calls, Randomness("after")), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        once, again, other, later = results = [compare.tensor(seen, name) for name in ASKED]
        if any(result is None for result in results):
            said = say("check.no-tensor", got=compare.described(seen, "once"))
            return wrong(said, compare.nothing(seen, *ASKED))
        argument = question.step.options["argument"]
        if not np.array_equal(once, again):
            return wrong(say("check.generator-not-used"), draws_from=argument)
        if np.array_equal(once, other):
            return wrong(say("check.generator-ignored"), draws_from=argument)
        if np.array_equal(once, later):
            return wrong(say("check.generator-reseeded"), draws_from=argument)
        before, after = (seen.tensors.get(f"randomness.{name}") for name in ("before", "after"))
        if before is None or after is None or not np.array_equal(before, after):
            return wrong(say("check.global-generator"), draws_from=argument)
        return RIGHT
