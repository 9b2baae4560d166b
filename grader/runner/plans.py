"""What checks ask of each case, written once for all solutions: a class is asked the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grader.model.case import Case
from grader.model.check import Check, Question
from grader.model.run import Run


class Plans:
    """The runs of questions. Only cases that are kept as well are to be asked of it, or it grows."""

    def __init__(self, checks: Mapping[str, Check]) -> None:
        self._checks = checks
        self._runs: dict[tuple[str, Case, str, str], Run] = {}

    def run(self, question: Question) -> Run:
        """The run of a question, from whoever asks."""
        key = question.step.id, question.case, question.device, question.dtype
        if key not in self._runs:
            run = self._checks[question.step.check].plan(question)
            self._runs[key] = run if question.case.is_public else replace(run, is_fresh=True)
        return self._runs[key]
