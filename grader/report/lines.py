"""A report as lines for a person: pieces of text, each with the name of a style. Terminals add the colours."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Any

from grader.model.commands import Ask, hint_command
from grader.model.isolation import lacking
from grader.model.pack import Visibility
from grader.model.report import ERRORS, Diagnosis, Report, Stage, Status, Verdict
from grader.model.text import as_sentence, clean, points, printable, printable_line, short
from grader.report.excerpt import MOST_ROWS, excerpt, folded, place_of
from grader.report.following import is_wrong, next_hint
from grader.report.notes import sentence_of
from grader.report.said import Said
from grader.words import say

# What fits everywhere. A terminal may be narrower, beside an editor; below 40 columns nothing can be laid out.
WIDEST, NARROWEST = 80, 40
_width = ContextVar("_width", default=WIDEST)
Line = list[tuple[str, str]]

GOOD, BAD, DIM, STRONG, PLAIN, HALF = "good", "bad", "dim", "strong", "plain", "half"
MARKS: Mapping[Status, tuple[str, str]] = {
    Status.PASSED: ("✓", GOOD),
    Status.PARTIAL: ("◐", HALF),
    Status.UNSTARTED: ("·", DIM),
    Status.BLOCKED: ("–", DIM),
    Status.UNAVAILABLE: ("–", DIM),
}
WRONG = ("✗", BAD)


def width() -> int:
    """Within how many columns lines are laid out now."""
    return _width.get()


def lay_out_within(columns: int) -> Token[int]:
    """Lay out what this thread makes from now on for a terminal of so many columns."""
    return _width.set(min(max(columns, NARROWEST), WIDEST))


@contextmanager
def laid_out_for_a_file() -> Iterator[None]:
    """Lay out meanwhile for whoever reads it later, wherever that is."""
    before = lay_out_within(WIDEST)
    try:
        yield
    finally:
        _width.reset(before)


def word_of(status: Status) -> str:
    """The word that says everything of a step; "" where a word does not."""
    if status is Status.UNSTARTED:
        return say("report.not-started")
    return say("report.no-such-device") if status is Status.UNAVAILABLE else ""


def header(report: Mapping[str, str]) -> Line:
    """The line above everything: whose work this is."""
    return [(f"{clean(report['id'], 60)}", STRONG)]


def sentence(said: str) -> Iterator[Line]:
    """A sentence on a whole report."""
    yield from wrapped(said, "  ", PLAIN)


def footer(report: Report, *, ask: Ask | None = hint_command) -> Iterator[Line]:
    """The score, what to do next, and what the grading rests on.

    ask: what shows the next hint; None where nobody asks for one.
    """
    yield row(
        [("  ", PLAIN), (say("report.score"), STRONG)], f"{points(report.score)} / {points(report.max_score)}", STRONG
    )
    if ask is not None and (following := next_hint(report, ask)):
        yield [(f"  {say('report.next-hint')} ", DIM), (clean(following), STRONG)]
    environment = report.environment
    facts = [f"torch {environment['torch']}", "+".join(environment["devices"])]
    facts += [say("report.seed", seed=environment["seed"])] if "seed" in environment else []
    facts += [sandbox(environment), f"{report.seconds:.1f} s"]
    yield from wrapped(" · ".join(facts), "  ", DIM)
    for note in report.notes:
        yield from wrapped(clean(sentence_of(note)), "  ", DIM)


def sandbox(environment: Mapping[str, Any]) -> str:
    """How much of the sandbox there was around a submission."""
    if not environment["isolation"]:
        return say("report.no-sandbox")
    is_partial = bool(lacking(environment["isolation"], environment["devices"]))
    return say("report.partial-sandbox" if is_partial else "report.complete-sandbox")


def text(line: Line) -> str:
    """A line without its styles."""
    return printable_line("".join(piece for piece, _ in line))


def step_lines(step: Verdict, sources: Mapping[str, bytes], said: Said) -> Iterator[Line]:
    """A step with what is wrong in it. said: what stands above, and is not said again; this is added to it."""
    mark, style = MARKS.get(step.status, WRONG)
    gained = points(step.score) if step.status is Status.PASSED else f"{points(step.score)} / {points(step.max_score)}"
    is_waiting = step.status is Status.BLOCKED
    room = width() - len(f"    {mark} {step.name:<14} {gained}") - 1
    is_below = is_waiting and len(step.summary.rstrip(".")) >= room  # or it would be cut
    title = step.summary if is_waiting and not is_below else step.title
    if word := word_of(step.status):
        title = f"{step.title} · {word}"
    if step.visibility is not Visibility.VISIBLE:  # in a stored report, which is for those who teach
        title = f"({step.visibility}) {title}"
    dim = DIM if step.status in MARKS and style == DIM else PLAIN
    yield row([(f"    {mark} ", style), (f"{step.name:<14} ", dim), (title.rstrip("."), dim)], gained, style)
    if is_below:
        yield from wrapped(step.summary, " " * 8, DIM)
    if step.status is Status.UNSTARTED:  # a word says it, but a hint may have been asked for all the same
        yield from hints(step)
    if not is_wrong(step):
        return
    if said.mistakes(step) and not said.raises_anew(step):
        yield from _as_above(step.diagnosis)
        yield from _other_places(step, sources, said)
    elif (above := said.above(step)) and all(said.mistake(found.id) for found in step.diagnosis):
        yield [(f"        {above}", DIM)]
        yield from _other_places(step, sources, said)
    else:
        yield from explanation(step, sources, said)
    yield from notes([step], said)
    yield from hints(step)
    said.add(step)


def explanation(step: Verdict, sources: Mapping[str, bytes], said: Said) -> Iterator[Line]:
    """What is wrong and the student's line: first each known mistake at its own, then what was seen."""
    shown: set[tuple[str, int]] = set()
    is_last = len(step.diagnosis) == 1 or said.line(step.file, step.line)  # what is at the step's own line
    new = (found for found in step.diagnosis if not said.mistake(found.id))
    is_raised, is_summed_up = step.status in ERRORS, False
    for there, alike in itertools.groupby(new, key=lambda found: (found.file, found.line)):
        if is_raised and shown and not is_summed_up and there > (step.file, step.line) == max(shown):
            yield from wrapped(step.summary, " " * 8, PLAIN)  # of no line below
            is_summed_up = True
        told = list(alike)
        for each in told:  # and below all of them their one line
            yield from wrapped(f"{each.id}: {each.message}", " " * 8, PLAIN)
        if there not in shown and not (is_last and there == (step.file, step.line)):
            place = list(_place_of(told, sources))
            yield from place
            shown |= {there} if place else set()
    again = [found for found in step.diagnosis if said.mistake(found.id)]  # beside one that is new
    if again and not is_raised:
        yield from _named_again(step, again, shown, sources, said)
    remark = said.remark(step)
    if remark:
        said.note(remark)
        yield from wrapped(clean(as_sentence(remark), 300), " " * 8, PLAIN)
        if not said.at(step):
            yield from _place(step.file, step.line, step.column, sources)
    if not is_summed_up:
        yield from wrapped(step.summary, " " * 8, PLAIN)
    if again and is_raised:  # by what is new
        yield from _named_again(step, again, shown, sources, said)
    if step.cause is not None:
        yield from wrapped(step.cause.message, " " * 8, PLAIN)
    if step.stage is not None and is_followed(step):
        if said.stage(step.stage):
            return
        yield from wrapped(how_far(step.stage), " " * 8, PLAIN)
        yield from _place(step.stage.file, step.stage.line, 0, sources, near=True)
        return
    is_own = step.cause is None or step.diagnosis or is_raised  # what is raised is raised somewhere
    if is_own and not shown and not remark and not said.at(step):
        yield from _place(step.file, step.line, step.column, sources)


