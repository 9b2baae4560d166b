"""What every known mistake, and every two of them, makes of each definition's results, to be kept in the fixtures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np

from grader.judge.checks.asking import RESULT
from grader.judge.diagnosis.explain import CHECK, Explanations
from grader.judge.diagnosis.signature import Signature, agree, signature
from grader.model.case import Case
from grader.model.check import Check, Question
from grader.model.errors import SolutionError
from grader.model.observation import Observation, Returned
from grader.model.pack import Exercise, Pack
from grader.model.run import OWN, Call, Make, Run
from grader.pack.mistakes import Edit, applied, combinations
from grader.runner.processes.spawner import Spawner
from grader.runner.solver import Solver

SIZES = (1, 2)
SECONDS = 60.0
DTYPE = "float64"


class Explainer:
    """Makes mistakes in the reference and asks it what it gives then."""

    def __init__(self, worker: Spawner, pack: Pack, modules: Mapping[str, bytes], check: Check) -> None:
        self._worker, self._pack, self._modules, self._check = worker, pack, modules, check

    def explanations(
        self, exercise: Exercise, edits: Sequence[Edit], cases: Mapping[str, Case]
    ) -> dict[str, Explanations]:
        """For each definition that an output step asks for: what each mistake, and each pair, makes of it."""
        chosen = [(), *(combination for size in SIZES for combination in combinations(edits, size))]
        source = self._modules[exercise.id].decode()
        copies = {f"{exercise.id}_{number}": applied(source, edits).encode() for number, edits in enumerate(chosen)}
        with closing(Solver(self._worker, {**self._modules, **copies}, self._pack.stand_ins, dtype=DTYPE)) as solver:
            return {
                of: self._of(exercise, of, dict(zip(copies, chosen, strict=True)), solver, cases)
                for of in dict.fromkeys(step.of for step in exercise.steps if step.check == CHECK)
            }

    def _of(
        self,
        exercise: Exercise,
        of: str,
        copies: Mapping[str, tuple[Edit, ...]],
        solver: Solver,
        cases: Mapping[str, Case],
    ) -> Explanations:
        questions = list(self._questions(exercise, of, cases))
        runs = [self._check.plan(question) for question in questions]
        kept: list[tuple[tuple[Edit, ...], list[Signature]]] = []
        counts: list[int] = []
        effective: set[Edit] = set()
        for copy, edits in copies.items():
            if len(edits) > 1 and not effective.issuperset(edits):
                continue  # one of them is another definition's, or outputs cannot show it
            seen = [self._asked(run, copy, exercise, solver) for run in runs]
            counts = counts or [_count(each.returned[RESULT]) for each in seen]
            signatures = [
                signature(each, RESULT, count, question.step.options.get("minus_infinity"))
                for each, count, question in zip(seen, counts, questions, strict=True)
            ]
            if not kept or not _is_same(signatures, kept[0][1]):
                kept.append((edits, signatures))
                effective |= set(edits) if len(edits) == 1 else set()
        return Explanations(
            ids=[frozenset(edit.id for edit in edits) for edits, _ in kept],
            sizes=[len(edits) for edits, _ in kept],
            cases=[(question.step.id, question.case.name) for question in questions],
            counts=counts,
            forms=np.array([[each.form for each in row] for _, row in kept], np.uint32),
            values=np.array([[each.values for each in row] for _, row in kept], np.float32),
        )

    def _questions(self, exercise: Exercise, of: str, cases: Mapping[str, Case]) -> Iterator[Question]:
        for step in exercise.steps:
            for name in step.cases if step.of == of and step.check == CHECK else ():
                yield Question(exercise, step, cases[name], dtype=DTYPE, naming=self._pack.naming)

    def _asked(self, run: Run, module: str, exercise: Exercise, solver: Solver) -> Observation:
        """The answer of one edited copy. An edit that cannot even be loaded is a mistake of the author."""
        actions = tuple(
            replace(action, module=module)
            if isinstance(action, (Call, Make)) and action.module == exercise.id
            else action
            for action in run.actions
        )
        unloadable = solver.load(module, OWN, SECONDS)
        if unloadable is not None:
            why = unloadable.fault.message if unloadable.fault else unloadable.detail
            raise SolutionError(f"{exercise.id}: an edited reference does not load: {why}")
        return solver.observe(Run(actions, run.tensors), OWN, SECONDS)


def _count(result: Returned) -> int:
    return len(result.items) if result.kind == "sequence" else 1


def _is_same(some: Sequence[Signature], others: Sequence[Signature]) -> bool:
    """Whether two rows of signatures cannot be told apart."""
    return all(bool(agree([a.form], [a.values], b)[0]) for a, b in zip(some, others, strict=True))
