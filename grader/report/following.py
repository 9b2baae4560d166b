"""Where a student goes on after a report: which steps there is something to tell of, and which hint is the next."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from grader.model.commands import Ask
from grader.model.report import ERRORS, FINE, ExerciseResult, Report, Status, Verdict
from grader.report.said import Said
from grader.words import heard

# Of these it is known that they are nobody's mistake yet: a word says everything, or a sign alone.
IN_A_WORD = (*FINE, Status.UNSTARTED)
# What is said of a step whose module as a whole cannot be read or run.
NOT_READ = ("judge.cannot-read", "judge.cannot-read-imported")
NOT_RUN = ("judge.timeout", "judge.crashed")


def next_hint(report: Report, ask: Ask) -> str:
    """The command that shows the next hint; "" where there is none."""
    following = next_step(report)
    return ask(following.id, Path(report.submission["path"])) if following is not None else ""


def next_step(report: Report) -> Verdict | None:
    """Where the student goes on: the first step that is wrong, else the first that is not begun; None for neither.

    Of those that are wrong rather one of which something new was told. None that could not be asked at all, since no
    hint on what it computes helps there, nor one that may only follow from another; and nothing that is not begun
    behind a module that does not load.
    """
    asked = [result for result in report.exercises if not fail_alike(result)]
    wrong = [step for result in asked for step in result.steps if is_wrong(step) and not _only_follows(step)]
    again = {step.id for result in report.exercises for step in _repeating(result)}
    loading = itertools.takewhile(lambda result: not fail_alike(result), report.exercises)
    unstarted = [step for result in loading for step in result.steps if step.status is Status.UNSTARTED]
    ordered = (*sorted(wrong, key=lambda step: step.id in again), *unstarted)
    return next((step for step in ordered if step.hints_left), None)


def is_wrong(step: Verdict) -> bool:
    """Whether there is something to tell of a step: it is begun, waits for no other, and is not right."""
    return step.status not in (*IN_A_WORD, Status.BLOCKED)


def _only_follows(step: Verdict) -> bool:
    """Whether nothing is told of a step but that it may come of another, whose hints are to be asked for."""
    return step.cause is not None and not step.diagnosis


def fail_alike(result: ExerciseResult) -> bool:
    """Whether one thing keeps every step from being asked at all, such as a module that does not load."""
    first = result.steps[0]
    same = {(step.status, step.summary, step.file, step.line) for step in result.steps}
    if len(same) > 1 or any(not _names_no_more(step, first) for step in result.steps):
        return False
    return first.status in ERRORS and (len(result.steps) > 1 or _does_not_load(first))


def _names_no_more(step: Verdict, than: Verdict) -> bool:
    """Whether a step names no mistake that another one does not."""
    return {found.id for found in step.diagnosis} <= {found.id for found in than.diagnosis}


def said_at_once(result: ExerciseResult) -> Verdict | None:
    """The step that says in a sentence what keeps every step from being asked: they fail alike, or nothing is defined.

    None where there is none. Of a module that loads and has nothing that could be asked, hints help.
    """
    if fail_alike(result):
        return result.steps[0]
    asked = [step for step in result.steps if step.status is not Status.BLOCKED]
    are_nothing = all(heard("judge.nothing-defined", step.summary) is not None for step in asked)
    return asked[0] if asked and are_nothing else None


def _does_not_load(step: Verdict) -> bool:
    """Whether a step says that its module could not be loaded, or, of a file and no line, that it is no module."""
    if step.file and not step.line and step.status is Status.ERROR:
        return True
    if any(heard(key, step.summary) is not None for key in NOT_READ):
        return True
    if heard("judge.outside-functions", step.summary.partition("; ")[0]) is not None:
        return True
    ended = next(filter(None, (heard(key, step.summary) for key in NOT_RUN)), {"what": ""})
    return heard("judge.while-imported", ended["what"]) is not None


def said_of_all(report: Report) -> str:
    """The one thing that keeps every step of several exercises from being asked, such as an empty file; "" for none."""
    summaries = {step.summary if step.status is Status.ERROR else "" for step in report.steps}
    return next(iter(summaries)) if len(summaries) == 1 and len(report.exercises) > 1 else ""


def _repeating(result: ExerciseResult) -> Iterator[Verdict]:
    """The steps of which nothing is told but what was told of an earlier one; its hints are theirs."""
    said = Said()
    for step in filter(is_wrong, result.steps):
        is_told = said.mistakes(step) if step.diagnosis else said.sentence(step) != ""
        if is_told or step.cause is not None:
            yield step
        said.add(step)