def _named_again(
    step: Verdict,
    again: Sequence[Diagnosis],
    shown: Collection[tuple[str, int]],
    sources: Mapping[str, bytes],
    said: Said,
) -> Iterator[Line]:
    """Mistakes that were told of, beside one that is new, with their lines where neither was shown. shown: of that."""
    yield from _as_above(again)
    here = {(step.file, step.line), *shown}
    yield from _made_again([found for found in again if (found.file, found.line) not in here], sources, said)


def _other_places(step: Verdict, sources: Mapping[str, bytes], said: Said) -> Iterator[Line]:
    """Where a mistake that was told of is made once more, in lines that were not shown."""
    if step.cause is not None:  # it is made there, and not once more
        if not said.cause(step.cause) and not said.comes_of_above(step):
            yield from wrapped(step.cause.message, " " * 8, DIM)
        return
    yield from _made_again(step.diagnosis, sources, said)


def _as_above(mistakes: Sequence[Diagnosis]) -> Iterator[Line]:
    names = ", ".join(dict.fromkeys(found.id for found in mistakes))
    yield from wrapped(say("report.mistakes-as-above", mistakes=names), " " * 8, DIM)


def _made_again(mistakes: Sequence[Diagnosis], sources: Mapping[str, bytes], said: Said) -> Iterator[Line]:
    """The lines of mistakes that were told of, where they were not shown."""
    lines: dict[tuple[str, int], list[Diagnosis]] = {}
    for found in mistakes:
        lines.setdefault((found.file, found.line), []).append(found)
    for (file, number), alike in lines.items():
        if number and not said.line(file, number):
            yield from _place_of(alike, sources)


