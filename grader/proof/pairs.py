"""Every two mistakes at once: looked up in the fixtures as a student's are, and a sample of them graded."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.diagnosis import evidence, sizes
from grader.diagnosis.explain import Explanations, explain
from grader.diagnosis.signature import Signature
from grader.model.pack import Exercise, name_of
from grader.pack.fixtures import Fixtures
from grader.pack.mistakes import Edit, applied
from grader.proof.edits import Edits, Known
from grader.proof.marking import Marking
from grader.proof.singles import listed

Ids = frozenset[str]


@dataclass(frozen=True, slots=True)
class Alike:
    """Two mistakes whose results in one definition are those of other mistakes, on every case.

    rows: how many ways of making the two it is about. cases: those on which they agree.
    """

    of: str
    ids: Ids
    others: frozenset[Ids]
    rows: int
    cases: tuple[str, ...]

    @property
    def group(self) -> tuple[str, frozenset[Ids]]:
        """All that are like one another, whichever of them is looked at."""
        return self.of, self.others | {self.ids}

    def __str__(self) -> str:
        others = " or ".join(sorted(" + ".join(sorted(ids)) for ids in self.others))
        return f"{self.of}: no case tells {' + '.join(sorted(self.ids))} from {others}"


@dataclass(frozen=True, slots=True)
class Pairs:
    """What became of every pair in an exercise. total, named: how many, over all definitions. alike: by ids."""

    total: int
    named: int
    alike: tuple[Alike, ...]
    gaps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GradedPair:
    """Two edits made at once and graded. is_alike: the fixtures cannot tell them from others, `others`.

    is_right: together they cost nothing, as where one takes away what the other does twice.
    """

    some: Known
    other: Known
    named: Ids
    is_alike: bool
    others: frozenset[Ids]
    is_right: bool

    @property
    def ids(self) -> Ids:
        return frozenset({self.some.id, self.other.id})

    @property
    def is_partly(self) -> bool:
        """Whether one is named and the other hides behind it: it shows only in steps that grade with a stand-in."""
        return bool(self.named) and self.named < self.ids and not self.is_alike

    @property
    def is_wrong(self) -> bool:
        """Whether something was named that is not there, or nothing although the fixtures tell which it is."""
        if self.is_right:
            return bool(self.named)
        if self.is_alike:
            return not self.named <= self.ids.union(*self.others)
        return self.named != self.ids and not self.is_partly

    def __str__(self) -> str:
        return f"{self.some} and {self.other} made at once are named {listed(sorted(self.named))}"


def look_up(fixtures: Fixtures, edits: Edits, exercise: Exercise) -> Pairs:
    """Look up every pair that the fixtures hold, each by its own signatures."""
    total = right = 0
    alike: list[Alike] = []
    gaps: list[str] = []
    for of, known in _tables(fixtures, exercise):
        confused: dict[tuple[Ids, frozenset[Ids]], int] = {}
        told: dict[tuple[Ids, frozenset[Ids]], set[Ids]] = {}  # many rows are of the same mistakes, made in other ways
        for row in _pair_rows(known):
            total += 1
            ids = known.ids[row]
            candidates = explain(known, _signatures(known, row))
            key = ids, frozenset(candidates)
            if key not in told:
                told[key] = {ids} if candidates == {ids} else _said(edits, exercise, of, ids, candidates)
            said = told[key]
            if said == {ids}:
                right += 1
                continue
            gaps += [
                f"{exercise.short} {of}: {' + '.join(sorted(ids))} is named {listed(sorted(wrong))}"
                for wrong in said - candidates - {frozenset()}
                if not wrong == frozenset.intersection(*candidates) <= ids  # which is so whatever the rest is
            ]
            others = frozenset(candidates - {ids})
            confused[ids, others] = confused.get((ids, others), 0) + 1
        cases = tuple(f"{name_of(step)}/{case}" for step, case in known.cases)
        alike += [Alike(of, ids, others, rows, cases) for (ids, others), rows in confused.items()]
    return Pairs(total, right, tuple(alike), tuple(dict.fromkeys(gaps)))


def sample(fixtures: Fixtures, edits: Edits, exercise: Exercise, count: int, seed: int) -> list[tuple[Known, Known]]:
    """So many pairs to be graded, of those that the fixtures hold."""
    held = {ids for _, known in _tables(fixtures, exercise) for ids in (known.ids[row] for row in _pair_rows(known))}
    chosen = [
        (some, other)
        for some, other in itertools.combinations(edits.mistakes(exercise), 2)
        if frozenset({some.id, other.id}) in held
        and not (some.is_harmless or other.is_harmless or some.edit.touches(other.edit))
    ]
    return random.Random(f"{seed}/{exercise.id}").sample(chosen, min(count, len(chosen)))


def count_of(fixtures: Fixtures, exercise: Exercise) -> int:
    """How many pairs the fixtures hold of an exercise."""
    return sum(len(list(_pair_rows(known))) for _, known in _tables(fixtures, exercise))


def grade_pair(marking: Marking, edits: Edits, some: Known, other: Known, alike: Sequence[Alike]) -> GradedPair:
    """Grade the reference with two edits."""
    exercise, ids = some.exercise, frozenset({some.id, other.id})
    report = marking.modules("+".join(sorted(ids)), edits.made(exercise, some.edit, other.edit), (exercise.id,))
    confused = [each.others for each in alike if each.ids == ids]
    others = frozenset[Ids]().union(*confused)
    return GradedPair(some, other, frozenset(report.mistakes), bool(confused), others, report.is_full)


def held(fixtures: Fixtures, exercise: Exercise) -> Ids:
    """The mistakes of which the fixtures hold what they do to results, alone or with others."""
    return frozenset[str]().union(*(ids for _, known in _tables(fixtures, exercise) for ids in known.ids))


def _tables(fixtures: Fixtures, exercise: Exercise) -> Iterator[tuple[str, Explanations]]:
    """What the fixtures hold of each definition that mistakes are known of."""
    for of in dict.fromkeys(step.of for step in exercise.steps):
        known = fixtures.explanations(exercise, of)
        if known is not None:
            yield of, known


def _pair_rows(known: Explanations) -> Iterator[int]:
    """The rows of two edits with different ids."""
    return (row for row, size in enumerate(known.sizes) if size == 2 and len(known.ids[row]) == 2)


def _signatures(known: Explanations, row: int) -> list[Signature]:
    return [Signature(int(form), values) for form, values in zip(known.forms[row], known.values[row], strict=True)]


def _said(edits: Edits, exercise: Exercise, of: str, ids: Ids, candidates: set[Ids]) -> set[Ids]:
    """What a student would be told of each way to make these two, whose source may decide between candidates."""
    source = edits.source(exercise)
    ways, is_flat = [known.edit for known in edits.mistakes(exercise) if known.id in ids], sizes.is_flat(exercise)
    return {
        frozenset(mistake.id for mistake in evidence.certain(candidates, applied(source, pair), of, is_flat=is_flat))
        for pair in itertools.combinations(ways, 2)
        if _is_pair(pair, ids)
    }


def _is_pair(pair: tuple[Edit, ...], ids: Ids) -> bool:
    some, other = pair
    return {some.id, other.id} == ids and not some.touches(other)
