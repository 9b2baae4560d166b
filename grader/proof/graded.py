"""Every solution that a pack brings is graded as it stands, and each must come out as its kind says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.model.errors import PackError, SolutionsAbsent
from grader.model.pack import Pack, SolutionSource
from grader.model.report import Report, Status, Verdict
from grader.pack.fixtures import Fixtures
from grader.pack.stubs import definitions
from grader.plugins.registry import Plugins
from grader.proof.edits import FAULTS, MISTAKES
from grader.proof.marking import Marking
from grader.submission.read import read_solution

# What a pack's points sum to, so that a score is a percentage.
TOTAL = 100
STUBS = "stubs"
# Made without any understanding: zeros of the right shape, and the input as it came.
WORTHLESS = ("zeros", "copies")


@dataclass(frozen=True, slots=True)
class Proved:
    """One solution, how many of its steps came out as they must, and each that did not."""

    name: str
    kind: str
    steps: int
    gaps: tuple[str, ...] = field(default=())


def to_prove(plugins: Plugins, pack: Pack) -> list[SolutionSource]:
    """Every solution that is graded as it stands, the stubs last. Raises SolutionError in a copy that brings none."""
    sources = [source for source in plugins.solutions(pack.name) if source.kind not in (MISTAKES, FAULTS)]
    if not sources:
        raise SolutionsAbsent("This copy brings no solutions, so there is nothing to prove a pack with.")
    # Where somebody works in the stubs' folder they are no stubs any more, and that is a gap too.
    return [*sources, SolutionSource(pack.name, STUBS, STUBS, pack.source.exercises)]


def prove(pack: Pack, marking: Marking, source: SolutionSource, exercises: tuple[str, ...]) -> Proved:
    """Grade one solution. exercises: those to be graded, all where empty."""
    submission = read_solution(source, pack)
    report = marking.report(submission, exercises)
    verdicts = list(_judged(report, frozenset(submission.modules)))
    gaps = [*_other_stubs(pack)] if source.kind == STUBS else []  # of which all else comes
    gaps += _total(pack, report, source)
    gaps += [_gap(verdict, source.kind) for verdict in verdicts if not _is_right(verdict, source.kind)]
    return Proved(source.name, source.kind, len(verdicts), tuple(gaps))


def _judged(report: Report, modules: frozenset[str]) -> Iterator[Verdict]:
    """The steps of the exercises that a solution brings; an alternative need not bring all."""
    for exercise in report.exercises:
        if exercise.id in modules:
            yield from exercise.steps


def _is_right(verdict: Verdict, kind: str) -> bool:
    if kind == STUBS:
        return verdict.status is Status.UNSTARTED and verdict.score == 0
    if kind in WORTHLESS:
        return verdict.status is not Status.PASSED and verdict.score == 0
    return verdict.status is Status.PASSED


def _total(pack: Pack, report: Report, source: SolutionSource) -> Iterator[str]:
    if source.kind == "reference" and pack.points != TOTAL:
        yield f"the points of all steps sum to {pack.points}; expected {TOTAL}"
    if source.kind == "reference" and not report.is_full:
        yield f"{report.score:g} of {report.max_score:g} points; expected all"
    if source.kind in (STUBS, *WORTHLESS) and report.score != 0:
        yield f"{report.score:g} points; expected none"


def _other_stubs(pack: Pack) -> Iterator[str]:
    """Stubs that somebody has worked on, or that define other things than their rubric says."""
    for name in Fixtures(pack).changed_stubs(pack):
        yield f"{name}.py is not the stub that the fixtures were built with"
    for exercise in pack.exercises:
        try:
            defined = definitions(pack.source.exercises / exercise.file)
        except (PackError, OSError) as error:
            yield str(error)
            continue
        for name, wanted in exercise.definitions.items():
            if defined.get(name) != wanted:
                yield f"{exercise.file}: the rubric defines {name}{wanted.signature}, and the stub does not"


def _gap(verdict: Verdict, kind: str) -> str:
    wanted = "unstarted" if kind == STUBS else "no point" if kind in WORTHLESS else "passed"
    return f"{verdict.id} is {verdict.status}, expected {wanted}. {verdict.summary}".rstrip()
