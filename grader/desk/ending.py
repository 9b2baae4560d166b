"""The end of the road: what all marks mean, and the student's own attention over a sentence of theirs."""

from __future__ import annotations

from collections.abc import Iterator

from grader.desk.attention import described
from grader.desk.events import Drawn
from grader.model.report import Report
from grader.model.text import points
from grader.report.drawing import Grid, grid_lines
from grader.report.lines import DIM, GOOD, PLAIN, STRONG, Line, row, wrapped
from grader.words import say


def drawing() -> Line:
    return [(f"  {say('desk.drawing')}", DIM)]


def congratulation(report: Report) -> Iterator[Line]:
    """What stands above the question for a sentence."""
    score = f"{points(report.score)} / {points(report.max_score)}"
    yield row([("  ✓ ", GOOD), (say("desk.all-right"), STRONG)], score, GOOD)
    yield []
    counts = {
        "exercises": say("count.exercises", count=len(report.exercises)),
        "steps": say("count.steps", count=len(report.steps)),
    }
    yield from wrapped(say("desk.congratulation", **counts), "  ", PLAIN)
    yield []


def drawn_lines(drawn: Drawn, written: str, *, coloured: bool) -> Iterator[Line]:
    """The sentence's weights, a map for each head. written: the class that gave them."""
    for number, (looks_for, matrix) in enumerate(drawn.heads.items()):
        title = say("desk.head", number=number, looks_for=looks_for)
        yield from grid_lines(Grid(title, matrix, 1.0, labels=drawn.tokens), coloured=coloured)
        yield []
    yield from wrapped(say("desk.drawn", written=written), "  ", DIM)
    yield from wrapped(described(drawn.tokens, drawn.heads), "  ", PLAIN)
    yield []
