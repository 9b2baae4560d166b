"""`generator`: random numbers come from the generator that is given, and from no other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import called_with, inputs, tensors
from grader.judge.checks.law import VISIBLE, law
from grader.judge.summaries import is_said
from grader.model.case import Expected
from grader.model.check import RIGHT, CaseArgument, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.pack import Generator, Input
from grader.model.run import Action, Argument, Call, Randomness, Run, Seeded, Value
from grader.words import say

FIRST, SECOND = 11, 12
ASKED = {"once": Seeded(FIRST), "again": Seeded(FIRST), "other": Seeded(SECOND), "later": Seeded(FIRST, drawn=5)}
# What dropout gives where nothing is dropped, and where no generator is given.
PLAIN, WITHOUT = "plain", "without"
# Asked twice with one generator, which has drawn by the second time.
TWICE = "again"
# Of those that were asked for, the ones that differ.
DIFFER = ("once", "other", "later")
# What the law says of shares, and of draws that bear on each other: of few it may or may not be seen.
OF_CHANCE = ("check.share-dropped", "check.share-exchanged", "check.not-by-chance")
# Deviations that are no chance.
MANY = 5.0


class GeneratorUse:
    """Calls with one seed, twice with that seed's generator, with another, and with one that has drawn before.

    Looks at torch's own generator too.

    Whoever only reads the seed, to draw elsewhere with it, gives the generator that has drawn what a new one gets.
    Options. `argument`: the one that is a generator. `rate`: the one that holds p, where what is drawn is dropout; then
    what follows its law without a generator has to follow it with one, and draws from torch's own without.
    """

    name = "generator"
    compares = False
    explained = False
    options: Mapping[str, type] = {"argument": CaseArgument, "rate": CaseArgument}

    def plan(self, question: Question) -> Run:
        calls = [_called(question, name, each, times=2 if name == TWICE else 1) for name, each in ASKED.items()]
        actions: tuple[Action, ...] = (Randomness("before"), *calls, Randomness("after"))
        if "rate" in question.step.options:
            none_dropped = {question.step.options["rate"]: 0.0}
            actions += (
                _called(question, PLAIN, Seeded(FIRST), none_dropped),
                _called(question, WITHOUT, Value(None), times=len(DIFFER)),
                Randomness(WITHOUT),
            )
        return Run(actions, tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        once, again, other, later = results = [compare.tensor(seen, name) for name in ASKED]
        if any(result is None for result in results):
            said = say("check.no-tensor", got=compare.described(seen, "once"))
            return wrong(said, compare.nothing(seen, *ASKED))
        if said := compare.no_numbers(once):  # which equal nothing, whatever they were drawn from
            return wrong(said)
        argument = question.step.options["argument"]
        if again.shape != (2, *once.shape) or not np.array_equal(once, again[0]):
            if seen.written:  # so that no call says anything of the one before
                return wrong(say("check.calls-change-inputs"))
            return wrong(say("check.generator-not-used"), draws_from=argument)
        if np.array_equal(once, other):
            if "rate" in question.step.options and _is_as_given(question, once):
                return wrong(say("check.nothing-drawn"))
            return wrong(say("check.generator-ignored"), draws_from=argument)
        if np.array_equal(once, later) or np.array_equal(once, again[1]):
            return wrong(say("check.generator-reseeded"), draws_from=argument)
        before, after = (seen.tensors.get(f"randomness.{name}") for name in ("before", "after"))
        if before is None or after is None or not np.array_equal(before, after):
            return wrong(say("check.global-generator"), draws_from=argument)
        return _of_its_law(question, seen) if "rate" in question.step.options else RIGHT


def _called(
    question: Question, name: str, generator: Argument, changed: Mapping[str, Input] | None = None, times: int = 1
) -> Call:
    """Call the step's function with this for a generator."""
    given = inputs(question, **{question.step.options["argument"]: Generator(FIRST), **(changed or {})})
    arguments = tuple(generator if isinstance(each, Seeded) else each for each in given)
    return called_with(question, name, arguments, times=times)


def _is_as_given(question: Question, result: Any) -> bool:
    """Whether a result is one of the tensors that were given, of which no draw has changed a number."""
    given = (compare.rounded(array, question.dtype) for array in question.case.inputs.values())
    return any(np.array_equal(result, array) for array in given)


def _of_its_law(question: Question, seen: Observation) -> Finding:
    """Whether what is right without a generator is right with one, too; other mistakes belong to other steps.

    Without one it has to draw from torch's own. Where that lies on a device, who draws on the CPU is right as well.
    """
    plain, without = (compare.tensor(seen, name) for name in (PLAIN, WITHOUT))
    if (
        not compare.are_floats(plain, without)
        or without.shape[1:] != plain.shape
        or not law(question, plain, without).right
    ):
        return RIGHT
    after, moved = (seen.tensors.get(f"randomness.{name}") for name in ("after", WITHOUT))
    if question.device == "cpu" and after is not None and moved is not None and np.array_equal(after, moved):
        return wrong(say("check.own-generator", argument=question.step.options["argument"]))
    if seen.written:  # of which another step tells
        return RIGHT
    with_one = [compare.tensor(seen, name) for name in DIFFER]
    other = next((name for name, each in zip(DIFFER, with_one, strict=True) if not compare.are_floats(each)), "")
    if other:
        return wrong(say("check.only-with-generator", said=compare.no_floats(seen, other)))
    if any(each.shape != plain.shape for each in with_one):
        return wrong(say("check.shape-with-generator"))
    drawn = np.stack(with_one)
    found = law(question, plain, drawn)
    if found.right or (is_said(OF_CHANCE, found.summary) and not _differ(plain, without, drawn)):
        return found  # of few draws, which may only not have shown without one what they show with it
    return wrong(say("check.only-with-generator", said=found.summary), found.mistake)


def _differ(plain: Any, one: Any, other: Any) -> bool:
    """Whether shares of what is dropped are further apart than chance takes them."""
    visible = np.abs(plain) > VISIBLE
    gone = [(each == 0)[:, visible] for each in (one, other)]
    both = float(np.concatenate(gone).mean())
    apart = abs(float(gone[0].mean()) - float(gone[1].mean()))
    return apart > MANY * math.sqrt(2.0 * both * (1.0 - both) / gone[0].size)
