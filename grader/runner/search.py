"""Looks for known mistakes that no table holds, by asking the reference with its edits made.

The fixtures know what one and two mistakes give in a student's own world. Three at once, and whatever stand-ins have a
part in, is asked of the reference itself, in a worker that may read solutions: see `grader.pack.superpose`. What it
gives is remembered, so that a class pays for the search once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from grader.diagnosis.explain import Answered
from grader.diagnosis.signature import Signature, agree
from grader.diagnosis.stages import Progress
from grader.model.errors import TooLargeToExplain
from grader.model.pack import Exercise, Pack
from grader.model.run import OWN, World
from grader.pack.mistakes import TOLD_OTHERWISE, edits_of
from grader.plugins.registry import Plugins
from grader.runner.processes.spawner import Spawner
from grader.runner.reference import DTYPE
from grader.runner.solver import Solver
from grader.runner.sweep import Sweeper, sweeper
from grader.runner.swept import Chosen

MOST = 3


class Search:
    """The reference with some of its mistakes made. modules: the reference's. Safe to use from threads."""

    def __init__(self, worker: Spawner, pack: Pack, modules: Mapping[str, bytes], plugins: Plugins) -> None:
        self._worker, self._pack, self._modules, self._plugins = worker, pack, modules, plugins
        self._sweepers: dict[tuple[str, str, World], Sweeper] = {}

    def find(
        self,
        exercise: Exercise,
        of: str,
        cases: Sequence[Answered],
        progress: Progress | None = None,
        world: World = OWN,
    ) -> set[frozenset[str]]:
        """The ids of every smallest set of mistakes that gives the solution's results on every case.

        In the student's own world only sets that are larger than those of the fixtures are tried. None is known where
        one gives more than an answer holds: a pack is told so when its fixtures are built.

        progress: how far the solution is right on some case, which leaves fewer to be tried: none that would spoil a
        stage that is right, and one at least that spoils the first that is not.
        """
        telling = [case for case in cases if case.own is not None]
        own = self._sweeper(exercise, of, world)
        is_vain = all(case.own is None or case.own.is_fault or case.own.is_empty for case in telling)
        if not own.superposed.edits or is_vain:
            return set()
        modules = {**self._modules, own.module: own.superposed.source.encode()}
        with (
            suppress(TooLargeToExplain),
            closing(Solver(self._worker, modules, self._pack.stand_ins, dtype=DTYPE)) as solver,
        ):
            for size in [MOST] if world == OWN else range(1, MOST + 1):
                if fits := _fitting(own, solver, own.sets(solver, cases, size, progress), telling):
                    return {frozenset(own.superposed.edits[number].id for number in chosen) for chosen in fits}
        return set()

    def _sweeper(self, exercise: Exercise, of: str, world: World) -> Sweeper:
        key = exercise.id, of, world
        if key not in self._sweepers:
            source = self._modules[exercise.id].decode()
            edits = edits_of(self._plugins.solutions(self._pack.name), exercise, source)
            told = [edit for edit in edits if edit.id not in TOLD_OTHERWISE]
            self._sweepers[key] = sweeper(exercise, of, source, told, self._plugins.checks, most=MOST, world=world)
        return self._sweepers[key]


def _fitting(own: Sweeper, solver: Solver, sets: Sequence[Chosen], telling: Sequence[Answered]) -> Sequence[Chosen]:
    """Those of the sets that give the solution's results on every case."""
    fits = sets
    for case in telling:
        if fits and case.own is not None:
            alike = _alike(own.signatures(solver, case, fits), case.own)
            fits = [chosen for chosen, is_alike in zip(fits, alike, strict=True) if is_alike]
    return fits


def _alike(known: Any, own: Signature) -> Any:
    """Which of the reference's results, packed, are the solution's."""
    return agree(known["form"], known["values"], own)
