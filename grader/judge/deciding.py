"""Which runs a step is asked, and which of them decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.judge.checks.asking import is_class
from grader.model.case import Case
from grader.model.check import Check, Question
from grader.model.run import Run

Planned = tuple[Question, Run]
# So many fresh cases do what a figure of the lesson's does: one alone may be drawn so that it hides something.
ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Asked:
    """All that a step is asked, in order, and what of it decides."""

    whole: Sequence[Planned]
    deciding: Sequence[Planned]


def asked_by(questions: Iterable[Question], plan: Callable[[Question], Run], checks: Mapping[str, Check]) -> Asked:
    """What a step is asked by these questions."""
    whole = planned(questions, plan)
    return Asked(whole, deciding(whole, checks))


def planned(questions: Iterable[Question], plan: Callable[[Question], Run]) -> list[Planned]:
    """Questions with their runs, in order. What is asked without any tensor is asked once: no seed changes it."""
    found: list[Planned] = []
    for question in questions:
        run = plan(question)
        if run.tensors or all(run.actions != earlier.actions for _, earlier in found):
            found.append((question, run))
    return found


def deciding(some: Sequence[Planned], checks: Mapping[str, Check]) -> list[Planned]:
    """Of what a step is asked, what decides whether it is right: fresh cases, and what no fresh one asks.

    A fresh case is its public one with other numbers, which nobody can have looked up; that one says no more of what is
    right, only, where something is not, what may be shown of it. So does a case that is there for a figure of the
    lesson's, where two fresh ones are like it. But in the first step of a function that looks at its results one public
    case stands beside its fresh one: only two of one size show that something is kept from one call to the next. A
    module is called more than once in each run of its own.
    """
    fresh = [question.case for question, _ in some if not question.case.is_public]
    shown = [each for each in some if each[0].case.is_public and _is_stood_for(each[0].case, fresh)]
    names = {case.name for case in fresh}
    kept = [each for each in shown if each[0].case.name in names and _shows_results_first(each[0], checks)][:1]
    return [each for each in some if each in kept or each not in shown]


def _shows_results_first(question: Question, checks: Mapping[str, Check]) -> bool:
    step, steps = question.step, question.exercise.steps
    return (
        not is_class(question)
        and next((other for other in steps if other.of == step.of and checks[other.check].explained), None) is step
    )


def _is_stood_for(case: Case, fresh: Sequence[Case]) -> bool:
    if any(case.name == other.name for other in fresh):
        return True
    return case.template.figure is not None and sum(_asks(case) == _asks(other) for other in fresh) >= ENOUGH


def _asks(case: Case) -> dict[str, object]:
    """What a case asks but for its numbers and sizes: how many axes its tensors have, and every plain argument."""
    construct: dict[str, object] = {n: None if type(v) is int else v for n, v in case.template.construct.items()}
    inputs: dict[str, object] = {
        name: ("axes", case.inputs[name].ndim) if name in case.inputs else value
        for name, value in case.template.inputs.items()
    }
    return construct | inputs
