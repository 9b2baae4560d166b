"""`statistics`: numbers drawn at random lie where their law says."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from grader.judge.checks import few_draws
from grader.judge.checks.asking import called_with, inputs, tensors
from grader.judge.checks.measured import due_of, numbers_in, said_of_none, settings_of, whole_numbers
from grader.judge.compare import EPSILON, nothing, shown
from grader.model.case import Expected
from grader.model.check import RIGHT, CaseArgument, Finding, Question, wrong
from grader.model.observation import Observation
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
        options = question.step.options
        generator = options["generator"]
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
        return Run((*calls, *few_draws.calls(question, given)), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        options, template = question.step.options, question.case.template
        wanted = due_of(question)
        found = {name: numbers_in(seen, seen.returned.get(name)) for name in ("once", "again", "other")}
        if without := next((name for name, numbers in found.items() if len(numbers) != len(wanted)), ""):
            return wrong(said_of_none(seen, without, len(wanted)), nothing(seen, *found))
        settings = settings_of(whole_numbers(question))
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
        if found["once"] == numbers_in(seen, seen.returned.get(WITH_FEWER)):
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
        return few_draws.finding(question, seen) or RIGHT


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


def _missed_alike(question: Question, seen: Observation, wanted: list[float]) -> str:
    """The argument that makes no difference to the share by which a number misses its expectation; "" for none."""
    expect = question.step.options["expect"]
    shares = []
    for name, more in {WITH_FEWER: 0, **WIDER}.items():
        numbers, due = numbers_in(seen, seen.returned.get(name)), _wider(question, more)
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
