"""What every platform's format says of a step: the same sentences, without markup, no longer than a platform takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from grader.model.report import Report, Status, Verdict
from grader.model.text import as_sentence, clean, clean_line, points, printable_line
from grader.report.excerpt import excerpt
from grader.report.following import IN_A_WORD
from grader.report.lines import how_far, is_followed, word_of
from grader.words import say

# A sentence of ours has some hundred characters; a plugin's check may say more, and a student's exception anything.
LONGEST = 1000
# Where a platform refuses a file that is too large, sentences are cut shorter and shorter until it fits.
SHORTER = (LONGEST, 300, 80, 0)


def title(step: Verdict) -> str:
    """ "ex10.output: Context vectors of a batch"."""
    return clean(f"{step.id}: {step.title}")


def _line(text: str, limit: int = LONGEST) -> str:
    """A line of its own that no CI runner obeys, wherever a format is printed."""
    return printable_line(clean(text, limit))


def explanation(step: Verdict, sources: Mapping[str, bytes], limit: int = LONGEST) -> Iterator[str]:
    """What there is to say of a step, a line each: what was seen, known mistakes, where, and hints that were taken."""
    yield from sentences(step, limit)
    shown = place(step)
    found = excerpt(sources, *shown) if limit and shown is not None else None
    if found is not None:
        yield _line(found.place)
        for number, line in found.lines:
            yield f"{'›' if number == found.number else ' '} {number}  {clean_line(line)}"
    for hint in step.hints:
        yield say("report.hint", hint=_line(hint, LONGEST))


def sentences(step: Verdict, limit: int = LONGEST) -> list[str]:
    """Known mistakes first, each with its line, or what to change; then what was seen and how far it is right."""
    if step.status in IN_A_WORD:
        return [word] if (word := word_of(step.status)) else []
    told = []
    for found in step.diagnosis:
        where = say("judge.line", line=found.line) if found.line else ""
        where = say("report.near", place=where) if where and found.near else where
        told.append(_line(f"{found.id}{f', {where}' if where else ''}: {found.message}", limit) if limit else found.id)
    if step.remark and not step.diagnosis and limit:
        told.append(_line(as_sentence(step.remark), limit))
    if step.summary and limit:
        told.append(_line(step.summary, limit))
    if step.cause is not None and limit:
        told.append(_line(step.cause.message, limit))
    if step.stage is not None and is_followed(step):
        told.append(_line(how_far(step.stage)))
    notes = (note for note in step.notes if step.diagnosis or note != step.remark)
    return [*told, *(_line(as_sentence(note), limit) for note in notes if limit)]


def place(step: Verdict) -> tuple[str, int] | None:
    """Where a step fails, file and line: at a known mistake, where it goes wrong, or at what was seen."""
    known = [(found.file, found.line) for found in step.diagnosis]
    stage = [(step.stage.file, step.stage.line)] if step.stage is not None and not step.remark else []
    return next(((file, line) for file, line in (*known, *stage, (step.file, step.line)) if file and line), None)


def own_place(step: Verdict) -> tuple[str, int] | None:
    """Where a step fails by what is known of itself; None where there is only the definition that was asked."""
    return place(step) if step.cause is None or step.diagnosis else None


def total(report: Report) -> str:
    """ "61.5 of 100 points, 40 of 63 steps passed"."""
    passed = sum(step.status is Status.PASSED for step in report.steps)
    score = {"score": points(report.score), "max_score": points(report.max_score)}
    return say("report.total", **score, passed=passed, steps=len(report.steps))


def fitting(made: Callable[[int], str], most: int) -> str:
    """A text of at most so many bytes, with sentences as long as that allows. made: gives it for a sentence's limit."""
    texts = (made(limit) for limit in SHORTER)
    return next((text for text in texts if len(text.encode("utf-8", "replace")) <= most), made(SHORTER[-1]))
