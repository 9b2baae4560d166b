"""What a diagnosis needs beside what the judge does: what known mistakes give, and the reference's stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from grader.diagnosis.explain import Answered, Explanations
from grader.diagnosis.stages import Progress, Stages
from grader.judge.bench import Bench
from grader.model.check import Question
from grader.model.pack import Exercise
from grader.model.run import World


class Workbench(Bench, Protocol):
    """A bench on which what is wrong can be taken apart."""

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
