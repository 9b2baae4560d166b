"""What came of an exercise, with all that is to be said below it, for taller and for smaller windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from grader.desk import pages
from grader.desk.bookmark import Bookmark
from grader.desk.screen import Drawing
from grader.model.report import ExerciseResult, Report
from grader.report.lines import BAD, DIM, PLAIN, Line
from grader.words import say


def verdict(
    bookmark: Bookmark, report: Report, seen: Mapping[str, int], remark: str, *, coloured: bool
) -> tuple[Drawing, ...]:
    """The current exercise as a report has it; shorter versions come later.

    report: its sources are those that were graded, whatever is saved by now. seen: how many hints of each step.
    """
    current = bookmark.current
    result = next(each for each in report.exercises if each.id == current.id)
    mistake = pages.first_mistake(result)
    complaints = [*filter(None, [bookmark.complaint])]
    remarks = [*filter(None, [remark])]
    shown = seen.get(mistake.id, 0) if mistake is not None else 0
    plainer = replace(result, steps=tuple(replace(step, shares=None) for step in result.steps))

    def version(of: ExerciseResult, **room: bool) -> Iterator[Line]:
        yield from pages.exercise_page(current, of, report.sources, shown, coloured=coloured, **room)
        yield from _explained(bookmark, of, coloured)
        yield from pages.sentences(report.notes, DIM)
        yield from pages.sentences(complaints, BAD)
        yield from pages.sentences(remarks, PLAIN)

    return (
        partial(version, result),
        partial(version, result, lists_passed=False),
        partial(version, plainer, lists_passed=False),
        partial(version, plainer, lists_passed=False, draws=False),
    )


def _explained(bookmark: Bookmark, result: ExerciseResult, coloured: bool) -> Iterator[Line]:
    """What is said of a pass, now or before."""
    if result.is_full:
        drawn = [step.shares for step in result.steps if step.shares is not None]
        yield from pages.passed(bookmark.current, bookmark.following, drawn, coloured=coloured)
    elif bookmark.is_passed:
        yield from pages.sentences([say("desk.passed-and-stays")], DIM)
