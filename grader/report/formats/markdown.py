"""The format `markdown`: a table of the exercises, and what is to be said of each step that is not right.

GitHub's flavour: https://github.github.com/gfm/. All that a student had a say in stands in code, or has its marks
escaped, so that it is text and no link. GitHub may still mark @names, which in a summary tells nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.model.report import ExerciseResult, Report, Status, Verdict
from grader.model.text import clean, clean_line, points
from grader.report.excerpt import excerpt
from grader.report.formats.told import LONGEST, place, sentences, total
from grader.report.lines import MARKS, WRONG
from grader.report.notes import sentence_of
from grader.words import say

# Whatever begins something in Markdown, HTML or what GitHub adds to them: mentions, issues, emoji, formulas, addresses.
MARKUP = re.compile(r"[\\`*_\[\]<>#|~&$@{}]|:(?=\S)|www\.|^[-+=]|^\d{1,9}[.)]", re.IGNORECASE)


class Markdown:
    """The report as Markdown."""

    name = "markdown"

    def render(self, report: Report) -> str:
        return render(report, LONGEST)


def render(report: Report, limit: int) -> str:
    """The report. limit: the longest sentence, in characters."""
    return "\n".join(_lines(report, limit)) + "\n"


def failed(why: str) -> str:
    """What to say where nothing could be graded."""
    return f"## {say('report.not-graded')}\n\n{escaped(why)}\n"


def escaped(text: str) -> str:
    """A line of text that means nothing in Markdown. Every mark is a number: a backslash does not stop a link."""
    return MARKUP.sub(lambda found: f"{found[0][:-1]}&#{ord(found[0][-1])};", clean(text, LONGEST * 2))


def _lines(report: Report, limit: int) -> Iterator[str]:
    score = say("report.points", score=points(report.score), max_score=points(report.max_score))
    yield f"## {escaped(report.submission['id'])}: {score}"
    yield ""
    yield f"{total(report)}."
    yield ""
    yield f"| | {say('report.exercise')} | {say('report.points-column')} |"
    yield "|---|---|---:|"
    for result in report.exercises:
        gained = f"{points(result.score)} / {points(result.max_score)}"
        yield f"| {_mark(result)} | {escaped(result.short)} {escaped(result.title)} | {gained} |"
    for result in report.exercises:
        if any(step.status is not Status.PASSED for step in result.steps):
            yield from _exercise(result, report, limit)
    for note in report.notes:
        yield ""
        yield escaped(clean(sentence_of(note), limit or LONGEST))


def _exercise(result: ExerciseResult, report: Report, limit: int) -> Iterator[str]:
    yield ""
    yield f"### {escaped(result.short)} {escaped(result.title)}"
    yield ""
    for step in result.steps:
        mark, _ = MARKS.get(step.status, WRONG)
        gained, status = f"{points(step.score)} / {points(step.max_score)}", say(f"status.{step.status}")
        yield f"- {mark} **{escaped(step.id)}** {escaped(step.title)} ({status}, {gained})"
        if step.status is not Status.PASSED:
            yield from _told(step, report, limit)


def _told(step: Verdict, report: Report, limit: int) -> Iterator[str]:
    for said in [*sentences(step, limit), *(say("report.hint", hint=hint) for hint in step.hints)]:
        yield ""
        yield f"  {escaped(said)}"
    at = place(step)
    found = excerpt(report.sources, *at) if limit and at is not None else None
    if found is not None:
        yield ""
        yield f"  {escaped(found.place)}"
        yield ""
        # Indented, code has no fence that a line of it could close.
        for number, line in found.lines:
            yield f"      {'›' if number == found.number else ' '} {number}  {clean_line(line)}"


def _mark(result: ExerciseResult) -> str:
    statuses = {step.status for step in result.steps}
    if len(statuses) > 1 and 0 < result.score < result.max_score:
        return MARKS[Status.PARTIAL][0]
    return MARKS.get(result.steps[0].status, WRONG)[0] if len(statuses) == 1 else WRONG[0]
