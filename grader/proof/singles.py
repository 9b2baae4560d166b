"""Every known mistake, made in the reference and graded: it must fail the steps that it should, and be named, alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.model.report import FINE, Status
from grader.proof.edits import Edits, Known
from grader.proof.marking import Marking
from grader.words import all_of


@dataclass(frozen=True, slots=True)
class Single:
    """What became of one edited reference.

    lost: the exercise's steps that did not pass, by their short names. named: the ids of all diagnoses.
    elsewhere: steps of other exercises that did not pass, where the whole pack was graded.
    """

    known: Known
    lost: Mapping[str, Status]
    named: frozenset[str]
    elsewhere: tuple[str, ...]

    @property
    def fails(self) -> set[str]:
        """The steps that found something out; those that only wait for others did not."""
        return {name for name, status in self.lost.items() if status is not Status.BLOCKED}

    @property
    def expected_names(self) -> frozenset[str]:
        """A fault has no id to be named by, and what changes nothing must not be named."""
        return frozenset() if self.known.is_fault or self.known.is_harmless else frozenset({self.known.id})

    def gaps(self) -> Iterator[str]:
        """Each expectation that was not met, as a sentence."""
        lost, due = tuple(self.lost), self.known.steps
        if due is None:
            yield f"{self.known} has no entry in steps.yaml; it fails {listed(lost)}"
        elif set(due) != set(lost):
            yield f"{self.known} fails {listed(lost)}; steps.yaml says {listed(due)}"
        if self.named != self.expected_names:
            yield f"{self.known} is named {listed(sorted(self.named))}; expected {listed(sorted(self.expected_names))}"
        if self.elsewhere:
            yield f"{self.known} costs points in other exercises too: {listed(self.elsewhere)}"


def grade_single(marking: Marking, edits: Edits, known: Known, *, whole: bool = False) -> Single:
    """Grade the reference with one edit. whole: the whole pack, to see that no other exercise suffers."""
    own = known.exercise.id
    report = marking.modules(known.id, edits.made(known.exercise, known.edit), () if whole else (own,))
    return Single(
        known,
        {v.name: v.status for e in report.exercises if e.id == own for v in e.steps if v.status not in FINE},
        frozenset(report.mistakes),
        tuple(v.id for e in report.exercises if e.id != own for v in e.steps if v.status not in FINE),
    )


def listed(names: Iterable[str]) -> str:
    """The names; `nothing` where there are none."""
    return all_of(names) or "nothing"
