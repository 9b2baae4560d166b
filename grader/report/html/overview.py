"""The page of a class: everybody's steps in a table, and what is to be learnt from all of them together."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from grader.model.pack import Exercise, Pack
from grader.model.report import Report, Status
from grader.model.text import clean
from grader.report.changes import Previous
from grader.report.notes import is_of_machine, sentence_of
from grader.report.outcome import DIED, Outcome
from grader.report.summary import Entry
from grader.words import ENGLISH

# The histogram's bars: tenths of all points, and those with every point in a bar of their own.
TENTHS = 10


@dataclass(frozen=True, slots=True)
class Died:
    """Steps of an exercise that crashed, or that ran out of time, and the sentence on the first of them."""

    steps: tuple[str, ...]
    status: str
    summary: str


@dataclass(frozen=True, slots=True)
class Row:
    """A student, in little: a class of thousands is held in memory.

    page: address of the student's page. score: None where the grader itself failed. statuses: of every step in order,
    "" where it was not graded. mistakes: each known one once. made: each of them with every exercise in which it is.
    why: of what could not be graded. notes: on the machine. told: what is said of what was handed in, such as a file
    that was not graded.
    """

    id: str
    name: str
    page: str
    late: bool
    outcome: Outcome
    score: float | None
    max_score: float
    statuses: tuple[str, ...]
    mistakes: tuple[str, ...]
    made: tuple[tuple[str, str], ...] = ()
    died: tuple[Died, ...] = ()
    why: str = ""
    previous: Previous | None = None
    is_news: bool = False
    notes: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """The name to show, the id where a platform gives none."""
        return self.name or self.id

    @property
    def is_graded(self) -> bool:
        """Whether there was something to grade, and it was; numbers on all are over those of whom this is so."""
        return self.outcome.is_graded

    @property
    def gained(self) -> float:
        """Points more than in the grading before; 0 where there was none, or where the grader failed."""
        if self.previous is None or not self.is_news or self.score is None:
            return 0.0
        return self.score - self.previous.score


def row(one: Entry, steps: Sequence[str], page: str) -> Row:
    """What the page of the class says of a result. page: the name of the student's page, below it."""
    report, identity = one.report, one.identity
    found = {step.id: step for step in report.steps}
    is_graded = one.outcome.is_graded
    return Row(
        id=clean(report.submission["id"], 80),
        name=clean(identity.name, 80),
        page=quote(page),
        late=identity.late,
        outcome=one.outcome,
        score=one.score,
        max_score=report.max_score,
        statuses=tuple(str(found[step].status.value) if step in found else "" for step in steps),
        mistakes=report.mistakes,
        made=tuple(dict.fromkeys(_made(report))),
        died=tuple(_died(report)),
        why="" if is_graded else clean(sentence_of(next(iter(report.notes), "")), 200),
        previous=one.previous,
        is_news=one.is_news,
        notes=tuple(clean(sentence_of(note)) for note in report.notes if is_of_machine(note)),
        told=tuple(clean(sentence_of(note), 200) for note in report.notes if is_graded and not is_of_machine(note)),
    )


def _died(report: Report) -> Iterator[Died]:
    for exercise in report.exercises:
        for status in DIED:
            steps = [step for step in exercise.steps if step.status is status]
            if steps:
                yield Died(tuple(step.id for step in steps), status.value, clean(steps[0].summary, 160))


def overview(
    pack: Pack,
    exercises: Sequence[Exercise],
    rows: Sequence[Row],
    *,
    seed: int | None,
    is_compared: bool,
    left_over: Sequence[str] = (),
) -> Iterator[str]:
    """The page in pieces.

    seed: of the fresh cases, None where it is not to be told. is_compared: whether there was a grading before.
    left_over: whose work was not handed in again.
    """
    from grader.report.html.pages import page

    yield from page(
        "class.html.j2",
        "class.js",
        language=ENGLISH,  # for those who teach
        pack=pack,
        exercises=exercises,
        rows=rows,
        seed=seed,
        outcomes=[outcome for outcome in Outcome if any(row.outcome is outcome for row in rows)],
        tiles=_tiles(rows),
        bars=_bars(rows),
        rates=_rates(exercises, rows),
        graded=sum(row.is_graded for row in rows),
        raised=sum(row.is_graded and Status.ERROR in row.statuses for row in rows),
        notes=sorted({note for row in rows for note in row.notes}),
        mistakes=_mistakes(exercises, rows),
        changed=_changed(exercises, rows) if is_compared else [],
        is_compared=is_compared,
        left_over=left_over,
        namesakes={name for name, count in Counter(row.called for row in rows).items() if count > 1},
    )


