"""A report as lines for a person: pieces of text, each with the name of a style. Terminals add the colours."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping

from grader.model.isolation import lacking
from grader.model.report import ExerciseResult, Report, Stage, Status, Verdict
from grader.model.text import clean, clean_line, points, printable, printable_line
from grader.report.excerpt import excerpt

WIDTH = 80
Line = list[tuple[str, str]]

GOOD, BAD, DIM, STRONG, PLAIN, HALF = "good", "bad", "dim", "strong", "plain", "half"
MARKS: Mapping[Status, tuple[str, str]] = {
    Status.PASSED: ("✓", GOOD),
    Status.PARTIAL: ("◐", HALF),
    Status.UNSTARTED: ("·", DIM),
    Status.BLOCKED: ("–", DIM),
    Status.UNAVAILABLE: ("–", DIM),
}
WAITING = (Status.PASSED, Status.BLOCKED, Status.UNAVAILABLE)
WRONG = ("✗", BAD)
SAID = {Status.UNSTARTED: "not started", Status.UNAVAILABLE: "no such device here"}


def header(report: Mapping[str, str]) -> Line:
    """The line above everything: whose work this is."""
    return [(f"{clean(report['id'], 60)}", STRONG)]


def exercise_lines(result: ExerciseResult, sources: Mapping[str, bytes]) -> Iterator[Line]:
    """An exercise in one line where all of it is right or nothing is begun; else with its steps."""
    short = result.id.split("_", 1)[0]
    statuses = {step.status for step in result.steps}
    said_in_one_line = len(statuses) == 1 and statuses <= {Status.PASSED, *SAID}
    mark, style = MARKS[next(iter(statuses))] if said_in_one_line else ("", PLAIN)
    said = SAID.get(next(iter(statuses)), "") if len(statuses) == 1 else ""
    total = f"{points(result.score)} / {points(result.max_score)}"
    title = f"{result.title}{f' · {said}' if said else ''}"
    yield _row(
        [(f"{mark or ' '} ", style), (f"{short}  ", STRONG), (title, PLAIN if mark != "·" else DIM)], total, style
    )
    if not mark and _fail_alike(result):
        yield from _explanation(result.steps[0], sources, set())
        for step in result.steps:
            yield from _hints(step)
    elif not mark:
        told: set[object] = set()  # nothing is said twice: no sentence, no mistake, no line of source
        for step in result.steps:
            yield from _step_lines(step, sources, told)
            told |= {step.summary, (step.file, step.line), step.stage, *(found.id for found in step.diagnosis)}
    yield from _notes(result.steps)


def footer(report: Report) -> Iterator[Line]:
    """The score, what to do next, and what the grading rests on."""
    yield _row([("  ", PLAIN), ("score", STRONG)], f"{points(report.score)} / {points(report.max_score)}", STRONG)
    following = next_step(report)
    if following is not None:
        where = "" if report.submission["path"] == "exercises" else f" --in {shlex.quote(report.submission['path'])}"
        yield [("  next hint: ", DIM), (clean(f"grade hint {following.id}{where}"), STRONG)]
    environment = report.environment
    facts = [f"torch {environment['torch']}", "+".join(environment["devices"]), f"seed {environment['seed']}"]
    sandbox = "partial" if lacking(environment["isolation"], environment["devices"]) else "complete"
    facts += [f"sandbox {sandbox if environment['isolation'] else 'none'}", f"{report.seconds:.1f} s"]
    yield [(f"  {' · '.join(facts)}", DIM)]
    for note in report.notes:
        yield from _wrapped(clean(note), "  ", DIM)


def next_step(report: Report) -> Verdict | None:
    """Where the student goes on: the first step that is wrong, else the first that is not begun."""
    open_steps = [s for e in report.exercises for s in e.steps if s.status not in (*WAITING, Status.UNSTARTED)]
    unstarted = [s for e in report.exercises for s in e.steps if s.status is Status.UNSTARTED]
    return next((step for step in (*open_steps, *unstarted) if step.hints_left), None)


def text(line: Line) -> str:
    """A line without its styles."""
    return printable_line("".join(piece for piece, _ in line))


def _step_lines(step: Verdict, sources: Mapping[str, bytes], told: set[object]) -> Iterator[Line]:
    mark, style = MARKS.get(step.status, WRONG)
    name = step.id.split(".", 1)[1]
    gained = points(step.score) if step.status is Status.PASSED else f"{points(step.score)} / {points(step.max_score)}"
    said = step.summary if step.status is Status.BLOCKED else f"{step.title}"
    if step.status in SAID:
        said = f"{step.title} · {SAID[step.status]}"
    dim = DIM if step.status in MARKS and style == DIM else PLAIN
    yield _row([(f"    {mark} ", style), (f"{name:<14} ", dim), (said.rstrip("."), dim)], gained, style)
    if step.status in (*WAITING, Status.UNSTARTED):
        return
    if step.summary in told:
        yield [("        As above.", DIM)]
    elif step.diagnosis and told.issuperset(found.id for found in step.diagnosis):
        yield from _wrapped(f"As above: {', '.join(found.id for found in step.diagnosis)}.", " " * 8, DIM)
    else:
        yield from _explanation(step, sources, told)
    yield from _hints(step)


def _fail_alike(result: ExerciseResult) -> bool:
    """Whether one thing keeps every step from being asked at all, such as a module that does not load."""
    first = result.steps[0]
    same = {(step.status, step.summary, step.file, step.line) for step in result.steps}
    return len(result.steps) > 1 and len(same) == 1 and first.status in (Status.ERROR, Status.TIMEOUT, Status.CRASHED)


def _explanation(step: Verdict, sources: Mapping[str, bytes], told: set[object]) -> Iterator[Line]:
    """What is wrong and the student's line: first each known mistake at its own, then what was seen."""
    shown = False
    for found in step.diagnosis:
        if found.id not in told:
            yield from _wrapped(f"{found.id}: {found.message}", " " * 8, PLAIN)
            if found.line != step.line:
                place = list(_place(found.file, found.line, 0, sources, near=found.near))
                yield from place
                shown = shown or bool(place)
    yield from _wrapped(step.summary, " " * 8, PLAIN)
    if not step.diagnosis and step.stage is not None and step.stage.line:
        if step.stage in told:
            return
        yield from _wrapped(how_far(step.stage), " " * 8, PLAIN)
        yield from _place(step.stage.file, step.stage.line, 0, sources, near=True)
    elif not shown and (step.file, step.line) not in told:
        yield from _place(step.file, step.line, step.column, sources)


