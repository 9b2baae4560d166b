"""Exercises as the rubrics describe them: steps with points and hints, and the cases they are run on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"


def short_of(exercise: str) -> str:
    """The number that an exercise's id begins with, such as "ex10"."""
    return exercise.split("_", 1)[0]


def name_of(step: str) -> str:
    """What a step is called within its exercise, by its id."""
    return step.split(".", 1)[1]


@dataclass(frozen=True, slots=True)
class Draw:
    """How one tensor comes about.

    kind: normal, uniform, zeros, eye, triangle, values, lesson, join, stack, repeat, or integer: a number, no tensor.
    shape: sizes of the axes, where the kind needs them or they are known.
    settings: the kind's numbers, such as `std`, `low`, `high`, `axis`, `times`; `of`: values, or a lesson's entry.
    parts: the tensors that join, stack and repeat are made of.
    """

    kind: str
    shape: tuple[int, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Draw, ...] = ()

    @property
    def is_random(self) -> bool:
        return self.kind in {"normal", "uniform", "integer"} or any(part.is_random for part in self.parts)


@dataclass(frozen=True, slots=True)
class Generator:
    """An argument that is a freshly seeded `torch.Generator` on the run's device."""

    seed: int


Scalar = bool | int | float
Input = Draw | Generator | Scalar
"""One argument of a call: a tensor to draw, a generator, or a plain number."""


@dataclass(frozen=True, slots=True)
class CaseTemplate:
    """A case as the rubric writes it: drawn once for the fixtures, and afresh for every run's seed.

    construct: constructor arguments of a class, in the order of its signature.
    inputs: arguments of the call, in the order of its signature.
    weights: how parameters are drawn that are not simply normal, by the reference's names.
    figure: the entry of the lesson's values that the reference must reproduce here, and to what distance.
    relative: a tolerance relative to the largest expected value, instead of the measured one.
    """

    name: str
    construct: Mapping[str, Scalar] = field(default_factory=dict)
    inputs: Mapping[str, Input] = field(default_factory=dict)
    weights: Mapping[str, Draw] = field(default_factory=dict)
    weight_std: float = 0.7
    figure: str | None = None
    within: float = 1e-4
    relative: float | None = None


class Visibility(StrEnum):
    """Whether students see a step. Where a platform knows no due date, `after_due_date` is hidden."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    AFTER_DUE_DATE = "after_due_date"


@dataclass(frozen=True, slots=True)
class SoftmaxOf:
    """Stages whose softmax is to be drawn beside each other, on one of the step's cases; the last is its result."""

    stages: tuple[str, ...]
    case: str


@dataclass(frozen=True, slots=True)
class Step:
    """A graded part of an exercise.

    id: exercise and step, such as "ex10.output".
    of: the function or class of the module that is asked.
    needs: ids of steps without which this one says nothing; it is `blocked` until they pass.
    relies_on: ids of steps whose modules are replaced by a stand-in where those steps are not passed.
    stages: the reference's intermediate results, in order.
    credit: points for a stage that is right where the result is not.
    options: the check's own settings (`with:` in the rubric).
    visibility: whether students are told of it; its points count all the same.
    softmax: what is drawn beside each other, to show what a stage is for.
    """

    id: str
    exercise: str
    title: str
    points: int
    of: str
    check: str
    cases: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    relies_on: tuple[str, ...] = ()
    stages: tuple[str, ...] = ()
    credit: Mapping[str, int] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    visibility: Visibility = Visibility.VISIBLE
    softmax: SoftmaxOf | None = None

    @property
    def name(self) -> str:
        return name_of(self.id)


@dataclass(frozen=True, slots=True)
class Definition:
    """What a stub defines: a function, or a class with the signature of its constructor.

    exercise: the id of whose it is, among those of a whole pack.
    """

    name: str
    signature: str
    arguments: tuple[str, ...]
    is_class: bool
    exercise: str = ""


