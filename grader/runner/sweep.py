"""Asks the reference with sets of its mistakes made, many in one call: see `grader.pack.superpose`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import numpy as np

from grader.diagnosis.explain import Answered
from grader.diagnosis.signature import Signature, agree, crash_digest, of_arrays, packed, unpacked
from grader.diagnosis.stages import Progress
from grader.judge.checks.asking import RESULT
from grader.model.check import Check, Question
from grader.model.errors import PackError, TooLargeToExplain
from grader.model.observation import Observation
from grader.model.pack import Exercise
from grader.model.run import OWN, Action, Call, Made, Make, Run, Tensor, World
from grader.pack.mistakes import Edit, combinations
from grader.pack.superpose import CHOOSE, SWEEP, UNCHANGED, Superposed, superpose
from grader.runner.solver import Solver
from grader.runner.swept import Chosen, Swept

SECONDS = 20.0
# So many sets at once: an answer has a bound, and a case's results are a few hundred numbers.
CHUNK = 500


def sweeper(
    exercise: Exercise,
    of: str,
    source: str,
    edits: Sequence[Edit],
    checks: Mapping[str, Check],
    *,
    most: int,
    world: World = OWN,
) -> Sweeper:
    """A sweeper for one definition. source: the reference's. most: how many edits are made at once.

    Raises PackError for a source that is no Python.
    """
    stages = tuple(dict.fromkeys(name for step in exercise.steps if step.of == of for name in step.stages))
    is_class = exercise.definitions[of].is_class
    try:
        superposed = superpose(source, edits, of, is_class=is_class, most=most, stages=stages)
    except SyntaxError as error:
        where = f"the reference's {exercise.file}:{error.lineno}:{error.offset}"
        raise PackError(f"{where}: Python cannot read it: {error.msg}.") from None
    return Sweeper(exercise.id, superposed, stages, checks, world)


@dataclass(slots=True)
class Sweeper:
    """One definition with all sets of its mistakes, and what they gave so far, by step and case."""

    exercise: str
    superposed: Superposed
    stages: tuple[str, ...]
    checks: Mapping[str, Check]
    world: World
    _effective: list[int] | None = None
    _spoilt: dict[int, frozenset[str]] = field(default_factory=dict)
    _swept: dict[tuple[str, str], Swept] = field(default_factory=dict)

    @property
    def module(self) -> str:
        return f"{self.exercise}_superposed"

    def sets(
        self, solver: Solver, cases: Sequence[Answered], size: int, progress: Progress | None = None
    ) -> list[Chosen]:
        """Every so many edits that may explain how far a solution is right.

        None that would spoil a stage that is right, but for the last of these, which may have been made and let go. One
        at least that spoils the first that is not, or the one behind it, with which it may have been made as one: of
        queries that are scaled before they meet the keys no plain scores come.
        """
        if self._effective is None:
            effective = self._found_effective(solver, cases)
            self._spoilt = self._found_spoilt(solver, cases[0].question)
            self._effective = effective  # last: to another thread it says that both are known
        progress = progress or Progress()
        right, wrong = progress.found - {progress.right}, self._first_wrong(progress)
        some = [number for number in self._effective if not self._spoilt[number] & right]
        numbers = {id(self.superposed.edits[number]): number for number in some}
        sets = combinations([self.superposed.edits[number] for number in some], size)
        found = [tuple(numbers[id(edit)] for edit in chosen) for chosen in sets]
        return [chosen for chosen in found if not wrong or any(self._spoilt[number] & wrong for number in chosen)]

    def _first_wrong(self, progress: Progress) -> set[str]:
        """The first stage that is not right, and the one behind it if that is not right either; empty for none."""
        start = self.stages.index(progress.wrong) if progress.wrong in self.stages else len(self.stages)
        return {name for name in self.stages[start : start + 2] if name == progress.wrong or name in progress.missing}

    def _found_effective(self, solver: Solver, cases: Sequence[Answered]) -> list[int]:
        """The edits of which each one alone makes a difference on some case, and gives a result at all."""
        alone = self._alone()
        swept = [unpacked(self.signatures(solver, case, alone)) for case in cases]
        each = {chosen[0]: [(seen[n], seen[0]) for seen in swept] for n, chosen in enumerate(alone) if chosen}
        return [number for number, pairs in each.items() if _is_effective(pairs)]

    def _found_spoilt(self, solver: Solver, question: Question) -> dict[int, frozenset[str]]:
        """For each edit the stages that it alone changes."""
        found: dict[int, frozenset[str]] = {}
        rows = [(self._made(row := self.superposed.row(chosen)), row, chosen) for chosen in self._alone()]
        unedited = rows[0][0]  # comes first, as what the others are compared with
        for _, group in groupby(sorted(rows, key=lambda each: (each[0] != unedited, each)), key=lambda each: each[0]):
            same = list(group)
            table = self._observed(solver, question, [row for _, row, _ in same], UNCHANGED).tensors.get(RESULT)
            for position, (_, _, chosen) in enumerate(same):
                kept = table[position] if table is not None else np.zeros(len(self.stages), bool)
                spoilt = (name for name, is_kept in zip(self.stages, kept, strict=True) if not is_kept)
                found |= {number: frozenset(spoilt) for number in chosen}
        return found

    def _alone(self) -> list[Chosen]:
        """No edit, and each one alone."""
        return [(), *((number,) for number in range(len(self.superposed.edits)))]

    def signatures(self, solver: Solver, case: Answered, sets: Sequence[Chosen]) -> Any:
        """What the reference gives on a case with each set of edits made: packed signatures, (N,).

        Raises TooLargeToExplain where one set alone gives more than an answer holds.
        """
        swept = self._swept.setdefault((case.question.step.id, case.question.case.name), Swept())
        missing = swept.missing(sets)
        rows = sorted((self._made(row := self.superposed.row(chosen)), row, chosen) for chosen in missing)
        for _, group in groupby(rows, key=lambda each: each[0]):
            same = list(group)
            for start in range(0, len(same), CHUNK):
                chunk = same[start : start + CHUNK]
                results = self._asked(solver, case.question, [row for _, row, _ in chunk])
                lowest = case.question.step.options.get("minus_infinity")
                found = packed(of_arrays(arrays, case.count, lowest, crash) for arrays, crash in results)
                swept.keep([chosen for _, _, chosen in chunk], found)
        return swept.of(sets)

    def _made(self, row: Sequence[int]) -> list[int]:
        """The part of a row that counts when an object is made."""
        return [value for value, switch in zip(row, self.superposed.switches, strict=True) if switch.in_constructor]

    def _asked(
        self, solver: Solver, question: Question, rows: Sequence[Sequence[int]]
    ) -> Iterator[tuple[list[Any], int]]:
        """The tensors of each row's result, and the digest of its crash where there is none."""
        seen = self._observed(solver, question, rows, SWEEP)
        parts = [f"{RESULT}.{part}" for part in range(3)]
        if RESULT not in seen.returned:  # such an object cannot be made or loaded
            yield from (([], crash_digest(seen.fault)) for _ in rows)
        elif all(part in seen.tensors for part in parts):
            yield from zip(_results(seen), seen.tensors[parts[2]].tolist(), strict=True)
        elif len(rows) > 1:  # more than one answer holds
            half = len(rows) // 2
            yield from self._asked(solver, question, rows[:half])
            yield from self._asked(solver, question, rows[half:])
        else:
            what = f"The case {question.case.name} of {question.step.id}"
            raise TooLargeToExplain(f"{what} is too large to be explained.")

    def _observed(
        self, solver: Solver, question: Question, rows: Sequence[Sequence[int]], definition: str
    ) -> Observation:
        """What a function of the superposed module gives, which is called with these rows instead of the definition."""
        run = self.checks[question.step.check].plan(question)
        table = np.array(rows, np.int64).reshape(len(rows), -1)
        tensors = {**run.tensors, "rows": table, "row": table[0]}
        choose = Call("chosen", module=self.module, definition=CHOOSE, arguments=(Tensor("row"),))
        actions = (choose, *(self._redirected(action, definition) for action in run.actions))
        return solver.observe(Run(actions, tensors), self.world, SECONDS)

    def _redirected(self, action: Action, definition: str) -> Action:
        if isinstance(action, Make) and action.module == self.exercise:
            return replace(action, module=self.module)
        if not isinstance(action, Call) or action.name != RESULT:
            return action
        target = (Made(action.of),) if action.of else ()
        arguments = (Tensor("rows"), *target, *action.arguments)
        return Call(RESULT, module=self.module, definition=definition, arguments=arguments)


def _results(seen: Observation) -> Iterator[list[Any]]:
    """The tensors of each row's result, which come one after the other."""
    values, shapes = seen.tensors[f"{RESULT}.0"], seen.tensors[f"{RESULT}.1"].tolist()
    at = start = 0
    while at < len(shapes):
        arrays, count, at = [], shapes[at], at + 1
        for _ in range(count):
            shape = shapes[at + 1 : at + 1 + shapes[at]]
            at += 1 + len(shape)
            end = start + int(np.prod(shape))
            arrays.append(values[start:end].reshape(shape))
            start = end
        yield arrays


def _is_effective(pairs: Sequence[tuple[Signature, Signature]]) -> bool:
    """Whether an edit's results, each beside the reference's, differ somewhere and are not faults everywhere."""
    return not all(own.is_fault for own, _ in pairs) and any(_differ(own, right) for own, right in pairs)


def _differ(some: Signature, other: Signature) -> bool:
    return not bool(agree([other.form], [other.values], some)[0])
