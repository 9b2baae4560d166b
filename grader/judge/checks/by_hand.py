"""`by-hand`: the result is right, and was not had from the operation that the student is to write."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from grader.judge import compare
from grader.judge.checks.asking import RESULT, asked, called_with, inputs, is_class, renamed, tensors
from grader.model.case import Expected
from grader.model.check import RIGHT, Finding, Question, wrong
from grader.model.observation import Observation
from grader.model.run import Call, Run
from grader.model.text import clean
from grader.words import say


class ByHand:
    """Options. `without`: patterns of dispatched operations' names, such as "*softmax*", that must not occur.

    `also_at`: numbers that are added to all numbers of the inputs, once each: nor may they occur there, where what is
    written by hand may be given up. Its values are another step's to judge.
    """

    name = "by-hand"
    compares = True
    explained = False
    options: Mapping[str, type] = {"without": list, "also_at": list}

    def plan(self, question: Question) -> Run:
        given = tensors(question)
        moved = {_at(by, name): array + by for by in _moves(question) for name, array in given.items()}
        calls = tuple(_called(question, by) for by in _moves(question))
        return Run((*asked(question, count=True), *calls), {**given, **moved})

    def judge(self, question: Question, seen: Observation, expected: Expected | None) -> Finding:
        assert expected is not None
        finding = compare.returned(question, RESULT, seen, expected)
        if not finding.right:
            return finding
        if used := _used(question, seen, RESULT):
            return wrong(say("check.not-by-hand", operation=used))
        for by in _moves(question):
            if used := _used(question, seen, _at(by)):
                return wrong(say("check.not-by-hand-at", operation=used, number=f"{by:g}"))
        return RIGHT


def _moves(question: Question) -> list[float]:
    """What is added to all numbers of a function's inputs, once each."""
    moves: list[float] = question.step.options.get("also_at", [])
    return [] if is_class(question) else moves


def _called(question: Question, by: float) -> Call:
    """Call the function with inputs to whose numbers something is added."""
    moved = renamed(inputs(question), lambda name: _at(by, name))
    return called_with(question, _at(by), moved, count=True, may_fail=True)


def _at(by: float, name: str = RESULT) -> str:
    return f"{name} at {by:g}"


def _used(question: Question, seen: Observation, name: str) -> str:
    """The first operation of a call that must not occur; "" for none."""
    dispatched = sorted(used for used, count in seen.operations.get(name, {}).items() if count)
    patterns: list[str] = question.step.options["without"]
    used = next((each for each in dispatched if any(fnmatchcase(each, pattern) for pattern in patterns)), "")
    return clean(used.strip("_"), 60)
