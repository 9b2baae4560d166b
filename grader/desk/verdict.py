"""What came of an exercise, with all that is to be said below it, for taller and for smaller windows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from grader.desk import pages
from grader.desk.place import Place
from grader.model.report import ExerciseResult, Report
from grader.report.lines import BAD, DIM, PLAIN, Line
from grader.words import say


def verdict(
    place: Place, report: Report, seen: Mapping[str, int], remark: str, *, coloured: bool
) -> tuple[list[Line], ...]:
    """The current exercise as a report has it; shorter versions come later.

    report: its sources are those that were graded, whatever is saved by now. seen: how many hints of each step.
    """
    current = place.current
    result = next(each for each in report.exercises if each.id == current.id)
    mistake = pages.first_mistake(result)
    explained, shorter = _explained(place, result, coloured)
    below: list[Line] = []
    below += pages.sentences(report.notes, DIM)
    below += pages.sentences(filter(None, [place.complaint]), BAD)
    below += pages.sentences(filter(None, [remark]), PLAIN)
    shown = seen.get(mistake.id, 0) if mistake is not None else 0
    version = partial(pages.exercise_page, current, result, report.sources, shown, coloured=coloured)
    return (
        [*version(), *explained, *below],
        [*version(lists_passed=False), *explained, *below],
        [*version(lists_passed=False, draws=False), *shorter, *below],
    )


def _explained(place: Place, result: ExerciseResult, coloured: bool) -> tuple[list[Line], list[Line]]:
    """What is said of a pass, with what is drawn to it and without."""
    if pages.is_passed(result):
        drawn = [step.shares for step in result.steps if step.shares is not None]
        told = partial(pages.passed, place.current, place.following, coloured=coloured)
        return [*told(drawn)], [*told(())]
    said = [*pages.sentences([say("desk.passed-and-stays")], DIM)] if place.is_passed else []
    return said, said
