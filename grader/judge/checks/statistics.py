"""`statistics`: numbers drawn at random lie where their law says."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from grader.judge.checks.asking import called_with, inputs, tensors
from grader.judge.compare import EPSILON, described, kind, nothing, shown
from grader.model.case import Expected
from grader.model.check import RIGHT, CaseArgument, Finding, Question, wrong
from grader.model.observation import Observation, Returned
from grader.model.pack import Generator, Input
from grader.model.run import Run
from grader.words import say

# What comes as near to its expectation with two seeds was made so: by chance it does once in 10⁹ runs, where the type
# has digits enough.
EXACT = 1e-6
# So near two numbers of the same draws are where one is the other or its root; float32 sums thousands of them. Of draws
# of their own, two are as near with two seeds once in 10⁷ runs.
SAME = 1e-5
# The calls with a seed each; whatever has to hold holds for both.
SEEDS = ("once", "other")
# The call that is told of so many times fewer draws.
WITH_FEWER, FEWER = "with fewer", 10
# Calls with as few draws, where what a number is expected to be is so much more.
WIDER = {"wider": 1, "wider still": 2}
# One call, so often and of so few draws that it shows by how much what it measures scatters.
SCATTERED, TIMES, DRAWS = "scattered", 200, 20
# Calls of two draws, of which each has a variance: who draws one fewer, half of them or the same again has none. Two
# products lie as near as they like: that all these calls give more than so much of what is due happens once in 10¹²
# runs, and always where the sum of squares begins at 1.
OF_TWO, ONLY, CALLS_OF_TWO, MORE = "of two", 2, 40, 0.25
# By how much, of the scatter itself and for one call, it is off by chance; so many times that is allowed below and
# above, and above a little more where calls are few. A right answer goes beyond less than once in 10¹⁰ runs.
BY_CHANCE, BELOW, ABOVE, OF_FEW = 0.74, 6.5, 7.5, 4.5


class Statistics:
    """Compares returned numbers with their expectations.

    Options. `generator`: the argument that is seeded. `expect`: what each number should be near: a number, or the name
    of an argument whose value it is; none may be it to six digits with two seeds, since what is measured is not.
    `within`: the relative distance allowed; wide enough that a right answer fails less than once in 10⁹ runs. `told`: a
    list like `expect`, of mistakes that make a number too large by a power of the argument `power_of`: each mistake's
    id with the power. `variances_of`: the argument that says of how many draws the numbers are variances; a standard
    deviation is then told as one, and none may be the root of what another one says of the same draws, since near 1 it
    looks like a variance. Of fewer draws the numbers have to be others, and so has what they miss their expectations by
    where an argument that `expect` names is another: who measures nothing misses all of them by the same share.
    """

    name = "statistics"
    compares = False
    explained = False
    options: Mapping[str, type] = {
        "generator": CaseArgument,
        "expect": list,
        "within": float,
        "told": list,
        "power_of": str,
        "variances_of": CaseArgument,
        "scatter": float,
    }

    def plan(self, question: Question) -> Run:
        generator = question.step.options["generator"]
        given = question.case.template.inputs[generator]
        assert isinstance(given, Generator)  # as the rubric's form has it
        calls = tuple(
            called_with(question, name, inputs(question, **{generator: Generator(seed)}))
            for name, seed in (("once", given.seed), ("again", given.seed), ("other", given.seed + 1))
        )
        if fewer := _fewer(question):
            changed = {WITH_FEWER: fewer} | {name: fewer | _wider(question, more) for name, more in WIDER.items()}
            calls += tuple(
                called_with(question, name, inputs(question, **{generator: given, **each}))
                for name, each in changed.items()
            )
        if "scatter" in question.step.options:
            seed = Generator(given.seed + int(sum(_due(question))))  # another one in each case
            few = inputs(question, **{generator: seed, **_few(question)})
            if "variances_of" in question.step.options:
                two = inputs(question, **{generator: seed, **_few(question, ONLY)})
                calls += (called_with(question, OF_TWO, two, times=CALLS_OF_TWO),)
            calls += (called_with(question, SCATTERED, few, times=TIMES),)
        return Run(calls, tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        options, template = question.step.options, question.case.template
        wanted = _due(question)
        found = {name: _numbers(seen, seen.returned.get(name)) for name in ("once", "again", "other")}
        if any(len(numbers) != len(wanted) for numbers in found.values()):
            return wrong(_no_numbers(seen, len(wanted)), nothing(seen, *found))
        settings = ", ".join(f"{name}={value}" for name, value in template.inputs.items() if isinstance(value, int))
        if said := _exchanged(question, found, wanted):
            return wrong(said)
        for name in SEEDS:
            for position, (number, want) in enumerate(zip(found[name], wanted, strict=True), 1):
                if not abs(number - want) <= options["within"] * abs(want):
                    near = {"number": shown(number), "near": shown(want)}
                    said = say("check.number-off", position=position, total=len(wanted), settings=settings, **near)
                    mistake = _known(question, found, wanted, position - 1)
                    if not mistake and _is_deviation(question, found, want, position - 1):
                        said = say("check.number-deviation", position=position, total=len(wanted), **near)
                    elif not mistake and (argument := _is_by_root(question, found, want, position - 1)):
                        said = say("check.number-by-root", position=position, total=len(wanted), of=argument, **near)
                    return wrong(said, mistake)
        if found["once"] != found["again"]:
            return wrong(say("check.draws-elsewhere"), draws_from=options["generator"])
        if found["once"] == found["other"]:
            return wrong(say("check.draws-always-the-same"), draws_from=options["generator"])
        if found["once"] == _numbers(seen, seen.returned.get(WITH_FEWER)):
            return wrong(say("check.as-many-draws", argument=options["variances_of"]))
        for position, want in enumerate(wanted if EPSILON[question.dtype] < EXACT else ()):
            if want and all(abs(found[name][position] - want) <= EXACT * abs(want) for name in SEEDS):
                return wrong(say("check.number-exact", position=position + 1, total=len(wanted), near=shown(want)))
        if "variances_of" in options and EPSILON[question.dtype] < EXACT:
            root = _root(found, wanted, float(template.inputs[options["variances_of"]]))  # type: ignore[arg-type]
            if root is not None:
                return wrong(say("check.number-root", position=root + 1, total=len(wanted)))
            if argument := _missed_alike(question, seen, wanted):
                return wrong(say("check.missed-alike", argument=argument))
        return _of_two(question, seen) or _scattered(question, seen) or _never_small(question, seen) or RIGHT


def _due(question: Question) -> list[float]:
    """What each number is expected to be."""
    given = question.case.template.inputs
    # The rubric gives numbers here, which no type says.
    return [float(given[e] if isinstance(e, str) else e) for e in question.step.options["expect"]]  # type: ignore[arg-type]


def _exchanged(question: Question, found: Mapping[str, list[float]], wanted: list[float]) -> str:
    """What is said of two numbers of which, with both seeds, each is about what the other is to be; "" for none."""
    within: float = question.step.options["within"]

    def is_near(number: float, want: float) -> bool:
        return abs(number - want) <= within * abs(want)

    for first, second in itertools.combinations(range(len(wanted)), 2):
        pairs = [(found[name][first], found[name][second]) for name in SEEDS]
        is_right = all(is_near(one, wanted[first]) for one, _ in pairs)
        if not is_right and all(is_near(one, wanted[second]) and is_near(two, wanted[first]) for one, two in pairs):
            places = {"first": first + 1, "second": second + 1, "total": len(wanted)}
            return say("check.numbers-exchanged", **places, got=shown(pairs[0][0]), near=shown(wanted[first]))
    return ""


def _fewer(question: Question) -> dict[str, Input]:
    """The argument that says of how many draws the numbers are variances, with fewer of them; empty for none."""
    name = question.step.options.get("variances_of", "")
    draws = question.case.template.inputs.get(name)
    return {name: max(2, int(draws) // FEWER)} if isinstance(draws, (int, float)) else {}


def _wider(question: Question, more: int) -> dict[str, Input]:
    """The arguments that numbers are expected to be, so much larger."""
    given = question.case.template.inputs
    return {e: int(given[e]) + more for e in question.step.options["expect"] if isinstance(e, str)}  # type: ignore[arg-type]


def _few(question: Question, draws: int = DRAWS) -> dict[str, Input]:
    """The arguments with which numbers scatter most: 1 for those that they are expected to be, and few draws."""
    options = question.step.options
    ones: dict[str, Input] = {e: 1 for e in options["expect"] if isinstance(e, str)}
    return {**ones, options["variances_of"]: draws} if "variances_of" in options else ones


def _of_two(question: Question, seen: Observation) -> Finding | None:
    """The finding that two draws, however often, have no variance in the first number; None where they have."""
    numbers = _first_of_each(seen, seen.returned.get(OF_TWO))
    if not numbers or any(0.0 < number < np.inf for number in numbers):
        return None
    return wrong(say("check.none-of-two", number=shown(numbers[0]), **_said_of_two(question)))


def _never_small(question: Question, seen: Observation) -> Finding | None:
    """The finding that the variance of two draws is never a small one, however often; None where it is."""
    numbers = _first_of_each(seen, seen.returned.get(OF_TWO))
    if len(numbers) < CALLS_OF_TWO or not min(numbers) > MORE:
        return None
    return wrong(say("check.never-small", number=shown(min(numbers)), calls=len(numbers), **_said_of_two(question)))


def _said_of_two(question: Question) -> dict[str, str | int]:
    settings = ", ".join(f"{name}={value}" for name, value in _few(question, ONLY).items())
    argument: str = question.step.options["variances_of"]
    return {"settings": settings, "argument": argument, "position": 1, "total": len(_due(question))}


def _scattered(question: Question, seen: Observation) -> Finding | None:
    """The finding that the first number scatters by more or by less than its law has it; None for neither."""
    if "scatter" not in question.step.options:
        return None
    numbers = _first_of_each(seen, seen.returned.get(SCATTERED))
    if len(numbers) < 2:
        return wrong(say("check.no-numbers", got=described(seen, SCATTERED), total=len(_due(question))))
    settings = ", ".join(f"{name}={value}" for name, value in _few(question).items())
    if odd := [number for number in numbers if not 0.0 < number < np.inf]:
        places = {"position": 1, "total": len(_due(question)), "near": shown(1.0)}
        return wrong(say("check.number-off", number=shown(odd[0]), settings=settings, **places))
    due = float(question.step.options["scatter"])
    found, chance = float(np.log(numbers).std(ddof=1)), due * BY_CHANCE / len(numbers) ** 0.5
    if found < due - BELOW * chance:
        return wrong(say("check.scatters-less", settings=settings))
    if found > due + ABOVE * chance + OF_FEW * due / len(numbers):
        return wrong(say("check.scatters-more", settings=settings))
    return None


def _first_of_each(seen: Observation, result: Returned | None) -> list[float]:
    """The first number of each call of several, as many as were sent; empty where there are none."""
    if result is not None and result.kind == "sequence":
        return _numbers(seen, result)
    held = seen.tensors.get(result.key) if result is not None and result.kind == "tensor" else None
    if held is None or not held.ndim or not held.size:
        return []
    return [float(value) for value in np.asarray(held[:TIMES], np.float64).reshape(min(len(held), TIMES), -1)[:, 0]]


def _missed_alike(question: Question, seen: Observation, wanted: list[float]) -> str:
    """The argument that makes no difference to the share by which a number misses its expectation; "" for none."""
    expect = question.step.options["expect"]
    shares = []
    for name, more in {WITH_FEWER: 0, **WIDER}.items():
        numbers, due = _numbers(seen, seen.returned.get(name)), _wider(question, more)
        if len(numbers) != len(wanted):
            return ""
        shares.append([n / (float(due.get(e, e)) or 1.0) for n, e in zip(numbers, expect, strict=True)])
    alike = (max(each) - min(each) <= SAME for each in zip(*shares, strict=True))
    return next(iter(_wider(question, 0)), "") if any(alike) else ""


def _root(found: Mapping[str, list[float]], wanted: list[float], draws: float) -> int | None:
    """The position of a number that is, with two seeds, the root of what another one says of the same draws.

    Either may be divided by the number of draws, or by one less.
    """
    places = [position for position, want in enumerate(wanted) if want]
    shares = [{position: found[name][position] / wanted[position] for position in places} for name in SEEDS]
    less = (draws - 1) / draws
    for position, other in itertools.permutations(places, 2):
        squares = [(each[position] * abs(each[position]), each[other]) for each in shares]
        is_root = any(
            all(abs(square * by - variance) <= SAME for square, variance in squares) for by in (1, less, 1 / less)
        )
        is_same = all(abs(each[position] - each[other]) <= SAME for each in shares)
        if is_root and not is_same:
            return position
    return None


def _is_deviation(question: Question, found: Mapping[str, list[float]], want: float, position: int) -> bool:
    """Whether a number that is to be a variance is, with both seeds, the root of about what is due."""
    within: float = question.step.options["within"]
    squares = [found[name][position] * found[name][position] for name in SEEDS]  # infinite, or so large
    return "variances_of" in question.step.options and all(abs(each - want) <= within * want for each in squares)


def _is_by_root(question: Question, found: Mapping[str, list[float]], want: float, position: int) -> str:
    """The argument whose root a variance that is to be divided by it is too large by, with both seeds; "" for none."""
    options = question.step.options
    argument: str = options.get("power_of", "")
    if not argument or "variances_of" not in options or options["expect"][position] == argument:
        return ""
    due = want * float(question.case.template.inputs[argument]) ** 0.5  # type: ignore[arg-type]
    within: float = options["within"]
    return argument if all(abs(found[name][position] - due) <= within * abs(due) for name in SEEDS) else ""


def _known(question: Question, found: Mapping[str, list[float]], wanted: list[float], position: int) -> str:
    """The mistake that makes this number, and no other, what it is, with both seeds."""
    options, given = question.step.options, question.case.template.inputs
    known: Mapping[str, float] = options["told"][position] if "told" in options else {}
    for mistake, power in known.items():
        factors = [1.0] * len(wanted)
        factors[position] = float(given[options["power_of"]]) ** power  # type: ignore[arg-type]
        if all(
            abs(number - want * factor) <= options["within"] * abs(want * factor)
            for name in SEEDS
            for number, want, factor in zip(found[name], wanted, factors, strict=True)
        ):
            return mistake
    return ""


def _numbers(seen: Observation, result: Returned | None) -> list[float]:
    """The numbers of a tuple, or of a tensor with one axis; empty where there are none."""
    if result is None:
        return []
    if result.kind == "sequence":
        each = [_number(seen, item) for item in result.items]
        return [n for n in each if n is not None] if None not in each else []
    if result.kind == "tensor" and len(result.shape) == 1 and result.key in seen.tensors:
        return [float(value) for value in np.asarray(seen.tensors[result.key], np.float64)]
    return []


def _no_numbers(seen: Observation, total: int) -> str:
    """What is said of a result that is not so many numbers: of one item that is none, or of all of it."""
    result = seen.returned.get("once")
    items = result.items if result is not None else ()
    odd = next((place for place, item in enumerate(items) if _number(seen, item) is None), None)
    if odd is None or len(items) != total:
        return say("check.no-numbers", got=described(seen, "once"), total=total)
    said = say("judge.result", number=odd + 1, total=total)
    return said + say("judge.no-number", got=kind(items[odd]))


def _number(seen: Observation, result: Returned) -> float | None:
    if result.kind == "number":
        return result.number
    if result.kind == "tensor" and result.shape == () and result.key in seen.tensors:
        return float(seen.tensors[result.key])
    return None
