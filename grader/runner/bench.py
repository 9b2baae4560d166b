"""The judge's bench: one submission on one device, asked through a worker, beside the reference."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager

from grader.diagnosis.explain import Answered, Explanations
from grader.diagnosis.source.joined import Joined, joined
from grader.diagnosis.stages import Progress, Stages
from grader.diagnosis.workbench import Ask
from grader.judge.deciding import Asked
from grader.model.case import Case, Expected
from grader.model.check import Check, Question
from grader.model.observation import Ending, Fault, Observation
from grader.model.pack import Definition, Exercise, Naming, Step
from grader.model.run import OWN, Run, World
from grader.model.submission import Submission
from grader.runner.session import Session, Usual
from grader.runner.solver import Solver

# So many seeds torch takes.
TORCHS_SEEDS = 2**63
# More than any step has: what takes less than this part of a step's limit each is together within it.
RUNS_OF_A_STEP = 20


def set_up(session: Session, submission: Submission, device: str, usual: Sequence[Usual] = ()) -> WorkerBench:
    """A bench for one submission on one device.

    usual: of what it will be asked as well, all that decides is asked ahead. On the CPU: another device has to be
    started first, which takes longer than anybody's patience.
    """
    pack, order = session.pack, session.order
    here = [each for each in usual if each.device == device == "cpu" and each.exercise in submission.modules]
    solver = Solver(
        session.worker,
        submission.modules,
        pack.stand_ins,
        device=device,
        dtype=order.dtype,
        # Student code can read it back and put it into a message.
        seed=0 if order.seed_is_secret else order.seed % TORCHS_SEEDS,
        keeps_fresh_apart=order.seed_is_secret,
        ahead=[each.run for each in here if each.decides],
        slow=order.seconds / RUNS_OF_A_STEP,
        helpers=submission.modules.keys() - pack.ids,
    )
    return WorkerBench(session, solver, device)


class WorkerBench:
    """A solver in a session, with the clock of the step that is being graded. Whoever asked for it closes its solver.

    seconds: the wall-clock limit of a step, over all of its cases.
    """

    def __init__(self, session: Session, solver: Solver, device: str) -> None:
        self.naming: Naming = session.pack.naming
        self.definitions: Mapping[str, Definition] = session.pack.definitions
        self.checks: Mapping[str, Check] = session.plugins.checks
        self.device, self.dtype, self.seconds = device, session.order.dtype, session.order.seconds
        self.tries = session.order.tries and device == "cpu"  # where another process is ready at once
        self.solver = solver
        self._session = session
        exercises = {each.id for each in session.pack.exercises}
        self._helpers = {name: text for name, text in solver.modules.items() if name not in exercises}
        self._deadline = 0.0
        self._spare = 0.0  # for what is asked beside the step, and takes nothing from its time

    def start_clock(self, seconds: float) -> None:
        """Begin a step, with so much time ahead."""
        self.seconds = self._spare = seconds
        self._deadline = time.monotonic() + seconds - self.solver.waived

    def cases(self, exercise: Exercise, step: Step, world: World) -> Sequence[Case]:
        return self._session.cases.asked(exercise, step, fresh=self._session.asks_fresh(step))

    def asked(self, exercise: Exercise, step: Step, world: World) -> Asked:
        return self._session.asked(exercise, step, self.device)

    def plan(self, question: Question) -> Run:
        return self._session.plans.run(question)

    def load(self, module: str, world: World) -> Observation | None:
        return self.solver.load(module, world, self.seconds)

    def stumbled(self, module: str, world: World) -> Fault | None:
        return self.solver.stumbled(module, world)

    def observe_each(self, runs: Sequence[Run], world: World) -> Generator[Observation, None, None]:
        left = self._deadline + self.solver.waived - time.monotonic()
        if left <= 0:
            yield Observation(ending=Ending.TIMEOUT)
        else:
            yield from self.solver.observe_each(runs, world, left)

    @contextmanager
    def beside(self, modules: Mapping[str, bytes], world: World) -> Iterator[Ask]:
        began, until = time.monotonic(), time.monotonic() + self._spare
        try:
            with closing(self.solver.beside(modules)) as other:
                yield lambda runs: [*other.observe_each(runs, world, max(until - time.monotonic(), 0.0))]
        finally:
            spent = time.monotonic() - began
            self._spare -= spent
            self._deadline += spent

    def explanations(self, exercise: Exercise, of: str) -> Explanations | None:
        return self._session.cases.fixtures.explanations(exercise, of)

    def search(
        self, exercise: Exercise, of: str, cases: Sequence[Answered], progress: Progress | None, world: World
    ) -> set[frozenset[str]]:
        search = self._session.search
        return search.find(exercise, of, cases, progress, world) if search is not None else set()

    def stages(self, question: Question, world: World) -> Stages | None:
        is_asked = question.step.stages and world == OWN
        return self._session.reference.stages(question, self.plan(question)) if is_asked else None

    def source(self, exercise: Exercise) -> str:
        return self.joined(exercise).text

    def joined(self, exercise: Exercise) -> Joined:
        return joined(self.module(exercise.id), self._helpers)

    def module(self, name: str) -> str:
        return self.solver.modules.get(name, b"").decode("utf-8", "replace")

    def expected(self, question: Question, world: World) -> Expected:
        return self._session.reference.expected(question, self.plan(question), world)
