"""What the reference answers: from the fixtures for public cases, by asking it for fresh ones.

The reference runs on a road like the student's, in a child of its own that the student's cannot see, and on a thread
of its own here, so that both compute at the same time.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

from grader.diagnosis.runs import traced
from grader.diagnosis.stages import Stages, stages_of
from grader.judge.checks.asking import RESULT
from grader.model.case import Case, Expected
from grader.model.check import Check, Question
from grader.model.errors import ReferenceLacks, SolutionError, StageAbsent
from grader.model.observation import Observation
from grader.model.pack import Exercise
from grader.model.profile import phase
from grader.model.run import OWN, Run, World
from grader.pack.fixtures import Fixtures
from grader.runner.solver import Solver

# The reference is ours and quick; a minute only guards against a machine that stands still.
SECONDS = 60.0
DTYPE = "float64"


class Reference:
    """The reference of a pack, asked in float64. Without a solver it knows the public cases only."""

    def __init__(self, fixtures: Fixtures, solver: Solver | None) -> None:
        self._fixtures, self._solver = fixtures, solver
        self._thread = ThreadPoolExecutor(1, "reference")
        self._answers: dict[tuple[str, str, World], Future[Observation]] = {}
        self._stages: dict[tuple[str, str], Future[Stages]] = {}

    @property
    def knows_fresh_cases(self) -> bool:
        return self._solver is not None

    def can_answer(self, check: Check) -> bool:
        """Whether a check can judge fresh cases: without a solver, only one that compares with nothing."""
        return self.knows_fresh_cases or not check.compares

    def prepare(self, question: Question, run: Run, world: World = OWN) -> None:
        """Have a fresh case answered in the background."""
        key = _key(question.step.id, question.case, world)
        if not question.case.is_public and key not in self._answers:
            self._answers[key] = self._thread.submit(self._ask, question, run, world)

    @phase("reference")
    def expected(self, question: Question, run: Run, world: World) -> Expected:
        """The reference's answer, with the noise floors of the question's device and type. Raises SolutionError."""
        target = f"{question.device}/{question.dtype}"
        arguments = (question.exercise, question.step, question.case.name, world.stand_ins, target)
        known = self._fixtures.expected(*arguments)
        if question.case.is_public:
            return known
        self.prepare(question, run, world)
        return Expected(self._answers[_key(question.step.id, question.case, world)].result(), known.floors)

    def stages(self, question: Question, run: Run) -> Stages:
        """The reference's intermediate results, by its own modules. Raises SolutionError."""
        if question.case.is_public:
            return self._fixtures.stages(question.exercise, question.step, question.case.name)
        key = question.step.id, question.case.name
        if key not in self._stages:
            self._stages[key] = self._thread.submit(self._ask_stages, question, run)
        return self._stages[key].result()

    def rest(self) -> None:
        """End the reference's children behind what they are asked; whatever is asked then begins others.

        Of what a worker has learnt meanwhile, and put elsewhere in its memory, older ones share nothing.
        """
        if self._solver is not None:
            self._thread.submit(self._solver.close)

    def close(self) -> None:
        """Forget what was not asked yet, and end the reference's children."""
        self._thread.shutdown(cancel_futures=True)
        if self._solver is not None:
            self._solver.close()

    @phase("reference")
    def _ask_stages(self, question: Question, run: Run) -> Stages:
        assert self._solver is not None
        return asked_stages(self._solver, question, run)

    @phase("reference")
    def _ask(self, question: Question, run: Run, world: World) -> Observation:
        assert self._solver is not None
        return answer(self._solver, question, run, world)


def answer(solver: Solver, question: Question, run: Run, world: World) -> Observation:
    """The reference's observation of a run. Raises SolutionError where it has none."""
    check_has(solver, question.exercise)
    seen = solver.observe(run, world, SECONDS)
    if not seen.is_whole:
        fault = seen.fault
        raised = ": ".join(filter(None, (fault.type or fault.kind, fault.message))) if fault else ""
        why = raised or f"{seen.ending} {seen.detail}".strip()
        place = f", at {fault.frames[-1].file}:{fault.frames[-1].line}" if fault and fault.frames else ""
        raise SolutionError(f"The reference fails {question.step.id}, case {question.case.name}{place}: {why}")
    return seen


def check_has(solver: Solver, exercise: Exercise) -> None:
    """Raises ReferenceLacks where the reference has no module of an exercise."""
    if exercise.id not in solver.modules:
        raise ReferenceLacks(f"The reference has no {exercise.file}.")


def asked_stages(solver: Solver, question: Question, run: Run) -> Stages:
    """The intermediate results of a run of the reference's. Raises StageAbsent where it lacks one."""
    seen = answer(solver, question, traced(run, question.step.stages), OWN)
    found = stages_of(seen.traces[RESULT], question.step.stages)
    if missing := set(question.step.stages) - set(found.values):
        raise StageAbsent(
            f"The reference gives no tensor of floating-point numbers to a name {min(missing)!r} in "
            f"{question.step.of}, which is a stage of {question.step.id}"
        )
    return found


def _key(step: str, case: Case, world: World) -> tuple[str, str, World]:
    return step, case.name, world
