"""The pack's proof: its solutions, its known mistakes alone and in pairs, its cases, and that nothing is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

from grader.model.pack import Exercise, Pack, SolutionSource
from grader.pack.fixtures import Fixtures
from grader.plugins.registry import Plugins
from grader.proof.completeness import missing
from grader.proof.edits import Edits, Known, read_all
from grader.proof.graded import Proved, prove, to_prove
from grader.proof.margins import Margin, Ruler
from grader.proof.marking import Marking
from grader.proof.pairs import GradedPair, Pairs, count_of, grade_pair, held, look_up, sample
from grader.proof.singles import Single, grade_single
from grader.proof.unchanged import drawn_otherwise
from grader.runner.grade import chosen
from grader.runner.processes.start import start_worker

# Half of a grading is waiting for its child, so two at once keep two cores busy; a third made it no faster.
AT_ONCE = 2
# All pairs are looked up; so many of the whole pack are graded too, to show that looking up and grading agree.
GRADED_PAIRS = 40


@dataclass(frozen=True, slots=True)
class ExerciseProof:
    """What was found out about one exercise's mistakes."""

    exercise: Exercise
    singles: tuple[Single, ...]
    pairs: Pairs
    graded: tuple[GradedPair, ...]
    margins: tuple[Margin, ...]
    gaps: tuple[str, ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """Mistakes, those named as they must be, faults; pairs, those named, pairs of ids alike others, graded ones."""
        mistakes = [single for single in self.singles if not single.known.is_fault]
        right = sum(single.named == single.expected_names for single in mistakes)
        pairs = self.pairs
        faults = len(self.singles) - len(mistakes)
        return len(mistakes), right, faults, pairs.total, pairs.named, len(pairs.alike), len(self.graded)

    @property
    def nearest(self) -> Margin | None:
        """The smallest margin."""
        return min(self.margins, key=lambda margin: margin.tolerances, default=None)


def verify(
    plugins: Plugins, pack: Pack, seed: int, exercises: tuple[str, ...] = ()
) -> Iterator[Proved | ExerciseProof]:
    """Prove a pack, or some of its exercises: first each solution, then each exercise's mistakes, as they are done.

    Raises SolutionError in a copy that brings none; after the solutions, RubricError for what is wrong in the files of
    edits, since a reference that is not right may be why they do not fit.
    """
    sources = to_prove(plugins, pack)
    with (
        closing(start_worker()) as worker,
        closing(Marking(plugins, pack, seed, worker)) as marking,
        ThreadPoolExecutor(AT_ONCE, "proof") as pool,
    ):
        try:
            solutions = [pool.submit(prove, pack, marking, source, exercises) for source in sources]
            proved = (solution.result() for solution in solutions)
            yield from (each for each in proved if each.steps or each.gaps)  # some bring none of the chosen exercises
            edits, fixtures = read_all(plugins, pack), Fixtures(pack)
            ruler = Ruler(worker, pack, plugins.checks, edits, fixtures, seed)
            prover = _Prover(pool, marking, edits, fixtures, ruler, seed, sources)
            begun = [prover.begin(exercise, pack) for exercise in chosen(pack, exercises)]
            yield from (each.result() for each in begun)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Prover:
    """What it takes to prove an exercise."""

    pool: ThreadPoolExecutor
    marking: Marking
    edits: Edits
    fixtures: Fixtures
    ruler: Ruler
    seed: int
    sources: Sequence[SolutionSource]

    def begin(self, exercise: Exercise, pack: Pack) -> _Begun:
        """Have all of an exercise's mistakes graded, measured and looked up, as far as there is time."""
        submit = self.pool.submit
        # The first of each exercise is graded with the whole pack: the others' steps must not suffer.
        singles = [
            submit(grade_single, self.marking, self.edits, known, whole=number == 0)
            for number, known in enumerate(self.edits.known[exercise.id])
        ]
        margins = submit(self.ruler.margins, exercise)
        pairs = submit(look_up, self.fixtures, self.edits, exercise)
        graded = [
            submit(self._graded, pairs, some, other)
            for some, other in sample(self.fixtures, self.edits, exercise, self._share(exercise, pack), self.seed)
        ]
        drawn = tuple(drawn_otherwise(pack, self.fixtures, exercise))
        known = held(self.fixtures, exercise)
        return _Begun(exercise, self.edits, singles, margins, pairs, graded, self.sources, drawn, known)

    def _share(self, exercise: Exercise, pack: Pack) -> int:
        """How many of the pairs to be graded are of this exercise."""
        total = sum(count_of(self.fixtures, each) for each in pack.exercises)
        return round(GRADED_PAIRS * count_of(self.fixtures, exercise) / total) if total else 0

    def _graded(self, pairs: Future[Pairs], some: Known, other: Known) -> GradedPair:
        alike = pairs.result().alike  # handed in earlier, so it is done or being done
        return grade_pair(self.marking, self.edits, some, other, alike)


@dataclass(frozen=True, slots=True)
class _Begun:
    """One exercise's part of the proof, under way."""

    exercise: Exercise
    edits: Edits
    singles: Sequence[Future[Single]]
    margins: Future[list[Margin]]
    pairs: Future[Pairs]
    graded: Sequence[Future[GradedPair]]
    sources: Sequence[SolutionSource]
    stale: tuple[str, ...]
    held: frozenset[str]

    def result(self) -> ExerciseProof:
        """What was found out, once all of it is."""
        singles = tuple(single.result() for single in self.singles)
        margins, pairs = self.margins.result(), self.pairs.result()
        graded = tuple(each.result() for each in self.graded)
        gaps = (
            *self.stale,
            *(gap for single in singles for gap in single.gaps()),
            *self._not_held(singles),
            *pairs.gaps,
            *(str(each) for each in graded if each.is_wrong),
            *(f"too near: {margin}" for margin in margins if margin.is_near),
            *missing(self.exercise, self.edits, singles, self.sources),
        )
        return ExerciseProof(self.exercise, singles, pairs, graded, tuple(margins), gaps)

    def _not_held(self, singles: Sequence[Single]) -> Iterator[str]:
        """A sentence for what was not named because the fixtures are older than its edit."""
        unnamed = (name for single in singles for name in single.expected_names - single.named)
        for name in dict.fromkeys(unnamed):
            if name not in self.held:
                yield (
                    f"the fixtures of {self.exercise.short} hold nothing of {name}: "
                    "`grade fixtures build` writes them anew"
                )


def found_steps(proofs: Sequence[ExerciseProof], *, faults: bool) -> str:
    """What each mistake was found to fail, in the form of steps.yaml, for its author to review."""
    lines = []
    for proof in proofs:
        ways: dict[str, list[str]] = {}
        for single in proof.singles:
            if single.known.is_fault == faults:
                ways.setdefault(single.known.id, []).append(f"[{', '.join(single.lost)}]")
        lines += [f"{proof.exercise.short}:"] if ways else []
        for name, each in ways.items():
            if len(set(each)) == 1:
                lines.append(f"  {name}: {each[0]}")
            else:
                lines += [f"  {name}:", *(f"    - {steps}" for steps in each)]
    return "\n".join(lines)
