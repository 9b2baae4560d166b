"""Numbers that a solution measures: those that a call gives, and what they are expected to be."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grader.judge.compare import described, kind
from grader.model.check import Question
from grader.model.observation import Observation, Returned
from grader.model.pack import Input
from grader.words import say


def due_of(question: Question) -> list[float]:
    """What each number is expected to be."""
    given = question.case.template.inputs
    # The rubric gives numbers here, which no type says.
    return [float(given[e] if isinstance(e, str) else e) for e in question.step.options["expect"]]  # type: ignore[arg-type]


def whole_numbers(question: Question) -> dict[str, Input]:
    return {name: value for name, value in question.case.template.inputs.items() if isinstance(value, int)}


def settings_of(given: Mapping[str, Input]) -> str:
    """Arguments as a sentence tells them."""
    return ", ".join(f"{name}={value}" for name, value in given.items())


def numbers_in(seen: Observation, result: Returned | None) -> list[float]:
    """The numbers of a tuple, or of a tensor with one axis; empty where there are none."""
    if result is None:
        return []
    if result.kind == "sequence":
        each = [_number(seen, item) for item in result.items]
        return [n for n in each if n is not None] if None not in each else []
    if result.kind == "tensor" and len(result.shape) == 1 and result.key in seen.tensors:
        return [float(value) for value in np.asarray(seen.tensors[result.key], np.float64)]
    return []


def said_of_none(seen: Observation, name: str, total: int) -> str:
    """What is said of a call's result that is not so many numbers: of one item that is none, or of all of it."""
    result = seen.returned.get(name)
    items = result.items if result is not None else ()
    odd = next((place for place, item in enumerate(items) if _number(seen, item) is None), None)
    if odd is None or len(items) != total:
        return say("check.no-numbers", got=described(seen, name), total=total)
    said = say("judge.result", number=odd + 1, total=total)
    return said + say("judge.no-number", got=kind(items[odd]))


def _number(seen: Observation, result: Returned) -> float | None:
    if result.kind == "number":
        return result.number
    if result.kind == "tensor" and result.shape == () and result.key in seen.tensors:
        return float(seen.tensors[result.key])
    return None
