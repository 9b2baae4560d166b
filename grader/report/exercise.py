"""An exercise as lines for a person: in one where that says everything, else with its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.model.report import ExerciseResult, Verdict
from grader.model.text import points
from grader.report.following import IN_A_WORD, fail_alike, said_at_once
from grader.report.lines import (
    DIM,
    MARKS,
    PLAIN,
    STRONG,
    Line,
    explanation,
    hints,
    notes,
    notes_below,
    row,
    step_lines,
    word_of,
    wrapped,
)
from grader.report.said import Said
from grader.words import say


def in_a_row(result: ExerciseResult) -> Iterator[Line]:
    """An exercise in one line, with its points."""
    mark, style = _mark(result)
    statuses = {step.status for step in result.steps}
    said = word_of(next(iter(statuses))) if len(statuses) == 1 else ""
    total = f"{points(result.score)} / {points(result.max_score)}"
    title = f"{result.title}{f' · {said}' if said else ''}"
    yield row(
        [(f"{mark or ' '} ", style), (f"{result.short}  ", STRONG), (title, PLAIN if mark != "·" else DIM)],
        total,
        style,
    )


def _mark(result: ExerciseResult) -> tuple[str, str]:
    """The sign and style of an exercise of which one line says everything; no sign where its steps have to."""
    statuses = {step.status for step in result.steps}
    is_said = len(statuses) == 1 and statuses <= {*IN_A_WORD}
    return MARKS[next(iter(statuses))] if is_said else ("", PLAIN)


def in_lines(result: ExerciseResult, sources: Mapping[str, bytes]) -> Iterator[Line]:
    """An exercise in one line where all of it is right or nothing is begun; else with its steps."""
    yield from in_a_row(result)
    mark, _ = _mark(result)
    said = Said()
    if not mark and (telling := said_at_once(result)) is not None:
        yield from explanation(telling, sources, said)
        if not fail_alike(result):  # where hints on what its steps compute do not help
            for step in result.steps:
                yield from hints(step)
    elif not mark:
        yield from _steps(result.steps, sources, said)
        yield from notes_below(result.steps, said)
        return
    yield from notes(result.steps, said)


def _steps(steps: Iterable[Verdict], sources: Mapping[str, bytes], said: Said) -> Iterator[Line]:
    """Steps one below the other; where several in a row say nothing but what stands above, one line says so of all."""
    as_above: Line = [(f"        {say('report.as-above')}", DIM)]
    alike: list[str] = []
    for step in steps:
        first, *more = step_lines(step, sources, said)
        if alike and more != [as_above]:
            yield from _alike(alike, as_above)
            alike = []
        yield first
        if more == [as_above]:
            alike.append(step.name)
        else:
            yield from more
    if alike:
        yield from _alike(alike, as_above)


def _alike(steps: Sequence[str], as_above: Line) -> Iterator[Line]:
    if len(steps) == 1:
        yield as_above
    else:
        yield from wrapped(say("report.steps-as-above", steps=", ".join(steps)), " " * 8, DIM)