def _tiles(rows: Sequence[Row]) -> list[tuple[str, float, str]]:
    """A few numbers on all: what, how much, and of what or of how many."""
    scores = [row.score for row in rows if row.is_graded and row.score is not None]
    full = sum(row.outcome is Outcome.FULL for row in rows)
    most = max((row.max_score for row in rows), default=0.0)
    of = f"of {most:g} points"
    tiles = [
        ("median", statistics.median(scores) if scores else 0.0, of),
        ("mean", round(statistics.fmean(scores), 1) if scores else 0.0, of),
        ("full marks", float(full), f"of {len(rows)}"),
    ]
    for word, said in (
        (Outcome.FAILED, "without a point"),
        (Outcome.CRASHED, "crashed or timed out"),
        (Outcome.REFUSED, "nothing to grade"),
        (Outcome.UNGRADED, "failed by the grader"),
    ):
        if count := sum(row.outcome is word for row in rows):
            tiles.append((said, float(count), f"of {len(rows)}"))
    return tiles


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the histogram. height: of the tallest one's, from 0 to 1."""

    label: str
    count: int
    height: float


def _bars(rows: Sequence[Row]) -> list[Bar]:
    """How many have how many points, in tenths of all points."""
    counts = [0] * (TENTHS + 1)
    for row in rows:
        if row.is_graded and row.score is not None and row.max_score:
            counts[int(TENTHS * row.score / row.max_score)] += 1
    most = max((row.max_score for row in rows), default=0.0)
    edges = [most * tenth / TENTHS for tenth in range(TENTHS + 1)]
    labels = [f"{low:g}–{high:g}" for low, high in itertools.pairwise(edges)] + [f"{most:g}"]
    tallest = max(counts) or 1
    return [Bar(label, count, count / tallest) for label, count in zip(labels, counts, strict=True)]


def _rates(exercises: Sequence[Exercise], rows: Sequence[Row]) -> Mapping[str, float]:
    """The share of those who passed, by step, of all in whose submission there was something to grade."""
    graded = [row for row in rows if row.is_graded]
    steps = [step.id for exercise in exercises for step in exercise.steps]
    passed = [sum(row.statuses[at] == Status.PASSED for row in graded) for at in range(len(steps))]
    return {step: count / len(graded) if graded else 0.0 for step, count in zip(steps, passed, strict=True)}


@dataclass(frozen=True, slots=True)
class Common:
    """A known mistake. said: the exercises where it is made, and as students are told it there.

    share: of the most common one's.
    """

    id: str
    said: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    share: float


def _made(report: Report) -> Iterator[tuple[str, str]]:
    """Each known mistake of a report, with the exercise in which it is made."""
    for exercise in report.exercises:
        yield from ((exercise.id, found.id) for step in exercise.steps for found in step.diagnosis)


def _mistakes(exercises: Sequence[Exercise], rows: Sequence[Row]) -> list[Common]:
    """Known mistakes, those of most students first."""
    made: dict[str, list[Row]] = {}
    for row in rows:
        for mistake in row.mistakes:
            made.setdefault(mistake, []).append(row)
    where = {pair for row in rows for pair in row.made}
    told: dict[str, dict[str, list[str]]] = {}
    for exercise in exercises:
        for name, text in exercise.mistakes.items():
            if (exercise.id, name) in where:
                told.setdefault(name, {}).setdefault(text, []).append(exercise.short)
    most = max(map(len, made.values()), default=1)
    ordered = sorted(made.items(), key=lambda item: (-len(item[1]), item[0]))
    said = {name: tuple((", ".join(each), text) for text, each in texts.items()) for name, texts in told.items()}
    return [Common(name, said.get(name, ()), tuple(by), len(by) / most) for name, by in ordered]


@dataclass(frozen=True, slots=True)
class Changed:
    """A student whose result is another one than before. steps: id, status then and status now."""

    row: Row
    steps: tuple[tuple[str, str, str], ...]


def _changed(exercises: Sequence[Exercise], rows: Sequence[Row]) -> list[Changed]:
    """Whose result the last grading changed, the greatest loss first; those who are new, last."""
    steps = [step.id for exercise in exercises for step in exercise.steps]
    found = [Changed(row, tuple(_differing(row, steps))) for row in rows if row.is_news]
    changed = [each for each in found if each.row.previous is None or each.steps or _is_other(each.row)]
    return sorted(changed, key=lambda each: (each.row.previous is None, each.row.gained))


def _differing(row: Row, steps: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    if row.previous is not None:
        for step, status in zip(steps, row.statuses, strict=True):
            before = row.previous.statuses.get(step, "")
            if before != status:
                yield step, before or "not graded", status or "not graded"


def _is_other(row: Row) -> bool:
    before = row.previous
    return before is not None and (before.outcome, before.score) != (row.outcome, row.score or 0.0)
