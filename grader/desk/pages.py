"""What the pages at the desk say: an exercise up to its first mistake, why it works, the list, the keys, the end."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from grader.desk.attention import described
from grader.desk.events import Drawn
from grader.model.commands import hint_command_here, program
from grader.model.pack import Exercise, Pack
from grader.model.report import FINE, ExerciseResult, Report, Shares, Status, Verdict
from grader.model.text import clean, points
from grader.report import lines
from grader.report.drawing import Grid, grid_lines, pictures_of, shares_lines
from grader.report.exercise import in_lines
from grader.report.lines import BAD, DIM, GOOD, PLAIN, STRONG, Line
from grader.report.said import Said
from grader.submission.progress import Progress
from grader.words import say

KEYS, NEXT = ("h", "l", "r", "a", "o", "x", "q"), "n"


def first_mistake(result: ExerciseResult) -> Verdict | None:
    """The first step, in the rubric's order, that is not passed."""
    return next((step for step in result.steps if step.status not in FINE), None)


def head(exercise: Exercise, pack: Pack, progress: Progress, file: Path, polls: str) -> Iterator[Line]:
    """Which exercise this is, where it is written, and how far one has come. polls: why saves are looked for, or ""."""
    done = say("desk.passed-so-far", passed=len(progress.passed), total=len(pack.handed_out))
    yield lines.row([(f"{exercise.short}  ", STRONG), (exercise.title, STRONG)], done, DIM)
    yield [("      ", PLAIN), (clean(str(file), lines.width() - 8), DIM)]
    if polls:
        yield [("      ", PLAIN), (clean(say("desk.polling", why=polls), lines.width() - 8), DIM)]
    yield []


def checking(what: str) -> Line:
    return [(f"  {say('report.checking-what', what=what)}", DIM)]


def exercise_page(
    exercise: Exercise,
    result: ExerciseResult,
    sources: Mapping[str, bytes],
    shown: int,
    *,
    coloured: bool,
    lists_passed: bool = True,
    draws: bool = True,
    all_hints: bool = True,
) -> Iterator[Line]:
    """The steps up to the first that is wrong, with all that is known of it. shown: how many of its hints.

    lists_passed, draws, all_hints: whether there is room for a line for each step that is passed, for the picture, and
    for other hints than the last.
    """
    mistake = first_mistake(result)
    yield from _task(exercise, result)
    listed = result.steps[: result.steps.index(mistake) + 1] if mistake is not None else result.steps
    said = Said()
    for step in listed:
        if step is mistake:
            hinted = _with_hints(step, exercise, shown)
            yield from lines.step_lines(hinted if all_hints else _with_last_hint(hinted), sources, said)
        elif lists_passed or mistake is None:
            yield from lines.step_lines(step, sources, said)
    if mistake is not None:
        if draws:
            yield from pictures_of(mistake, coloured=coloured)
        elif mistake.picture is not None:
            yield from lines.wrapped(f"({say('desk.taller-window')})", "    ", DIM)
        if left := len(result.steps) - len(listed):
            yield [(f"      {say('desk.more-below', count=left)}", DIM)]
    yield from lines.notes_below(listed, said)
    yield lines.row(
        [("  ", PLAIN), (say("report.score"), STRONG)], f"{points(result.score)} / {points(result.max_score)}", STRONG
    )


def mistake_alone(exercise: Exercise, result: ExerciseResult) -> Iterator[Line]:
    """What is wrong, or what is to be done: what counts where there is no room for more."""
    yield from _task(exercise, result)
    if mistake := first_mistake(result):
        yield from lines.step_lines(replace(mistake, hints=()), {}, Said())


def lines_alone(result: ExerciseResult, sources: Mapping[str, bytes]) -> Iterator[Line]:
    """The student's lines that are wrong, without those before them."""
    if mistake := first_mistake(result):
        told = lines.step_lines(replace(mistake, hints=()), sources, Said())
        yield from (line for line in told if lines.is_marked(line))


def last_hint(exercise: Exercise, result: ExerciseResult, shown: int) -> Iterator[Line]:
    """The last hint that was asked for of the first step that is wrong. shown: how many were."""
    if mistake := first_mistake(result):
        yield from lines.hints(_with_last_hint(_with_hints(mistake, exercise, shown)))


def passed(
    exercise: Exercise, following: Exercise | None, softmaxes: Iterable[Shares], *, coloured: bool
) -> Iterator[Line]:
    """Why it works, where it is used, and what comes next. softmaxes: what there is to be seen."""
    yield []
    yield [(f"  {say('desk.passed')} ", GOOD), (exercise.title, STRONG)]
    yield from lines.wrapped(exercise.after, "  ", PLAIN)
    for shares in softmaxes:
        yield from shares_lines(shares, coloured=coloured)
    yield []
    if following is not None:
        yield [(f"  {say('desk.next')} ", DIM), (f"{following.short} {following.title}", PLAIN)]
    else:
        yield [(f"  {say('desk.was-the-last')}", PLAIN)]


