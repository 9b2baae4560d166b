"""The pack's proof: every solution that it brings is graded, and each must come out as its kind says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from grader.model.errors import SolutionError
from grader.model.order import Order
from grader.model.pack import Pack, SolutionSource
from grader.model.report import Report, Status, Verdict
from grader.plugins.registry import Plugins
from grader.runner.grade import grade_submission
from grader.runner.session import Session
from grader.runner.zygote import Zygote
from grader.submission.read import read_submission


@dataclass(frozen=True, slots=True)
class Proved:
    """One solution, how many of its steps came out as they must, and each that did not."""

    name: str
    kind: str
    steps: int
    gaps: tuple[str, ...] = field(default=())


def verify(plugins: Plugins, pack: Pack, seed: int) -> Iterator[Proved]:
    """Grade every solution. Raises SolutionError in a copy that brings none."""
    sources = plugins.solutions(pack.name)
    if not sources:
        raise SolutionError("This copy brings no solutions, so there is nothing to prove a pack with.")
    stubs = SolutionSource(pack.name, "stubs", "stubs", pack.source.exercises)
    with closing(Zygote()) as zygote, Session(plugins, pack, Order(seed=seed), zygote) as session:
        for source in (*sources, stubs):
            submission = read_submission(source.folder, pack)
            report = grade_submission(session, submission)
            verdicts = list(_judged(report, frozenset(submission.modules)))
            gaps = tuple(_gap(v, source.kind) for v in verdicts if not _is_as_it_must(v, source.kind))
            yield Proved(source.name, source.kind, len(verdicts), (*_total(report, source), *gaps))


def _judged(report: Report, modules: frozenset[str]) -> Iterator[Verdict]:
    """The steps of the exercises that a solution brings; an alternative need not bring all."""
    for exercise in report.exercises:
        if exercise.id in modules:
            yield from exercise.steps


def _is_as_it_must(verdict: Verdict, kind: str) -> bool:
    if kind == "stubs":
        return verdict.status is Status.UNSTARTED and verdict.score == 0
    if kind == "zeros":
        return verdict.status is not Status.PASSED and verdict.score == 0
    return verdict.status is Status.PASSED


def _total(report: Report, source: SolutionSource) -> Iterator[str]:
    if source.kind == "reference" and not report.is_full:
        yield f"{report.score:g} of {report.max_score:g} points; expected all"
    if source.kind in ("stubs", "zeros") and report.score != 0:
        yield f"{report.score:g} points; expected none"


def _gap(verdict: Verdict, kind: str) -> str:
    wanted = {"stubs": "unstarted", "zeros": "no point"}.get(kind, "passed")
    return f"{verdict.id} is {verdict.status}, expected {wanted}. {verdict.summary}".rstrip()
