"""What every known mistake, and every two of them, makes of each definition's results, to be kept in the fixtures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace

import numpy as np

from grader.diagnosis.explain import Answered, Explanations
from grader.diagnosis.signature import Signature, agree, signature, unpacked
from grader.judge.checks.asking import RESULT
from grader.model.case import Case
from grader.model.check import Check, Question
from grader.model.errors import SolutionError
from grader.model.observation import Observation, Returned
from grader.model.pack import Exercise, Pack
from grader.model.run import OWN, Action, Call, Make, Run
from grader.pack.mistakes import TOLD_OTHERWISE, Edit, applied, combinations
from grader.runner.processes.spawner import Spawner
from grader.runner.reference import DTYPE, SECONDS
from grader.runner.solver import Solver
from grader.runner.sweep import sweeper

PAIR = 2

EditSet = tuple[Edit, ...]


class Explainer:
    """Makes mistakes in the reference and asks it what it gives then."""

    def __init__(self, worker: Spawner, pack: Pack, modules: Mapping[str, bytes], checks: Mapping[str, Check]) -> None:
        self._worker, self._pack, self._modules, self._checks = worker, pack, modules, checks
        self._known_counts: dict[str, int] = {}

    def explanations(
        self, exercise: Exercise, edits: Sequence[Edit], cases: Mapping[str, Case]
    ) -> dict[str, Explanations]:
        """For each definition that an output step asks for: what each mistake, and each pair, makes of it."""
        edits = [edit for edit in edits if edit.id not in TOLD_OTHERWISE]
        shown: set[Edit] = set()
        return {
            of: self._of(exercise, of, edits, cases, shown)
            for of in dict.fromkeys(step.of for step in exercise.steps if self._checks[step.check].explained)
        }

    def _of(
        self, exercise: Exercise, of: str, edits: Sequence[Edit], cases: Mapping[str, Case], shown: set[Edit]
    ) -> Explanations:
        """shown: the edits that other definitions' results show; those of this one are added."""
        questions = list(self._questions(exercise, of, cases))
        runs = [self._plan(question) for question in questions]
        if any(_makes_another(action, exercise, of) for run in runs for action in run.actions):
            edits = [edit for edit in edits if edit not in shown]  # a stand-in takes the place of what is wrong there
        right, *alone = self._copied(exercise, questions, [(), *((edit,) for edit in edits)])
        again = self._copied(exercise, questions, [(edit,) for edit in edits], seed=1)
        # An edit with weights of its own, drawn at random, is shown by an experiment alone.
        effective = [
            edit
            for edit, once, twice in zip(edits, alone, again, strict=True)
            if _is_same(once, twice) and not _is_same(once, right)
        ]
        shown |= set(effective)
        sets: list[EditSet] = [(), *((edit,) for edit in effective), *combinations(effective, PAIR)]
        made = dict(zip([(), *((edit,) for edit in edits)], (right, *alone), strict=True))
        made |= self._swept(exercise, of, questions, [chosen for chosen in sets if chosen not in made])
        left = [chosen for chosen in sets if chosen not in made]
        made |= dict(zip(left, self._copied(exercise, questions, left), strict=True))
        kept = [chosen for chosen in sets if not chosen or not _is_same(made[chosen], right)]
        return Explanations(
            ids=[frozenset(edit.id for edit in chosen) for chosen in kept],
            sizes=[len(chosen) for chosen in kept],
            cases=[(question.step.id, question.case.name) for question in questions],
            counts=self._counts(questions),
            forms=np.array([[each.form for each in made[chosen]] for chosen in kept], np.uint32),
            values=np.array([[each.values for each in made[chosen]] for chosen in kept], np.float32),
        )

    def _swept(
        self, exercise: Exercise, of: str, questions: Sequence[Question], sets: Sequence[EditSet]
    ) -> dict[EditSet, list[Signature]]:
        """The signatures of those sets that can be swept through: none where the result is not the definition's own."""
        if not all(_is_own(self._plan(question), of) for question in questions):
            return {}
        source = self._modules[exercise.id].decode()
        edits = list(dict.fromkeys(edit for chosen in sets for edit in chosen))
        own = sweeper(exercise, of, source, edits, self._checks, most=PAIR)
        held = {edit: number for number, edit in enumerate(own.superposed.edits)}
        numbers = {chosen: tuple(held[edit] for edit in chosen) for chosen in sets if held.keys() >= set(chosen)}
        modules = {**self._modules, own.module: own.superposed.source.encode()}
        counts = zip(questions, self._counts(questions), strict=True)
        asked = [Answered(question, count, None) for question, count in counts]
        with closing(Solver(self._worker, modules, self._pack.stand_ins, dtype=DTYPE)) as solver:
            columns = [unpacked(own.signatures(solver, each, list(numbers.values()))) for each in asked]
        return {chosen: [column[n] for column in columns] for n, chosen in enumerate(numbers)}

    def _copied(
        self, exercise: Exercise, questions: Sequence[Question], sets: Sequence[EditSet], seed: int = 0
    ) -> list[list[Signature]]:
        """The signatures of each set of edits, each made in a copy of the reference. seed: of what these draw."""
        source = self._modules[exercise.id].decode()
        copies = {f"{exercise.id}_{number}": applied(source, chosen).encode() for number, chosen in enumerate(sets)}
        runs = [self._plan(question) for question in questions]
        modules = {**self._modules, **copies}
        with closing(Solver(self._worker, modules, self._pack.stand_ins, dtype=DTYPE, seed=seed)) as solver:
            each = [[self._asked(run, copy, exercise, solver) for run in runs] for copy in copies]
        counts = self._counts(questions)
        return [_signatures(questions, counts, seen) for seen in each]

    def _plan(self, question: Question) -> Run:
        return self._checks[question.step.check].plan(question)

    def _counts(self, questions: Sequence[Question]) -> list[int]:
        """How many tensors a right result has, for each question."""
        missing = [question for question in questions if question.step.id not in self._known_counts]
        with closing(Solver(self._worker, self._modules, self._pack.stand_ins, dtype=DTYPE)) as solver:
            for question in missing:
                seen = solver.observe(self._plan(question), OWN, SECONDS)
                self._known_counts[question.step.id] = _count(seen.returned[RESULT])
        return [self._known_counts[question.step.id] for question in questions]

    def _questions(self, exercise: Exercise, of: str, cases: Mapping[str, Case]) -> Iterator[Question]:
        for step in exercise.steps:
            for name in step.cases if step.of == of and self._checks[step.check].explained else ():
                yield Question(exercise, step, cases[name], dtype=DTYPE, naming=self._pack.naming)

    def _asked(self, run: Run, module: str, exercise: Exercise, solver: Solver) -> Observation:
        """The answer of one edited copy. An edit that cannot even be loaded is a mistake of the author."""
        unloadable = solver.load(module, OWN, SECONDS)
        if unloadable is not None:
            why = unloadable.fault.message if unloadable.fault else unloadable.detail
            raise SolutionError(f"{exercise.id}: an edited reference does not load: {why}")
        return solver.observe(redirected(run, exercise.id, module), OWN, SECONDS)


