"""The result of grading: one plain report that every format is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.model.pack import Pack, Step, Visibility, name_of, short_of
from grader.model.submission import Submission

SCHEMA = "attention-kit/report/v1"
_EMPTY = hashlib.sha256().hexdigest()


class Status(StrEnum):
    """What became of a step."""

    PASSED = "passed"
    PARTIAL = "partial"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    UNSTARTED = "unstarted"
    BLOCKED = "blocked"
    UNAVAILABLE = "unavailable"


# Nothing came back of such a step that could be right or wrong.
ERRORS = (Status.ERROR, Status.TIMEOUT, Status.CRASHED)
# In such a step there is nothing to mend.
FINE = (Status.PASSED, Status.UNAVAILABLE)


@dataclass(frozen=True, slots=True)
class Target:
    """What became of a step on one device, in one floating-point type."""

    device: str
    dtype: str
    status: Status


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A mistake that is certain: its id of the contract's list, what to say of it, and where it is.

    near: the line is where to begin looking rather than the culprit's.
    """

    id: str
    message: str
    file: str = ""
    line: int = 0
    near: bool = False


@dataclass(frozen=True, slots=True)
class Stage:
    """How far a step is right, found among the tensors that the solution made on its way.

    right: the last right intermediate result, "" for none. wrong: the first that is not, "" where all are right but
    the result is not. file, line: near which it goes wrong; 0 where that is not known. meaning: what the wrong one is,
    in words; "" where its name says it.
    """

    right: str
    wrong: str
    file: str = ""
    line: int = 0
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """The earlier step that a failure may come of, and a sentence on why that is to be thought."""

    step: str
    message: str


# Its cells may be truth values too, which are numbers to Python, and are drawn as what they are.
Matrix = tuple[tuple[float, ...], ...]
# What a picture is called of a result itself, and of one that was asked for in training, where others were not.
THE_RESULT, IN_TRAINING = "result", "result in training"
# More rows or columns than this nobody compares cell by cell: such a matrix is drawn as an image, without numbers.
CELLWISE = 16


@dataclass(frozen=True, slots=True)
class Picture:
    """What came of a public case beside what should have: small matrices, to be drawn.

    name: the intermediate result that is shown, or THE_RESULT, or IN_TRAINING. slices: which part of the tensor each
    matrix is, such as "[0, 1]"; "" for all of it. expected, got: a matrix for each slice, of one shape.
    row, column: the first wrong cell of the first wrong matrix, from 0. right: the numbers of the slices that are right
    and shown beside the others, as of a head among heads. more: how many further parts are wrong.
    """

    case: str
    name: str
    slices: tuple[str, ...]
    expected: tuple[Matrix, ...]
    got: tuple[Matrix, ...]
    row: int
    column: int
    right: tuple[int, ...] = ()
    more: int = 0

    @property
    def first(self) -> int:
        """The number of the slice that holds the first wrong cell."""
        return next((number for number in range(len(self.slices)) if number not in self.right), 0)

    @property
    def is_of_heads(self) -> bool:
        """Whether the slices are heads of one sequence, of which each has to be seen; sequences are alike."""
        sequences = {slice_.rpartition(",")[0] for slice_ in self.slices}
        return len(sequences) == 1 and sequences != {""}

    @property
    def is_large(self) -> bool:
        """Whether there is more to see than cells that are read one by one."""
        return is_large(self.got[0])


@dataclass(frozen=True, slots=True)
class Shares:
    """What softmax makes of several stages of a public case, beside each other, as the rubric asks for it.

    names: the stages. matrices: of one shape, each one's. own: of what the solution gave instead of the last; None
    where that is right.
    """

    case: str
    names: tuple[str, ...]
    matrices: tuple[Matrix, ...]
    own: Matrix | None = None


