"""What has changed between two gradings: whose points or mistakes, in which steps, and what else is not the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grader.model.report import Report, Verdict
from grader.model.text import clean, points

# What two gradings can differ in beside the judging: where it stands in a report, and what to say of it.
CAUSES: tuple[tuple[str, str, str], ...] = (
    ("submission", "sha256", "other code"),
    ("pack", "sha256", "another pack"),
    ("environment", "seed", "another seed"),
    ("environment", "devices", "other devices"),
    ("environment", "torch", "another torch"),
    ("environment", "fresh", "fresh cases in one only"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """One submission graded twice. steps: old and new verdicts differing in points, status or mistakes, or None."""

    old: Report
    new: Report
    steps: tuple[tuple[Verdict | None, Verdict | None], ...]
    causes: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.steps)


@dataclass(frozen=True, slots=True)
class Previous:
    """What a submission was before. statuses: of its steps, by their ids."""

    outcome: str
    score: float
    max_score: float
    statuses: Mapping[str, str]


def statuses(report: Report) -> Mapping[str, str]:
    """What became of every step, by its id."""
    return {name: step.status.value for name, step in _steps(report).items()}


def change(old: Report, new: Report) -> Change:
    before, after = _steps(old), _steps(new)
    pairs = [(before.get(name), after.get(name)) for name in {**before, **after}]
    steps = tuple((one, other) for one, other in pairs if _result(one) != _result(other))
    causes = tuple(said for part, key, said in CAUSES if getattr(old, part).get(key) != getattr(new, part).get(key))
    return Change(old, new, steps, causes)


def lines(found: Change) -> Iterator[str]:
    """A change in lines for a person: the score, then each step with what is said of it now."""
    old, new = found.old, found.new
    why = f" ({', '.join(found.causes)})" if found.causes else ""
    scores = f"{points(old.score)} → {points(new.score)} / {points(new.max_score)}"
    names = dict.fromkeys(clean(each.submission["id"], 60) for each in (old, new))  # two files may be of two students
    yield f"{' → '.join(names)}  {scores}{why}"
    for one, other in found.steps:
        step = other or one
        assert step is not None
        said = f"{points(one.score) if one else '–'} → {points(other.score) if other else '–'}"
        yield f"    {clean(step.id, 60):<20}{_word(one)} → {_word(other)}, {said}{_why(one, other)}"


def _steps(report: Report) -> Mapping[str, Verdict]:
    return {step.id: step for step in report.steps}


def _result(step: Verdict | None) -> tuple[str, float, float, str] | None:
    return (step.status, step.score, step.max_score, _mistakes(step)) if step else None


def _mistakes(step: Verdict) -> str:
    return ", ".join(found.id for found in step.diagnosis)


def _word(step: Verdict | None) -> str:
    return step.status.value if step else "not graded"


def _why(one: Verdict | None, other: Verdict | None) -> str:
    """The mistake or the sentence that explains it: of the new grading, or of the old where all is right now.

    Of both where the mistake is all that has changed.
    """
    told = other if other is not None and other.summary else one
    if told is None:
        return ""
    said = _mistakes(told) or clean(told.summary, 120)
    was = "was: " if told is one and other is not None else ""
    before = (
        f"; was: {_mistakes(one) or clean(one.summary, 120)}" if one and told is other and _are_equal(one, told) else ""
    )
    return f"; {was}{said}{before}" if said else ""


def _are_equal(one: Verdict, other: Verdict) -> bool:
    """Whether two verdicts that differ do so in their mistakes alone."""
    return (one.status, one.score, one.max_score) == (other.status, other.score, other.max_score)
