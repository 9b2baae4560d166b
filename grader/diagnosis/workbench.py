"""What a diagnosis needs beside what deciding does: sources, what known mistakes give, and the reference's stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from grader.diagnosis.explain import Answered, Explanations
from grader.diagnosis.source.joined import Joined
from grader.diagnosis.stages import Progress, Stages
from grader.judge.bench import Bench
from grader.model.check import Question
from grader.model.observation import Observation
from grader.model.pack import Definition, Exercise
from grader.model.run import Run, World

# Has runs performed in order; the answers end with that to the first that crashes or is late.
Ask = Callable[[Sequence[Run]], list[Observation]]


class Workbench(Bench, Protocol):
    """A bench on which what is wrong can be taken apart.

    definitions: what the exercises of the pack ask for, by its name. tries: whether small changes of what is wrong may
    be tried.
    """

    definitions: Mapping[str, Definition]
    tries: bool

    def source(self, exercise: Exercise) -> str:
        """The solution's own source of an exercise, with what it imports of its other files below."""
        ...

    def module(self, name: str) -> str:
        """The solution's own source of any module."""
        ...

    def joined(self, exercise: Exercise) -> Joined:
        """That source, and which of its lines stands where."""
        ...

    def beside(self, modules: Mapping[str, bytes], world: World) -> AbstractContextManager[Ask]:
        """A process that holds further modules beside the solution's own, to be asked while the context lasts."""
        ...

    def explanations(self, exercise: Exercise, of: str) -> Explanations | None:
        """What known mistakes make of a definition's results; None where none is known."""
        ...

    def search(
        self, exercise: Exercise, of: str, cases: Sequence[Answered], progress: Progress | None, world: World
    ) -> set[frozenset[str]]:
        """The ids of every smallest set of known mistakes, of those that the explanations lack, with these results.

        Nothing where nobody can be asked. progress: how far the solution is right on one of the cases, if known.
        """
        ...

    def stages(self, question: Question, world: World) -> Stages | None:
        """The reference's intermediate results in the question's run; None where they are not known."""
        ...