def is_large(matrix: Matrix) -> bool:
    """Whether a matrix has more cells than are read one by one."""
    return max(len(matrix), len(matrix[0])) > CELLWISE


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge decides of one step.

    summary: one sentence: what was seen, what was expected. file, line, column: where, as far as is known; from 1.
    hints: those asked for so far; hints_left: how many more there are. notes: what was accepted, and what left out.
    visibility: whether a student may see any of this. cause: the step to begin with, where it is another one.
    shares: what softmax makes of its stages, where the rubric asks for that, also of a step that is passed.
    remark: the one of the notes that says what to change in the line, which is told first; None for none.
    """

    id: str
    title: str
    status: Status
    score: float
    max_score: float
    summary: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    targets: tuple[Target, ...] = ()
    diagnosis: tuple[Diagnosis, ...] = ()
    stage: Stage | None = None
    picture: Picture | None = None
    hints: tuple[str, ...] = ()
    hints_left: int = 0
    notes: tuple[str, ...] = ()
    visibility: Visibility = Visibility.VISIBLE
    cause: Cause | None = None
    shares: Shares | None = None
    remark: str | None = None

    @property
    def name(self) -> str:
        return name_of(self.id)


def waiting(step: Step, summary: str, targets: tuple[Target, ...] = (), hints: tuple[str, ...] = ()) -> Verdict:
    """The verdict of a step that is not graded before something else is. summary: what it waits for."""
    return Verdict(
        id=step.id,
        title=step.title,
        status=Status.BLOCKED,
        score=0.0,
        max_score=float(step.points),
        summary=summary,
        targets=targets,
        hints=hints,
        hints_left=len(step.hints) - len(hints),
        visibility=step.visibility,
    )


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """The verdicts of one exercise, in the rubric's order."""

    id: str
    title: str
    steps: tuple[Verdict, ...]

    @property
    def short(self) -> str:
        return short_of(self.id)

    @property
    def number(self) -> int:
        """The exercise's number, as its id has it; 0 where it has none."""
        return int("".join(each for each in self.short if each.isdecimal()) or 0)

    @property
    def score(self) -> float:
        return sum(step.score for step in self.steps)

    @property
    def max_score(self) -> float:
        return sum(step.max_score for step in self.steps)

    @property
    def is_full(self) -> bool:
        """Whether all of its points were gained, and there were any."""
        return self.score == self.max_score > 0

    @property
    def is_begun(self) -> bool:
        """Whether there was anything to be right or wrong."""
        return any(step.status not in (Status.UNSTARTED, Status.BLOCKED, Status.UNAVAILABLE) for step in self.steps)


def submission_facts(identifier: str, submission: Submission | None) -> dict[str, str]:
    """What a report says of what was graded. identifier: how it is called there. submission: None where none is."""
    path, digest = (str(submission.path), submission.sha256) if submission else (identifier, _EMPTY)
    return {"id": identifier, "path": path, "sha256": digest}


def pack_facts(pack: Pack) -> dict[str, str]:
    """What a report says of the pack that it was graded with."""
    return {"name": pack.name, "version": pack.version, "sha256": pack.sha256}


@dataclass(frozen=True, slots=True)
class Report:
    """One submission, graded. `sources` holds the submission's text for showing lines; it is not written out.

    environment: what the grading rests on; `seed_is_secret` is in it where students are not to see the seed.
    """

    submission: Mapping[str, str]
    pack: Mapping[str, str]
    environment: Mapping[str, Any]
    exercises: tuple[ExerciseResult, ...]
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    sources: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def steps(self) -> tuple[Verdict, ...]:
        """The steps of all exercises, in order."""
        return tuple(step for exercise in self.exercises for step in exercise.steps)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The ids of all known mistakes that are named in it, each once."""
        return tuple(dict.fromkeys(found.id for step in self.steps for found in step.diagnosis))

    @property
    def score(self) -> float:
        return sum(exercise.score for exercise in self.exercises)

    @property
    def max_score(self) -> float:
        return sum(exercise.max_score for exercise in self.exercises)

    @property
    def is_full(self) -> bool:
        return self.score == self.max_score
