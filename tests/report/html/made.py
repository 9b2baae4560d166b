"""A class made by hand: as many students as a large course has, some of whom write what a browser might obey."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from grader.model.handed import Identity
from grader.model.pack import Exercise, Pack
from grader.model.report import Diagnosis, ExerciseResult, Picture, Report, Status, Verdict
from grader.report.changes import Previous, statuses
from grader.report.html.overview import overview, row
from grader.report.html.student import student_page
from grader.report.outcome import outcome
from grader.report.summary import Entry

from ..hand_made import REPORT, verdict

HOSTILE = (
    "<script>document.title='taken'</script>",
    "</title></style><img src=http://192.0.2.1/x onerror=\"document.title='taken'\">",
    '"><a href="javascript:alert(1)">x</a><base href="http://192.0.2.1/">',
    "=cmd|' /C calc'!A0",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eezra\u2066",
    "<!--",
    "' autofocus onfocus='document.title=1",
)
NAN, INF = float("nan"), float("inf")
PICTURE = Picture(
    "lesson", "weights", ("[0]", "[1]"),
    (((1.0, 0.0), (0.5, 0.5)), ((1.0, -INF), (0.25, 0.75))),
    (((0.5, 0.5), (0.5, 0.5)), ((NAN, -2.0), (0.25, INF))),
    0, 0,
)  # fmt: skip
SOURCE = b"def masked(scores, mask):\n\tscores.masked_fill(mask, -torch.inf)  # <b>\n\treturn scores\n"
LIKELY = (Status.PASSED,) * 12 + tuple(Status)[1:8]


def report(identifier: str, exercises: tuple[Exercise, ...], draw: random.Random, text: str = "It is off.") -> Report:
    """A report with a status drawn for every step. text: what the student's code had a say in."""
    return Report(
        {**REPORT.submission, "id": identifier},
        REPORT.pack,
        REPORT.environment,
        tuple(
            ExerciseResult(
                each.id, each.title, tuple(_step(each, step.id, step.points, draw, text) for step in each.steps)
            )
            for each in exercises
        ),
        notes=(text,),
        sources={each.id: SOURCE for each in exercises},
    )


def _step(exercise: Exercise, step: str, points: int, draw: random.Random, text: str) -> Verdict:
    status = draw.choice(LIKELY)
    if status is Status.PASSED:
        return verdict(step, status, points, points)
    if status is not Status.FAILED:
        return verdict(step, status, 0, points, summary=text)
    mistake = draw.choice(sorted(exercise.mistakes))
    found = Diagnosis(mistake, text, f"{exercise.id}.py", 2)
    return verdict(step, status, 0, points, summary=text, diagnosis=(found,), picture=PICTURE, title=text)


def graded(pack: Pack, count: int) -> Iterator[Entry]:
    """A class, of whom every tenth was graded before, with less."""
    draw = random.Random(1)
    for number in range(count):
        hostile = HOSTILE[number % len(HOSTILE)] if number < 2 * len(HOSTILE) else ""
        made = report(f"student-{number:03}", pack.exercises, draw, hostile or "It is off.")
        before = Previous("failed", 0.0, 100.0, dict.fromkeys(statuses(made), "unstarted"))
        is_news = number % 10 == 0
        yield Entry(
            Identity(hostile or f"Student {number:03}", late=number % 7 == 0), made, outcome(made), (),
            before if is_news else None, is_news,
        )  # fmt: skip


def write(pack: Pack, count: int, folder: Path) -> Path:
    """The page of a class, and those of the first twenty. Returns the former."""
    steps = [step.id for exercise in pack.exercises for step in exercise.steps]
    (folder / "students").mkdir()
    rows = []
    for number, one in enumerate(graded(pack, count)):
        page = f"students/{one.report.submission['id']}.html"
        rows.append(row(one, steps, page))
        if number < 20:
            (folder / page).write_text(student_page(one.report, name=one.identity.name, back="../index.html"), "utf-8")
    pieces = overview(pack, pack.exercises, rows, seed=1, is_compared=True)
    file = folder / "index.html"
    file.write_text("".join(pieces), "utf-8")
    return file