def redirected(run: Run, exercise_id: str, module: str) -> Run:
    """The same run, asked of another module instead of an exercise's own."""
    actions = tuple(
        replace(action, module=module) if isinstance(action, (Call, Make)) and action.module == exercise_id else action
        for action in run.actions
    )
    return Run(actions, run.tensors)


def _signatures(questions: Sequence[Question], counts: Sequence[int], seen: Sequence[Observation]) -> list[Signature]:
    return [
        signature(each, RESULT, count, question.step.options.get("minus_infinity"))
        for each, count, question in zip(seen, counts, questions, strict=True)
    ]


def _is_own(run: Run, of: str) -> bool:
    """Whether what a run asks for is the result of the definition, or of an object that it made of it."""
    made = {action.name: action.definition for action in run.actions if isinstance(action, Make)}
    asked = [action for action in run.actions if isinstance(action, Call) and action.name == RESULT]
    return [call.definition or made.get(call.of) for call in asked] == [of]


def _makes_another(action: Action, exercise: Exercise, of: str) -> bool:
    return isinstance(action, Make) and action.module == exercise.id and action.definition != of


def _count(result: Returned) -> int:
    return len(result.items) if result.kind == "sequence" else 1


def _is_same(some: Sequence[Signature], others: Sequence[Signature]) -> bool:
    """Whether two rows of signatures cannot be told apart."""
    return all(bool(agree([a.form], [a.values], b)[0]) for a, b in zip(some, others, strict=True))
