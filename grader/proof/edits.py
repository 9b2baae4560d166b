"""Every edit of the reference that a pack brings: its known mistakes, and faults that have no id in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.model.errors import SolutionsAbsent
from grader.model.pack import Exercise, Pack
from grader.pack.mistakes import Edit, applied, read_edits
from grader.plugins.registry import Plugins
from grader.proof.steps import Failing, read_steps
from grader.submission.read import read_reference

MISTAKES, FAULTS = "mistakes", "faults"


@dataclass(frozen=True, slots=True)
class Known:
    """One way of going wrong. way: its number among those of one id, from 1; 0 where there is but one.

    is_fault: it has no id in the catalogue, so nothing may be named. steps: those that it must fail, by their short
    names; None where the author has not said.
    """

    exercise: Exercise
    edit: Edit
    way: int = 0
    is_fault: bool = False
    steps: tuple[str, ...] | None = None

    @property
    def id(self) -> str:
        return self.edit.id

    @property
    def is_harmless(self) -> bool:
        """Whether the author says that it changes nothing by itself."""
        return self.steps == ()

    def __str__(self) -> str:
        return f"{self.exercise.short} {self.id}" + (f", way {self.way}," if self.way else "")


@dataclass(frozen=True, slots=True)
class Edits:
    """The reference's modules and every edit of each, by exercise."""

    modules: Mapping[str, bytes]
    known: Mapping[str, tuple[Known, ...]]

    def made(self, exercise: Exercise, *edits: Edit) -> Mapping[str, bytes]:
        """The reference with edits of one module made."""
        source = applied(self.source(exercise), edits)
        return {**self.modules, exercise.id: source.encode()}

    def source(self, exercise: Exercise) -> str:
        return self.modules[exercise.id].decode()

    def mistakes(self, exercise: Exercise) -> list[Known]:
        """The edits that have an id of the catalogue."""
        return [known for known in self.known[exercise.id] if not known.is_fault]


def read_all(plugins: Plugins, pack: Pack) -> Edits:
    """Every edit that the pack's plugins bring. Raises RubricError for what is wrong in its files, SolutionError."""
    reference = read_reference(plugins, pack)
    if reference is None:
        raise SolutionsAbsent("This copy brings no solutions, so there is nothing to prove a pack with.")
    modules = reference.modules
    known: dict[str, tuple[Known, ...]] = {exercise.id: () for exercise in pack.exercises}
    for source in plugins.solutions(pack.name):
        if source.kind not in (MISTAKES, FAULTS):
            continue
        is_fault = source.kind == FAULTS
        brought = [
            (each, read_edits(source.folder, each.id, modules[each.id].decode(), None if is_fault else each.mistakes))
            for each in pack.exercises
            if each.id in modules
        ]
        failing = read_steps(source.folder, brought)
        for exercise, edits in brought:
            known[exercise.id] += _numbered(exercise, edits, failing, is_fault)
    return Edits(modules, known)


def _numbered(exercise: Exercise, edits: tuple[Edit, ...], failing: Failing, is_fault: bool) -> tuple[Known, ...]:
    ids = [edit.id for edit in edits]
    found = []
    for position, edit in enumerate(edits):
        number = ids[:position].count(edit.id)
        ways = failing.get((exercise.id, edit.id))
        way = number + 1 if ids.count(edit.id) > 1 else 0
        found.append(Known(exercise, edit, way, is_fault, ways[number] if ways else None))
    return tuple(found)
