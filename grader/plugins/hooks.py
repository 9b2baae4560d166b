"""Every hook there is: when it is called, with what, and what its result means.

A plugin is a module with functions of these names, marked with `grader.plugins.hookimpl` and announced by an entry
point in the group `attention_kit`. Plugins run in the grader's own process, never beside a student's code. A batch
calls the hooks of submissions and steps from several threads at once, those of one submission from one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pluggy

from grader.plugins import PROJECT

if TYPE_CHECKING:
    from grader.model.check import Check
    from grader.model.pack import Exercise, Pack, PackSource, SolutionSource, Step
    from grader.model.report import Report, Verdict
    from grader.model.reporter import Reporter
    from grader.model.submission import Submission
    from grader.plugins.bundle import Platform
    from grader.plugins.executor import Executor

hookspec = pluggy.HookspecMarker(PROJECT)


@hookspec
def grader_packs() -> Iterable[PackSource]:
    """Give the packs that the plugin brings.

    Called once, when a command first needs a pack. Two packs of one name are an error.
    """
    raise NotImplementedError


@hookspec
def grader_solutions(pack: str) -> Iterable[SolutionSource]:
    """Give the solutions of a pack that the plugin brings: its reference, alternatives, edits of the reference.

    Called once for the pack in use. pack: its name. Without a reference nothing is drawn afresh and fixtures cannot be
    built; the public cases still grade.
    """
    raise NotImplementedError


@hookspec
def grader_checks() -> Iterable[Check]:
    """Give the checks that the plugin brings, to be named by a rubric's `check:`.

    Called once, before rubrics are read. A later plugin's check of a name that is taken is an error.
    """
    raise NotImplementedError


@hookspec
def grader_reporters() -> Iterable[Reporter]:
    """Give the report formats that the plugin brings, to be named by `--format`.

    Called once, when the command line is read. A name that is taken is an error.
    """
    raise NotImplementedError


@hookspec
def grader_executors() -> Iterable[Executor[Any]]:
    """Give the ways of grading many submissions that the plugin brings.

    Called once, when a batch begins. The one that takes the scheme of `--cluster`'s address grades it; without an
    address that is the built-in `local`, this machine's own job slots. The built-in `dask` takes tls:// and tcp://.
    """
    raise NotImplementedError


@hookspec
def grader_bundles() -> Iterable[Platform]:
    """Give the platforms that the plugin makes bundles for, to be named by `grade bundle`.

    Called once, when `grade bundle` begins. A name that is taken is an error.
    """
    raise NotImplementedError


@hookspec
def grader_submission_started(pack: Pack, submission: Submission, exercises: tuple[Exercise, ...]) -> None:
    """Hear that a submission is about to be graded.

    Called in the grading process before the first step. exercises: those that will be in the report, in its order.
    """


@hookspec
def grader_step_graded(exercise: Exercise, step: Step, verdict: Verdict) -> None:
    """Hear of one step's verdict, as soon as it is decided.

    Called once a step, in the rubric's order. The verdict is final; nothing that a plugin does changes it.
    """


@hookspec
def grader_submission_graded(report: Report) -> None:
    """Hear that a submission has been graded whole.

    Called once a submission, after its last step and before any reporter writes.
    """
