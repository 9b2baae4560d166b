"""What the judge needs from whoever runs things: cases, answers of the solution, answers of the reference."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from grader.judge.deciding import Asked
from grader.judge.source.joined import Joined
from grader.model.case import Case, Expected
from grader.model.check import Check, Question
from grader.model.observation import Fault, Observation
from grader.model.pack import Definition, Exercise, Naming, Step
from grader.model.run import Run, World

# Has runs performed in order; the answers end with that to the first that crashes or is late.
Ask = Callable[[Sequence[Run]], list[Observation]]


class Bench(Protocol):
    """One solution on one device, beside the reference.

    definitions: what the exercises of the pack ask for, by its name. tries: whether small changes of what is wrong may
    be tried.
    """

    device: str
    dtype: str
    seconds: float
    tries: bool
    naming: Naming
    definitions: Mapping[str, Definition]
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
        """What is to be told of code outside functions that raised in a module that loads, such as a demo, or ended
        the program; None where there is nothing."""
        ...

    def observe_each(self, runs: Sequence[Run], world: World) -> Generator[Observation, None, None]:
        """Have the solution perform runs in order; ends with the first that crashes or is late."""
        ...

    def beside(self, modules: Mapping[str, bytes], world: World) -> AbstractContextManager[Ask]:
        """A process that holds further modules beside the solution's own, to be asked while the context lasts."""
        ...

    def source(self, exercise: Exercise) -> str:
        """The solution's own source of an exercise, with what it imports of its other files below."""
        ...

    def module(self, name: str) -> str:
        """The solution's own source of any module."""
        ...

    def joined(self, exercise: Exercise) -> Joined:
        """That source, and which of its lines stands where."""
        ...

    def expected(self, question: Question, world: World) -> Expected:
        """What the reference answers to the question's run."""
        ...