def list_page(
    pack: Pack, progress: Progress, current: Exercise, results: Mapping[str, ExerciseResult]
) -> Iterator[Line]:
    """Every exercise: passed or not, and what has become worse since."""
    done = say("desk.passed-so-far", passed=len(progress.passed), total=len(pack.handed_out))
    yield lines.row([(say("desk.exercises"), STRONG)], done, DIM)
    yield []
    for exercise in pack.handed_out:
        result = results.get(exercise.id)
        was = exercise.id in progress.passed
        mark, style = ("✓", GOOD) if was else ("·", DIM)
        said = ""
        if exercise.id in progress.worse:
            mark, style, said = "✗", BAD, f" · {say('desk.passed-before')}"
        if was and result is not None and result.is_full == (exercise.id in progress.worse):
            result = None  # it was graded elsewhere since then
        if exercise.id in progress.begun:
            mark, style = "✗", BAD
        total = f"{points(result.score)} / {points(result.max_score)}" if result else points(exercise.points)
        here = "›" if exercise is current else " "
        left: Line = [(f"{here} {mark} ", style), (f"{exercise.short}  ", STRONG), (f"{exercise.title}{said}", PLAIN)]
        yield lines.row(left, total, style)
    yield []


def all_page(report: Report) -> Iterator[Line]:
    """Everything, as `grade run` prints it."""
    for result in report.exercises:
        yield from in_lines(result, report.sources)
    yield from lines.footer(report, ask=hint_command_here)


def keys(*, may_go_on: bool) -> Iterator[Line]:
    """The keys that do something now, in as many lines as they need."""
    line: Line = []
    for key in (NEXT, *KEYS) if may_go_on else KEYS:
        more: Line = [("  ", PLAIN), (key, STRONG), (f" {say(f'desk.key.{key}')}", DIM)]
        if len(lines.text([*line, *more])) > lines.width():
            yield line
            line = []
        line += more
    yield line


def commands(mistake: Verdict | None, following: Exercise, path: Path) -> Line:
    """What leads on where no key can be pressed. path: of what is graded."""
    run = f"{program()} run {shlex.quote(str(path))} --exercise {following.short}"
    hint: Line = [(clean(hint_command_here(mistake.id, path), 200), STRONG), (say("join.or"), DIM)] if mistake else []
    return [(f"  {say('desk.type')} ", DIM), *hint, (clean(run, 200), STRONG)]


def drawing() -> Line:
    return [(f"  {say('desk.drawing')}", DIM)]


def congratulation(report: Report) -> Iterator[Line]:
    """What stands above the question for a sentence."""
    score = f"{points(report.score)} / {points(report.max_score)}"
    yield lines.row([("  ✓ ", GOOD), (say("desk.all-right"), STRONG)], score, GOOD)
    yield []
    counts = {
        "exercises": say("count.exercises", count=len(report.exercises)),
        "steps": say("count.steps", count=len(report.steps)),
    }
    yield from lines.wrapped(say("desk.congratulation", **counts), "  ", PLAIN)
    yield []


def drawn(of: Drawn, written: str, *, coloured: bool) -> Iterator[Line]:
    """The student's own attention over a sentence of theirs, a map for each head. written: the class that gave it."""
    for number, (looks_for, matrix) in enumerate(of.heads.items()):
        title = say("desk.head", number=number, looks_for=looks_for)
        yield from grid_lines(Grid(title, matrix, 1.0, labels=of.tokens), coloured=coloured)
        yield []
    yield from lines.wrapped(say("desk.drawn", written=written), "  ", DIM)
    yield from lines.wrapped(described(of.tokens, of.heads), "  ", PLAIN)
    yield []


def sentences(said: Iterable[str], style: str = PLAIN) -> Iterator[Line]:
    """Sentences of ours, each on lines of its own. What they quote is cleaned."""
    for sentence in said:
        yield from lines.wrapped(clean(sentence, 600), "  ", style)


def _task(exercise: Exercise, result: ExerciseResult) -> Iterator[Line]:
    """What is to be written, where nothing is yet."""
    if all(step.status is Status.UNSTARTED for step in result.steps):
        yield from lines.wrapped(exercise.task, "      ", PLAIN)
        yield []


def _with_hints(step: Verdict, exercise: Exercise, shown: int) -> Verdict:
    asked = next(each for each in exercise.steps if each.id == step.id)
    return replace(step, hints=asked.hints[:shown], hints_left=len(asked.hints) - shown)


def _with_last_hint(step: Verdict) -> Verdict:
    return replace(step, hints=step.hints[-1:])
