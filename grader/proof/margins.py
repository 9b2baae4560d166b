"""How far each known mistake is from right, in tolerances: where it is not far, a mistake passes for rounding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.judge import compare
from grader.judge.checks.asking import RESULT
from grader.model.check import Check, Question
from grader.model.observation import Observation
from grader.model.order import STUDENT_DTYPE
from grader.model.pack import Exercise, Pack, Step
from grader.model.run import OWN
from grader.pack.fixtures import Fixtures
from grader.proof.edits import Edits, Known
from grader.proof.explanations import redirected
from grader.runner.cases import Cases
from grader.runner.processes.spawner import Spawner
from grader.runner.reference import DTYPE, SECONDS
from grader.runner.session import DEVICES
from grader.runner.solver import Solver

# Docs/numerics.md: below ten tolerances a mistake could hide in the noise of some machine.
LEAST = 10.0
# Two float64 runs that differ by less give the same numbers: the mistake does not show on that case.
NEGLIGIBLE = 1e-9
# Fresh cases of the run's own seed and of the next.
SEEDS = 2


@dataclass(frozen=True, slots=True)
class Margin:
    """One mistake on one case. tolerances: its distance from the reference; infinite where the form differs."""

    known: Known
    step: Step
    case: str
    origin: str
    tolerances: float

    @property
    def is_near(self) -> bool:
        return self.tolerances < LEAST

    @property
    def size(self) -> str:
        """The distance in words; its first digits matter where it is small."""
        number = f"{self.tolerances:.2g}" if self.is_near else f"{self.tolerances:,.0f}"
        return f"{number} x tolerance"

    def __str__(self) -> str:
        name = str(self.known).rstrip(",")
        drawn = "" if self.origin == "public" else f", drawn from {self.origin}"
        return f"{name}, case {self.case} of {self.step.id}{drawn}: {self.size}"


class Ruler:
    """Measures edits of the reference against it, in float64."""

    def __init__(
        self, worker: Spawner, pack: Pack, checks: Mapping[str, Check], edits: Edits, fixtures: Fixtures, seed: int
    ) -> None:
        self._worker, self._pack, self._checks, self._edits, self._fixtures = worker, pack, checks, edits, fixtures
        self._draws = [(number, Cases(pack, fixtures, number)) for number in range(seed, seed + SEEDS)]

    def margins(self, exercise: Exercise) -> list[Margin]:
        """Each mistake on each case of each step that compares outputs and is of no other exercise's making."""
        mistakes = self._edits.mistakes(exercise)
        copies = {f"{exercise.id}_{n}": self._copy(known) for n, known in enumerate(mistakes)}
        asked = list(self._questions(exercise))
        runs = [self._checks[question.step.check].plan(question) for _, question in asked]
        modules = {**self._edits.modules, **copies}
        with closing(Solver(self._worker, modules, self._pack.stand_ins, dtype=DTYPE)) as solver:
            right = list(solver.observe_each(runs, OWN, SECONDS))
            seen = {
                known.edit: list(
                    solver.observe_each([redirected(run, exercise.id, copy) for run in runs], OWN, SECONDS)
                )
                for copy, known in zip(copies, mistakes, strict=True)
            }
        return [
            Margin(known, question.step, question.case.name, origin, distance)
            for known in mistakes
            for (origin, question), got, want in zip(asked, seen[known.edit], right, strict=True)
            if (distance := self._distance(question, got, want)) is not None
        ]

    def _copy(self, known: Known) -> bytes:
        return self._edits.made(known.exercise, known.edit)[known.exercise.id]

    def _questions(self, exercise: Exercise) -> Iterator[tuple[str, Question]]:
        """Each case, public and drawn, with where it comes from."""
        for step in exercise.steps:
            if not self._checks[step.check].explained:
                continue
            for case in self._draws[0][1].public(exercise, step):
                yield "public", Question(exercise, step, case, dtype=STUDENT_DTYPE, naming=self._pack.naming)
            for seed, cases in self._draws:
                for case in cases.fresh(exercise, step):
                    yield f"seed {seed}", Question(exercise, step, case, dtype=STUDENT_DTYPE, naming=self._pack.naming)

    def _distance(self, question: Question, got: Observation, want: Observation) -> float | None:
        """In tolerances, on the target that is the most lenient; None where the mistake does not show."""
        if not got.is_whole or got.refused:
            return float("inf")
        if got.returned.get(RESULT) != want.returned[RESULT]:
            return float("inf")
        found = [self._of_tensor(question, key, got.tensors[key], want.tensors[key]) for key in _keys(want)]
        shown = [distance for distance in found if distance is not None]
        return max(shown) if shown else None

    def _of_tensor(self, question: Question, key: str, got: Any, want: Any) -> float | None:
        if want.dtype.kind != "f":
            return None if np.array_equal(got, want) else float("inf")
        got, want = _with_infinities(question.step, got), _with_infinities(question.step, want)
        finite = np.isfinite(want)
        if not np.array_equal(finite, np.isfinite(got)) or not np.array_equal(got[~finite], want[~finite]):
            return float("inf")
        error = float(np.abs(got[finite] - want[finite]).max(initial=0.0))
        scale = float(np.abs(want[finite]).max(initial=0.0)) or 1.0
        if error / scale < NEGLIGIBLE:
            return None
        return error / max(compare.tolerance(question, want, floor) for floor in self._floors(question, key))

    def _floors(self, question: Question, key: str) -> list[float]:
        """The reference's noise on every target that a student may be graded on."""
        named = (question.exercise, question.step, question.case.name, frozenset[str]())
        answers = [self._fixtures.expected(*named, f"{device}/{STUDENT_DTYPE}") for device in DEVICES]
        return [answer.floors.get(key, 0.0) for answer in answers]


def _keys(want: Observation) -> list[str]:
    """The tensors of the result."""
    result = want.returned[RESULT]
    return [item.key for item in (result.items if result.kind == "sequence" else (result,)) if item.kind == "tensor"]


def _with_infinities(step: Step, array: Any) -> Any:
    """An array in which what stands for minus infinity is it."""
    threshold = step.options.get("minus_infinity")
    return array if threshold is None else np.where(array <= threshold, -np.inf, array)
