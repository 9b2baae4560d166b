"""Every error the grader raises on purpose, each with its exit code and what to do about it."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from grader.model.text import clean
from grader.words import saying


class ExitCode(IntEnum):
    """What a `grade` process says when it ends. Fixed: CI jobs and scripts rely on it."""

    FULL_MARKS = 0
    LESS_THAN_FULL = 1
    WRONG_USAGE = 2
    BROKEN_PACK = 3
    INTERNAL = 4
    NOTHING_TO_GRADE = 5
    DEVICE_ABSENT = 6  # or a layer of the sandbox that is required
    INTERRUPTED = 130


class GraderError(Exception):
    """Something that a person can mend: shown as one sentence and its remedy, never as a traceback.

    What students may meet is said in their language; what only those meet who teach is in English.
    is_fatal: no other submission, and no other save, would fare better, so a batch and a desk end with it.
    """

    exit_code = ExitCode.INTERNAL
    remedy = ""
    is_fatal: ClassVar[bool] = False


class UsageError(GraderError):
    """The command was asked for something that does not exist."""

    exit_code = ExitCode.WRONG_USAGE


class NoPack(UsageError):
    """The Python that runs has the grader's source at hand, and the kit is not installed in it."""

    remedy = "`python -m pip install -e .` beside the kit's pyproject.toml installs it; or take the Python that has it."


class NotWritten(UsageError):
    """A file cannot be written where it was asked for: no room, no right, no such folder."""

    remedy = saying("error.not-written")
    is_fatal = True


class BatchStopped(GraderError):
    """A batch could not go on; what it had graded is stored."""

    exit_code = ExitCode.LESS_THAN_FULL
    remedy = "What is graded so far is stored. Make room, then run the same command again: it goes on from there."


class SignatureWrong(GraderError):
    """A report is not what was signed, or not with that key."""

    exit_code = ExitCode.LESS_THAN_FULL
    remedy = "Do not take it for a grade: have it graded again where you trust the grader."


class NothingToGrade(GraderError):
    """The path holds no exercise module."""

    exit_code = ExitCode.NOTHING_TO_GRADE
    remedy = saying("error.nothing-to-grade")


class NobodyToGrade(NothingToGrade):
    """The path holds nothing that many students handed in."""

    remedy = "Give a folder with a folder or a module for each student, or the zip that a platform gives to download."


class DeviceAbsent(GraderError):
    """A device was required with `--device` and this machine has none."""

    exit_code = ExitCode.DEVICE_ABSENT
    remedy = saying("error.device-absent")
    is_fatal = True


class SandboxAbsent(GraderError):
    """The sandbox is required and a layer of it is not to be had."""

    exit_code = ExitCode.DEVICE_ABSENT
    remedy = saying("error.sandbox-absent")
    is_fatal = True


class WorkerFailed(GraderError):
    """The grader's own worker could not start or died: never a student's fault."""

    exit_code = ExitCode.INTERNAL
    remedy = saying("error.worker-failed")


class DeviceUnusable(WorkerFailed):
    """A device is there and nothing can be computed on it now, as where others have taken all of its memory."""


class ClusterFailed(GraderError):
    """A cluster cannot be reached, has no worker, or has one that would grade otherwise than this machine."""

    exit_code = ExitCode.INTERNAL
    remedy = "docs/cluster.md says how to start one. What is graded so far is stored, and the same command goes on."
    is_fatal = True


class PackError(GraderError):
    """The pack itself is broken, so nothing is graded with it."""

    exit_code = ExitCode.BROKEN_PACK
    remedy = "`grade verify` proves a pack; docs/rubric.md lists every key."
    is_fatal = True


class PluginFailed(PackError):
    """A third party's plugin cannot do what it is there for."""

    remedy = "docs/plugins.md says what each hook gives; all else works where the plugin's package is not installed."

    @classmethod
    def of(cls, what: str, error: Exception) -> PluginFailed:
        """Of what it raised, with the place. what: the sentence's beginning, who fails in what."""
        place = traceback.extract_tb(error.__traceback__)[-1]
        told = clean(f"{type(error).__name__}: {error}".removesuffix(": "), 200).rstrip(".")
        return cls(f"{what} ({place.filename}:{place.lineno}): {told}.")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong in a file. Lines and columns count from 1; 0 is unknown."""

    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.text}"


class RubricError(PackError):
    """A rubric breaks its schema. Carries every problem found, each with file, line and column."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class FixtureError(PackError):
    """A fixture is missing, altered, or not what the reference gives."""

    remedy = "`grade fixtures check` says which; `grade fixtures build` writes them anew from the reference."


class OtherExercises(FixtureError):
    """An exercise has no fixtures yet, or is no longer there."""

    remedy = "`grade fixtures build` writes all of them anew from the reference, with `--exercise ID` that one's alone."


class TooLargeToExplain(PackError):
    """A known mistake gives more on a case than one answer holds: whoever is graded is graded without it."""


class SolutionError(PackError):
    """A reference, an alternative or the stubs do not grade as they must."""

    remedy = "`grade verify` names the step; `grade run` on that folder shows all of it."


class ReferenceLacks(SolutionError):
    """The reference has no module of an exercise that is asked for."""

    remedy = "Write it beside the reference's other modules; without it nothing of the exercise can be drawn or built."


class StageAbsent(SolutionError):
    """The reference never gives a stage's name a tensor that can be compared."""

    remedy = "Make it one in the reference, for instance with `dtype=`, or take the name out of the step's `stages:`."


class SolutionsAbsent(SolutionError):
    """There is nothing to prove a pack with."""

    remedy = "It works where the pack is kept: in a checkout with its `solutions/`, not where it was handed out."


class BundleError(PackError):
    """A bundle does not grade as its platform needs it to."""

    remedy = "`grade doctor` says what this machine lacks; `grade bundle` makes the bundle anew."
