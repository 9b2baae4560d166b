"""What checks ask of each case, written once for all solutions: a class is asked the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.judge.deciding import Asked, asked_by
from grader.model.case import Case
from grader.model.check import Check, Question
from grader.model.pack import Exercise, Step
from grader.model.run import Run
from grader.runner.cases import Cases


class Plans:
    """The runs of questions. Only cases that are kept as well are to be asked of it, or it grows."""

    def __init__(self, checks: Mapping[str, Check], cases: Cases) -> None:
        self._checks, self._cases = checks, cases
        self._runs: dict[tuple[str, Case, str, str], Run] = {}
        self._asked: dict[tuple[str, str, str, bool], Asked] = {}

    def asked(self, exercise: Exercise, step: Step, device: str, dtype: str, *, fresh: bool) -> Asked:
        """What a step is asked on a device, in a floating-point type. fresh: whether on fresh cases as well."""
        key = step.id, device, dtype, fresh
        if key not in self._asked:
            cases = self._cases.asked(exercise, step, fresh=fresh)
            questions = (Question(exercise, step, case, device, dtype, self._cases.pack.naming) for case in cases)
            self._asked[key] = asked_by(questions, self.run, self._checks)
        return self._asked[key]

    def run(self, question: Question) -> Run:
        """The run of a question, from whoever asks."""
        key = question.step.id, question.case, question.device, question.dtype
        if key not in self._runs:
            run = self._checks[question.step.check].plan(question)
            self._runs[key] = run if question.case.is_public else replace(run, is_fresh=True)
        return self._runs[key]
