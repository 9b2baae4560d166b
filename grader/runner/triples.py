"""Looks for three known mistakes at once, where neither one nor two explain what a solution gives.

The reference itself is asked, with every three of its edits made, in a worker that may read solutions: see
`grader.pack.superpose`. What it gives is remembered, so that a class pays for the search once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing

from grader.judge.diagnosis.explain import Answered
from grader.judge.diagnosis.signature import Signature, agree
from grader.judge.diagnosis.stages import Progress
from grader.model.pack import Exercise, Pack
from grader.pack.mistakes import TOLD_OTHERWISE, edits_of
from grader.plugins.registry import Plugins
from grader.runner.processes.spawner import Spawner
from grader.runner.solver import Solver
from grader.runner.sweep import DTYPE, Sweeper, sweeper

SIZE = 3


class Triples:
    """The reference with three mistakes at once. modules: the reference's."""

    def __init__(self, worker: Spawner, pack: Pack, modules: Mapping[str, bytes], plugins: Plugins) -> None:
        self._worker, self._pack, self._modules, self._plugins = worker, pack, modules, plugins
        self._sweepers: dict[tuple[str, str], Sweeper] = {}

    def search(
        self, exercise: Exercise, of: str, cases: Sequence[Answered], progress: Progress | None = None
    ) -> set[frozenset[str]]:
        """The ids of every three mistakes that give the solution's own results on every case.

        progress: how far the solution is right on some case, which leaves fewer to be tried: none that would spoil a
        stage that is right, and one at least that spoils the first that is not.
        """
        telling = [case for case in cases if case.own is not None]
        own = self._sweeper(exercise, of)
        if not own.superposed.edits or all(case.own is None or case.own.is_fault for case in telling):
            return set()
        modules = {**self._modules, own.module: own.superposed.source.encode()}
        with closing(Solver(self._worker, modules, self._pack.stand_ins, dtype=DTYPE)) as solver:
            fits = own.sets(solver, cases, SIZE, progress)
            for case in telling:
                if fits and case.own is not None:
                    known = own.signatures(solver, case, fits)
                    fits = [chosen for chosen, is_alike in zip(fits, _alike(known, case.own), strict=True) if is_alike]
        return {frozenset(own.superposed.edits[number].id for number in chosen) for chosen in fits}

    def _sweeper(self, exercise: Exercise, of: str) -> Sweeper:
        key = exercise.id, of
        if key not in self._sweepers:
            source = self._modules[exercise.id].decode()
            edits = edits_of(self._plugins.solutions(self._pack.name), exercise, source)
            told = [edit for edit in edits if edit.id not in TOLD_OTHERWISE]
            self._sweepers[key] = sweeper(exercise, of, source, told, self._plugins.checks, most=SIZE)
        return self._sweepers[key]


def _alike(known: Sequence[Signature], own: Signature) -> Sequence[bool]:
    """Which of the reference's results are the solution's. One fault is like another here."""
    if own.is_fault:
        return [each.is_fault for each in known]
    found: Sequence[bool] = agree([each.form for each in known], [each.values for each in known], own)
    return found