def is_followed(step: Verdict) -> bool:
    """Whether it is told how far a step is right: not where more is known, of the very line near which it is not."""
    if step.stage is None or not step.stage.line or step.diagnosis:
        return False
    return not step.remark or (step.stage.file, step.stage.line) != (step.file, step.line)


def how_far(stage: Stage) -> str:
    """Up to where a step is right, and where about it goes wrong."""
    wrong = f"`{stage.wrong}` ({stage.meaning})" if stage.meaning else f"`{stage.wrong}`"
    if stage.right and stage.wrong:
        return say("report.right-up-to", right=stage.right, wrong=wrong)
    if stage.right:
        return say("report.right-but-the-end", right=stage.right)
    return say("report.wrong-from", wrong=wrong) if stage.wrong else say("report.wrong-at-the-end")


def _place(file: str, number: int, column: int, sources: Mapping[str, bytes], *, near: bool = False) -> Iterator[Line]:
    """A line of the student's below the one before it, with a caret under a column; nothing where there is none.

    Of a report whose sources nobody has any more, which line it is. near: the line is a guess.
    """
    shown = excerpt(sources, file, number)
    if shown is None and (sources or not (file and number)):
        return
    place = place_of(file, number)
    yield [(f"        {say('report.near', place=place) if near else place}", DIM)]
    if shown is None:
        return
    for each, line in shown.lines:
        is_meant = each == number
        head = f"        {'›' if is_meant else ' '} {each:>{len(str(number))}}  "
        room = width() - len(head)
        rows = folded(line, room, MOST_ROWS if is_meant and not column else 1)
        yield [(head, DIM), (next(rows), STRONG if is_meant else DIM)]
        yield from ([(" " * len(head), DIM), (row, STRONG)] for row in rows)
    if 0 < column - shown.margin <= room:
        yield [(" " * (len(head) + column - shown.margin - 1), PLAIN), ("^", BAD)]


def _place_of(mistakes: Sequence[Diagnosis], sources: Mapping[str, bytes]) -> Iterator[Line]:
    """The one line of several mistakes: a guess where it is that for each of them."""
    found, is_guessed = mistakes[0], all(each.near for each in mistakes)
    yield from _place(found.file, found.line, 0, sources, near=is_guessed)


def is_marked(line: Line) -> bool:
    """Whether this is a line of the student's that is pointed at."""
    return any(style == STRONG for _, style in line)


def hints(step: Verdict) -> Iterator[Line]:
    """The hints of a step that were asked for."""
    for hint in step.hints:
        yield from wrapped(say("report.hint", hint=hint), " " * 8, DIM)


def notes(steps: Iterable[Verdict], said: Said) -> Iterator[Line]:
    """The notes on steps, but what was said."""
    for note in said.new_notes(steps):
        yield from wrapped(clean(as_sentence(note), 300), " " * 8, DIM)


def notes_below(steps: Sequence[Verdict], said: Said) -> Iterator[Line]:
    """The notes that are left below several steps: on the last one under it, on another one with its name."""
    for note in said.new_notes(steps):
        noted = [step for step in steps if note in step.notes]
        is_the_lasts = noted == [steps[-1]]
        is_anothers = len(noted) == 1 and not is_the_lasts
        told = say("report.note-on", step=noted[0].name, note=note) if is_anothers else note
        yield from wrapped(clean(as_sentence(told), 300), " " * (8 if is_the_lasts else 4), DIM)


def row(left: Line, right: str, style: str) -> Line:
    """Text on the left and points on the right edge."""
    length = sum(len(piece) for piece, _ in left)
    room = width() - len(right)
    if length >= room:
        piece, last = left[-1]
        left = [*left[:-1], (piece[: len(piece) - (length - room) - 2] + "…", last)]
        length = sum(len(piece) for piece, _ in left)
    return [*left, (" " * (room - length), PLAIN), (right, style)]


def wrapped(content: str, indent: str, style: str) -> Iterator[Line]:
    """Prose in as many lines as it needs."""
    for piece in textwrap.wrap(printable(short(content)), width() - len(indent)):
        yield [(indent + piece, style)]