@dataclass(frozen=True, slots=True)
class Exercise:
    """One stub module with its rubric. `id` is the module's name, `short` its number such as "ex10".

    axes: what the axes of an input are called. sizes: products and quotients of sizes that mean something, "B * T".
    after: what to read after a pass, "" for nothing.
    meanings: what a stage is, in words, for those whose name does not say it.
    """

    id: str
    title: str
    task: str
    steps: tuple[Step, ...]
    cases: Mapping[str, CaseTemplate]
    mistakes: Mapping[str, str]
    definitions: Mapping[str, Definition]
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sizes: tuple[str, ...] = ()
    after: str = ""
    meanings: Mapping[str, str] = field(default_factory=dict)

    @property
    def short(self) -> str:
        return short_of(self.id)

    @property
    def file(self) -> str:
        """What its module is called in a student's folder."""
        return f"{self.id}.py"

    @property
    def points(self) -> int:
        return sum(step.points for step in self.steps)


@dataclass(frozen=True, slots=True)
class Fused:
    """One projection for several roles. names: what it may be called. roles: in the lesson's order."""

    names: tuple[str, ...]
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """Which spellings of a part's name are accepted, by the lesson's own spelling.

    Capitals and underscores make no difference to any of them.

    aliases: part of a path (`W_query`, `out_proj`, `heads`) to its other spellings.
    fused: kinds of projections that hold several roles side by side.
    around: words that may stand before or behind each of these, as `layer` in `query_layer`.
    optional: parameters that a right solution may leave out; they are loaded as zeros.
    layered: parameters of one solution's to what they would be called if torch's own layers held them.
    """

    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    fused: tuple[Fused, ...] = ()
    around: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    layered: Mapping[str, str] = field(default_factory=dict)

    def known(self, name: str) -> str:
        """What a solution's parameter of that name would be called if one of torch's own layers held it."""
        return self.layered.get(name, name)

    def is_optional(self, name: str) -> bool:
        """Whether a right solution may leave that weight out."""
        return any(name == ending or name.endswith(f".{ending}") for ending in self.optional)


@dataclass(frozen=True, slots=True)
class PackSource:
    """Where a plugin keeps a pack: the folder of stubs and rubrics, and the folder of fixtures."""

    name: str
    exercises: Path
    fixtures: Path

    @property
    def manifest(self) -> Path:
        """The file that describes the fixtures and the stubs they were built for."""
        return self.fixtures / MANIFEST


@dataclass(frozen=True, slots=True)
class SolutionSource:
    """Where a plugin keeps solutions of a pack.

    kind: reference, alternative, zeros, copies (of the input), mistakes or faults (edits of the reference).
    """

    pack: str
    kind: str
    name: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Pack:
    """Exercises, rubric and what is accepted; `sha256` is over every file that can change a grade.

    stubs: the sha256 of each stub by its exercise, as it was when the fixtures were built; empty where that is unknown.
    ending: the step whose class draws the student's own attention when everything is passed; "" for none.
    chosen: ids of the exercises that this copy was handed out for, all where empty; the others are there to rely on.
    words: sha256 of the files that its texts were translated by; "" for none.
    """

    name: str
    version: str
    seed: int
    sha256: str
    exercises: tuple[Exercise, ...]
    naming: Naming
    lesson: Mapping[str, Any]
    stand_ins: Mapping[str, bytes]
    source: PackSource
    stubs: Mapping[str, str] = field(default_factory=dict)
    ending: str = ""
    chosen: frozenset[str] = frozenset()
    words: str = ""

    @property
    def handed_out(self) -> tuple[Exercise, ...]:
        """The exercises that this copy is for, in order."""
        return tuple(exercise for exercise in self.exercises if not self.chosen or exercise.id in self.chosen)

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(exercise.id for exercise in self.exercises)

    @property
    def points(self) -> int:
        return sum(exercise.points for exercise in self.exercises)

    @property
    def definitions(self) -> Mapping[str, Definition]:
        """What the exercises ask for, by its name."""
        each = ((exercise.id, asked) for exercise in self.exercises for asked in exercise.definitions.values())
        return {asked.name: replace(asked, exercise=exercise) for exercise, asked in each}

    def exercise(self, exercise_id: str) -> Exercise:
        """The exercise of that id. Raises KeyError where there is none."""
        for exercise in self.exercises:
            if exercise.id == exercise_id:
                return exercise
        raise KeyError(exercise_id)

    def step(self, step_id: str) -> Step:
        """The step of that id, such as "ex10.output". Raises KeyError where there is none."""
        for step in (step for exercise in self.exercises for step in exercise.steps):
            if step.id == step_id:
                return step
        raise KeyError(step_id)