def how_far(stage: Stage) -> str:
    """Up to where a step is right, and where about it goes wrong."""
    due = f"where `{stage.wrong}` is due" if stage.wrong else "at the end"
    right = f"Right up to `{stage.right}`; it" if stage.right else "It"
    return f"{right} goes wrong {due}:"


def _place(file: str, number: int, column: int, sources: Mapping[str, bytes], *, near: bool = False) -> Iterator[Line]:
    """A line of the student's below the one before it, with a caret under a column; nothing where there is none.

    near: the line is a guess.
    """
    shown = excerpt(sources, file, number)
    if shown is None:
        return
    yield [(f"        {'near ' if near else ''}{shown.place}", DIM)]
    for each, line in shown.lines:
        is_meant = each == number
        head = f"        {'›' if is_meant else ' '} {each:>{len(str(number))}}  "
        text = clean_line(line, WIDTH - len(head))
        if len(text) == WIDTH - len(head) < len(line.rstrip()):
            text = f"{text[:-1]}…"
        yield [(head, DIM), (text, STRONG if is_meant else DIM)]
    if 0 < column - shown.margin <= WIDTH - len(head):
        yield [(" " * (len(head) + column - shown.margin - 1), PLAIN), ("^", BAD)]


def _hints(step: Verdict) -> Iterator[Line]:
    for hint in step.hints:
        yield from _wrapped(f"hint: {hint}", " " * 8, DIM)


def _notes(steps: tuple[Verdict, ...]) -> Iterator[Line]:
    for note in dict.fromkeys(note for step in steps for note in step.notes):
        yield from _wrapped(clean(note, 300), " " * 8, DIM)


def _row(left: Line, right: str, style: str) -> Line:
    """Text on the left and points on the right edge."""
    length = sum(len(piece) for piece, _ in left)
    room = WIDTH - len(right)
    if length >= room:
        piece, last = left[-1]
        left = [*left[:-1], (piece[: len(piece) - (length - room) - 2] + "…", last)]
        length = sum(len(piece) for piece, _ in left)
    return [*left, (" " * (room - length), PLAIN), (right, style)]


def _wrapped(content: str, indent: str, style: str) -> Iterator[Line]:
    for piece in textwrap.wrap(printable(content), WIDTH - len(indent)):
        yield [(indent + piece, style)]
