"""What deciding needs from whoever runs things: cases, answers of the solution, answers of the reference."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Protocol

from grader.judge.deciding import Asked
from grader.model.case import Case, Expected
from grader.model.check import Check, Question
from grader.model.observation import Fault, Observation
from grader.model.pack import Exercise, Naming, Step
from grader.model.run import Run, World


class Bench(Protocol):
    """One solution on one device, beside the reference. seconds: what a step may take, over all of its cases."""

    device: str
    dtype: str
    seconds: float
    naming: Naming
    checks: Mapping[str, Check]

    def cases(self, exercise: Exercise, step: Step, world: World) -> Sequence[Case]:
        """The step's cases, public ones first, each drawn; without those nobody can answer here."""
        ...

    def asked(self, exercise: Exercise, step: Step, world: World) -> Asked:
        """The runs of the step's cases, and which of them decide."""
        ...

    def plan(self, question: Question) -> Run:
        """The run that the step's check makes of a question: the same one however often it is asked for."""
        ...

    def load(self, module: str, world: World) -> Observation | None:
        """None where the solution's module loads, else the observation that says why it does not."""
        ...

    def stumbled(self, module: str, world: World) -> Fault | None:
        """What code outside functions raised in a module that loads, such as a demo, or that it ended the program; None
        where there is nothing to tell."""
        ...

    def observe_each(self, runs: Sequence[Run], world: World) -> Generator[Observation, None, None]:
        """Have the solution perform runs in order; ends with the first that crashes or is late."""
        ...

    def expected(self, question: Question, world: World) -> Expected:
        """What the reference answers to the question's run."""
        ...
