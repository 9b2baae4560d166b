"""Finds in which order the fused projection of a wrong solution holds its roles: its parts have no names of their own.

An order of its own is none of the mistakes; beside one it would count as one more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grader.diagnosis.clues.axes import turns_scores
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.explain import Answered, Explanations, have_crashed, smallest
from grader.diagnosis.follow import Follower
from grader.diagnosis.places.roles import as_named, order_by_name
from grader.diagnosis.places.statements import statements_of
from grader.diagnosis.source.tree import parsed
from grader.diagnosis.workbench import Workbench
from grader.judge.ask import Asker
from grader.model.check import Question
from grader.model.run import Run, World

# Tensors that are made under all orders: of a solution that loops over single numbers each takes its time.
MOST_FOLLOWED = 20_000


@dataclass(frozen=True, slots=True)
class Fit:
    """What a solution gives on the public cases, and the smallest sets of known mistakes that fit.

    others: mistakes that were seen beside. found: None where the order cannot be told from the mistake. edits: how many
    each of these sets takes, 0 where there is none.
    """

    answered: Sequence[Answered]
    others: Sequence[Mistake]
    found: set[frozenset[str]] | None
    edits: int = 0

    @property
    def is_of_one(self) -> bool:
        """Whether one known mistake at most explains the results, which another order would not be."""
        return any(len(ids) <= 1 for ids in self.found or ())


Answers = Callable[[], tuple[list[Answered], list[Mistake]]]


@dataclass(frozen=True, slots=True)
class Orders:
    """Tries the orders in which a fused projection of one solution may be meant; where nothing is fused there is one.

    The one in which the source takes its parts goes first: there `q, k, v = ...` says which is which.
    """

    bench: Workbench
    asker: Asker
    follower: Follower

    def fit(self, known: Explanations, questions: Sequence[Question], answers: Answers, world: World) -> Fit:
        """What fits in the order that the solution means, which is the only one that it is asked in from then on.

        As it is named, if known mistakes explain what comes of that; else the one that a single mistake explains by the
        fewest edits, else the one in which the most stages are right. answers: what it gives as it is asked now.
        """
        first, of = questions[0], questions[0].step.of
        tree = parsed(self.bench.source(first.exercise))
        run = self.bench.plan(first)
        named, others = likeliest(self.bench, self.asker, first, world)
        layouts = [*named, *others]
        tried: dict[str, Fit] = {}
        for group in (named, others):
            fits = self._fits(known, group, run, answers, world)
            tried |= fits
            explained = {name: fit for name, fit in fits.items() if fit.found and (group is named or fit.is_of_one)}
            if not explained:
                continue
            layout = min(explained, key=lambda name: explained[name].edits)
            fit, meant = explained[layout], [layout]
            if layout not in (*named, layouts[0]) and turns_scores(tree, of):
                # Scores on their side are what another order gives as well.
                fit, meant = replace(fit, found=None), [layout, *self._furthest(first, run, layouts, world)]
            return self._settled(known, run, fit, meant, world)
        first_tried = tried[layouts[0]]
        has_crashed = have_crashed(known, first_tried.answered)
        furthest = self._furthest(first, run, named or layouts, world) if not has_crashed else []
        if not furthest:
            self.asker.prefer(run, layouts[0], world)
            return first_tried
        return self._settled(known, run, tried[furthest[0]], furthest, world)

    def _fits(
        self, known: Explanations, layouts: Sequence[str], run: Run, answers: Answers, world: World
    ) -> dict[str, Fit]:
        """What comes of each order, up to the first that a single edit explains."""
        fits: dict[str, Fit] = {}
        for layout in layouts:
            self.asker.prefer(run, layout, world)
            fits[layout] = fit = _fitted(known, *answers())
            if fit.found and fit.edits <= 1:
                break
        return fits

    def _settled(self, known: Explanations, run: Run, fit: Fit, meant: Sequence[str], world: World) -> Fit:
        """What fits, once these orders are the only ones to be asked; not for good where all that came was a crash."""
        self.asker.prefer(run, meant[0], world)
        if not have_crashed(known, fit.answered):
            self.asker.settle(run, [*dict.fromkeys(meant)], world)
        return fit

    def _furthest(self, question: Question, run: Run, layouts: Sequence[str], world: World) -> list[str]:
        """Those of several layouts under which a solution is right the furthest; none where it is so under no stage."""
        if len(layouts) == 1 or len(layouts) * self.follower.steps(question, world) > MOST_FOLLOWED:
            return []
        found: dict[str, int] = {}
        for layout in layouts:
            self.asker.prefer(run, layout, world)
            progress = Follower(self.bench, self.asker).follow(question, world)  # which keeps no trace of the others
            found[layout] = len(progress.found) if progress is not None else 0
            if progress is not None and len(progress.missing) == 1 and len(question.step.stages) > 1:
                return [layout]  # weights are right in the one order of queries and keys alone
        most = max(found.values())
        return [layout for layout in layouts if found[layout] == most] if most else []


def likeliest(bench: Workbench, asker: Asker, question: Question, world: World) -> tuple[list[str], list[str]]:
    """The ways in which what is fused may be meant: those in which the source names its parts, and all others."""
    layouts = asker.layouts(question, bench.plan(question), world) or [""]
    statements = statements_of(parsed(bench.source(question.exercise)), question.step.of)
    order = order_by_name(statements) if len(layouts) > 1 else []
    named = [layout for layout in layouts if order and as_named(layout, order)]
    return named, [layout for layout in layouts if layout not in named]


def _fitted(known: Explanations, answered: Sequence[Answered], others: Sequence[Mistake]) -> Fit:
    rows = smallest(known, [each.own for each in answered])
    edits = known.sizes[rows[0]] if rows else 0
    return Fit(answered, others, {known.ids[row] for row in rows}, edits)
