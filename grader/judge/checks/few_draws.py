"""By how much what a solution measures scatters, told of many calls with few draws each."""

from __future__ import annotations

import numpy as np

from grader.judge.checks.asking import called_with, inputs
from grader.judge.checks.measured import due_of, numbers_in, settings_of, whole_numbers
from grader.judge.compare import described, shown
from grader.model.check import Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.pack import Generator, Input
from grader.model.run import Call
from grader.words import say

# One call, so often and of so few draws that it shows by how much what it measures scatters.
SCATTERED, TIMES, DRAWS = "scattered", 200, 20
# Calls of two draws, of which each has a variance: who draws one fewer, half of them or the same again has none. Two
# products lie as near as they like: that all these calls give more than so much of what is due happens once in 10¹²
# runs, and always where the sum of squares begins at 1.
OF_TWO, ONLY, CALLS_OF_TWO, MORE = "of two", 2, 40, 0.25
# The same of vectors as wide as the case has them, where whoever multiplies a vector by itself has a large number among
# small ones. Products of so many entries lie close together less often than those of one: so more calls, and more of
# what is due.
OF_TWO_WIDE, CALLS_OF_TWO_WIDE, MORE_WIDE = "of two wide", 60, 0.5
# Of vectors with fewer entries such numbers lie close together too, now and then.
WIDE = 24
# By how much, of the scatter itself and for one call, it is off by chance; so many times that is allowed below and
# above, and above a little more where calls are few. A right answer goes beyond less than once in 10¹⁰ runs.
BY_CHANCE, BELOW, ABOVE, OF_FEW = 0.74, 6.5, 7.5, 4.5


def calls(question: Question, given: Generator) -> tuple[Call, ...]:
    """The calls of few draws, for a step that says by how much its numbers scatter. given: the case's generator.

    Of the step's last case alone: nearly all of them are the same for all cases, and they take longer than all else.
    """
    options = question.step.options
    if not _is_asked(question):
        return ()
    seeded: dict[str, Input] = {options["generator"]: Generator(given.seed + int(sum(due_of(question))))}
    often = called_with(question, SCATTERED, inputs(question, **_few(question), **seeded), times=TIMES)
    if "variances_of" not in options:
        return (often,)
    wide = inputs(question, **{options["variances_of"]: ONLY}, **seeded)
    narrow = inputs(question, **_few(question, ONLY), **seeded)
    of_wide = called_with(question, OF_TWO_WIDE, wide, times=CALLS_OF_TWO_WIDE)
    of_two = called_with(question, OF_TWO, narrow, times=CALLS_OF_TWO)
    return (of_wide, of_two, often) if max(due_of(question)) >= WIDE else (of_two, often)


def finding(question: Question, seen: Observation) -> Finding | None:
    """The finding that numbers of few draws are not those of their law; None where they are."""
    judges = (_of_two, _scattered, _never_small, _by_itself) if _is_asked(question) else ()
    return next((found for judge in judges if (found := judge(question, seen)) is not None), None)


def _is_asked(question: Question) -> bool:
    return "scatter" in question.step.options and question.case.name == question.step.cases[-1]


def _few(question: Question, draws: int = DRAWS) -> dict[str, Input]:
    """The arguments with which numbers scatter most: 1 for those that they are expected to be, and few draws."""
    options = question.step.options
    ones: dict[str, Input] = {e: 1 for e in options["expect"] if isinstance(e, str)}
    return {**ones, options["variances_of"]: draws} if "variances_of" in options else ones


def _of_two(question: Question, seen: Observation) -> Finding | None:
    """The finding that two draws, however often, have no variance in a number; None where they have."""
    for position, numbers in enumerate(_columns(seen, OF_TWO)):
        if not any(0.0 < number < np.inf for number in numbers):
            return wrong(say("check.none-of-two", **_said_of_two(question, position, numbers[0])))
    return None


def _never_small(question: Question, seen: Observation) -> Finding | None:
    """The finding that the variance of two draws is never a small one, however often; None where it is."""
    for position, numbers in enumerate(_columns(seen, OF_TWO)):
        if len(numbers) >= CALLS_OF_TWO and min(numbers) > MORE:
            parts = _said_of_two(question, position, min(numbers))
            return wrong(say("check.never-small", calls=len(numbers), **parts))
    return None


def _by_itself(question: Question, seen: Observation) -> Finding | None:
    """The finding that the variance of two products of wide vectors is never a small one; None where it is."""
    for position, (numbers, due) in enumerate(zip(_columns(seen, OF_TWO_WIDE), due_of(question), strict=False)):
        if len(numbers) >= CALLS_OF_TWO_WIDE and min(numbers) > MORE_WIDE * due:
            few = {**whole_numbers(question), question.step.options["variances_of"]: ONLY}
            parts = _said_of_two(question, position, min(numbers)) | {"settings": settings_of(few)}
            return wrong(say("check.by-itself", calls=len(numbers), **parts))
    return None


def _said_of_two(question: Question, position: int, number: float) -> dict[str, str | int]:
    return {
        "settings": settings_of(_few(question, ONLY)),
        "argument": question.step.options["variances_of"],
        "number": shown(number),
        "position": position + 1,
        "total": len(due_of(question)),
    }


def _scattered(question: Question, seen: Observation) -> Finding | None:
    """The finding that a number scatters by more or by less than its law has it; None for neither."""
    columns = _columns(seen, SCATTERED)
    if not columns or len(columns[0]) < 2:
        return wrong(say("check.no-numbers", got=described(seen, SCATTERED), total=len(due_of(question))))
    settings = settings_of(_few(question))
    for position, numbers in enumerate(columns):
        if odd := [number for number in numbers if not 0.0 < number < np.inf]:
            places = {"position": position + 1, "total": len(due_of(question)), "near": shown(1.0)}
            return wrong(say("check.number-off", number=shown(odd[0]), settings=settings, **places))
        due = float(question.step.options["scatter"])
        found, chance = float(np.log(numbers).std(ddof=1)), due * BY_CHANCE / len(numbers) ** 0.5
        if found < due - BELOW * chance:
            return wrong(say("check.scatters-less", settings=settings))
        if found > due + ABOVE * chance + OF_FEW * due / len(numbers):
            return wrong(say("check.scatters-more", settings=settings))
    return None


def _columns(seen: Observation, name: str) -> list[list[float]]:
    """Each of the numbers that several calls gave, in as many as were sent; empty where there are none."""
    result = seen.returned.get(name)
    if result is not None and result.kind == "sequence":
        return [found] if (found := numbers_in(seen, result)) else []
    held = seen.tensors.get(result.key) if result is not None and result.kind == "tensor" else None
    if held is None or not held.ndim or not held.size:
        return []
    rows = np.asarray(held[:TIMES], np.float64).reshape(min(len(held), TIMES), -1)
    return [[float(number) for number in column] for column in rows.T]
