"""The judge's bench: one submission on one device, asked through a worker, beside the reference."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence

from grader.judge.deciding import Asked
from grader.judge.diagnosis.explain import Answered, Explanations
from grader.judge.diagnosis.stages import Progress, Stages
from grader.model.case import Case, Expected
from grader.model.check import Check, Question
from grader.model.observation import Ending, Fault, Observation
from grader.model.pack import Definition, Exercise, Naming, Step
from grader.model.run import OWN, Run, World
from grader.runner.cases import Cases
from grader.runner.plans import Plans
from grader.runner.reference import Reference
from grader.runner.search import Search
from grader.runner.solver import Solver


class WorkerBench:
    """A solver with the clock of the step that is being graded.

    seconds: the wall-clock limit of a step, over all of its cases.
    """

    def __init__(
        self,
        solver: Solver,
        reference: Reference,
        search: Search | None,
        cases: Cases,
        plans: Plans,
        checks: Mapping[str, Check],
        *,
        device: str,
        dtype: str,
        seconds: float,
    ) -> None:
        self.naming: Naming = cases.pack.naming
        self.definitions: Mapping[str, Definition] = cases.pack.definitions
        self.checks = checks
        self.device, self.dtype, self.seconds = device, dtype, seconds
        self._solver, self._reference, self._search = solver, reference, search
        self._cases, self._plans = cases, plans
        self._deadline = 0.0

    def start_clock(self, seconds: float) -> None:
        """Begin a step, with so much time ahead."""
        self.seconds = seconds
        self._deadline = time.monotonic() + seconds - self._solver.waived

    def cases(self, exercise: Exercise, step: Step, world: World) -> Sequence[Case]:
        return self._cases.asked(exercise, step, fresh=self._answers_fresh(step))

    def asked(self, exercise: Exercise, step: Step, world: World) -> Asked:
        return self._plans.asked(exercise, step, self.device, self.dtype, fresh=self._answers_fresh(step))

    def plan(self, question: Question) -> Run:
        return self._plans.run(question)

    def load(self, module: str, world: World) -> Observation | None:
        return self._solver.load(module, world, self.seconds)

    def stumbled(self, module: str, world: World) -> Fault | None:
        return self._solver.stumbled(module, world)

    def observe_each(self, runs: Sequence[Run], world: World) -> Generator[Observation, None, None]:
        left = self._deadline + self._solver.waived - time.monotonic()
        if left <= 0:
            yield Observation(ending=Ending.TIMEOUT)
        else:
            yield from self._solver.observe_each(runs, world, left)

    def explanations(self, exercise: Exercise, of: str) -> Explanations | None:
        return self._cases.fixtures.explanations(exercise, of)

    def search(
        self, exercise: Exercise, of: str, cases: Sequence[Answered], progress: Progress | None, world: World
    ) -> set[frozenset[str]]:
        return self._search.find(exercise, of, cases, progress, world) if self._search is not None else set()

    def stages(self, question: Question, run: Run, world: World) -> Stages | None:
        return self._reference.stages(question, run) if question.step.stages and world == OWN else None

    def source(self, exercise: Exercise) -> str:
        return self._solver.modules.get(exercise.id, b"").decode("utf-8", "replace")

    def expected(self, question: Question, run: Run, world: World) -> Expected:
        return self._reference.expected(question, run, world)

    def _answers_fresh(self, step: Step) -> bool:
        return self._reference.can_answer(self.checks[step.check])
