"""What came of an exercise, with all that is to be said below it, for taller and for smaller windows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from grader.desk import pages
from grader.desk.bookmark import Bookmark
from grader.desk.screen import Drawing
from grader.model.report import ExerciseResult, Report
from grader.report.lines import BAD, DIM, PLAIN, Line
from grader.report.notes import sentence_of
from grader.words import say


@dataclass(frozen=True, slots=True)
class Drawings:
    """versions: shorter ones later. core: what counts, for windows that have no room for any of them; its end may be
    cut off. foot: what has to be seen all the same."""

    versions: tuple[Drawing, ...]
    core: Drawing
    foot: Drawing


def verdict(bookmark: Bookmark, report: Report, seen: Mapping[str, int], remark: str, *, coloured: bool) -> Drawings:
    """The current exercise as a report has it.

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
        yield from pages.sentences(map(sentence_of, report.notes), DIM)
        yield from pages.sentences(complaints, BAD)
        yield from pages.sentences(remarks, PLAIN)

    def core() -> Iterator[Line]:
        yield from pages.mistake_alone(current, result)
        yield from _explained(bookmark, plainer, coloured)

    def foot() -> Iterator[Line]:
        yield from pages.lines_alone(result, report.sources)
        yield from pages.last_hint(current, result, shown)
        yield from pages.sentences(remarks, PLAIN)

    versions = (
        partial(version, result),
        partial(version, result, lists_passed=False),
        partial(version, plainer, lists_passed=False),
        partial(version, plainer, lists_passed=False, draws=False),
        partial(version, plainer, lists_passed=False, draws=False, all_hints=False),
    )
    return Drawings(versions, core, foot)


def _explained(bookmark: Bookmark, result: ExerciseResult, coloured: bool) -> Iterator[Line]:
    """What is said of a pass, now or before."""
    if result.is_full:
        drawn = [step.shares for step in result.steps if step.shares is not None]
        yield from pages.passed(bookmark.current, bookmark.following, drawn, coloured=coloured)
    elif bookmark.is_passed:
        yield from pages.sentences([say("desk.passed-and-stays")], DIM)
