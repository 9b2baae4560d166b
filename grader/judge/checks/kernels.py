"""`kernels`: the number of matrix products does not grow with an argument. Counted, not timed: no noise moves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.judge import compare
from grader.judge.checks.asking import called, make, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, ConstructorArgument, Finding, Question, wrong
from grader.model.observation import LEFT_TORCH, OF_GIVEN, PRODUCTS, Observation
from grader.model.run import Action, Mode, Run
from grader.words import say

# What reads one number out of a tensor, as `.item()` does. What is multiplied in Python then reaches no dispatcher, but
# who reads both factors of every product reads as many numbers for each of the result as there are tokens, and more.
READ = "_local_scalar_dense"
# Attention makes so many products of what it is given: of queries with keys, and of the weights with the values.
LEAST_OF_GIVEN = 2


class Kernels:
    """Options. `argument`: of the constructor, such as num_heads. `values`: what it is set to, rising. `along`: another
    one that grows by as much: whoever goes through all that there is of it goes through the first one as well.
    """

    name = "kernels"
    compares = False
    explained = False
    options: Mapping[str, type] = {
        "argument": ConstructorArgument,
        "values": list,
        "along": ConstructorArgument,
    }

    def plan(self, question: Question) -> Run:
        options = question.step.options
        actions: list[Action] = []
        for value in options["values"]:
            module = f"module {value}"
            actions += [
                make(question, module, **_sizes(question, value)),
                Mode(module, training=False),
                called(question, _name(value), of=module, count=True),
            ]
        return Run(tuple(actions), tensors(question))

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        counts: dict[Any, int] = {}
        read, least, left, of_given, sizes = [], [], [], [], []
        for value in question.step.options["values"]:
            result = compare.tensor(seen, _name(value))
            if result is None or compare.lifeless(result):
                return wrong(say("check.nothing-to-count"))
            operations = seen.operations.get(_name(value), {})
            counts[value] = sum(count for name, count in operations.items() if name in PRODUCTS)
            read.append(operations.get(READ, 0))
            left.append(operations.get(LEFT_TORCH, 0))
            of_given.append(operations.get(OF_GIVEN, 0))
            sizes.append(result.size)
            least.append(result.size * result.shape[-2] if result.ndim > 1 else result.size)
        if min(counts.values()) == 0:
            return wrong(say("check.no-product"))
        if min(of_given) < LEAST_OF_GIVEN and left[-1] - left[0] >= sizes[-1] - sizes[0] > 0:
            return wrong(say("check.products-elsewhere"))
        fewest, *more = counts.values()
        argument = question.step.options["argument"]
        if max(more) <= fewest:
            is_by_number = read[-1] - read[0] >= least[-1] - least[0] > 0
            return wrong(say("check.numbers-read", argument=argument)) if is_by_number else RIGHT
        told = [
            say("check.products-for", products=count, argument=f"{argument}={value}") for value, count in counts.items()
        ]
        return wrong(say("check.products-grow", numbers=", ".join(told)))


def _sizes(question: Question, value: int) -> dict[str, Any]:
    """The constructor's arguments that are others for one of the values."""
    options = question.step.options
    sizes = {options["argument"]: value}
    if along := options.get("along"):
        sizes[along] = int(question.case.template.construct[along]) * value // int(options["values"][0])
    return sizes


def _name(value: int) -> str:
    return f"result {value}"
