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
        layouts = self.asker.layouts(first, run, world) or [""]
        order = order_by_name(statements_of(tree, of)) if len(layouts) > 1 else []
        named = [layout for layout in layouts if order and as_named(layout, order)]
        layouts = [*named, *(layout for layout in layouts if layout not in named)]
        tried: dict[str, Fit] = {}
        for group in (named, layouts[len(named) :]):
            for layout in group:
                self.asker.prefer(run, layout, world)
                tried[layout] = fit = _fitted(known, *answers())
                if fit.found and fit.edits <= 1:
                    break
            told = [name for name in group if name in tried and (group is named or tried[name].is_of_one)]
            if not (fitting := [name for name in told if tried[name].found]):
                continue
            layout = min(fitting, key=lambda name: tried[name].edits)
            fit = tried[layout]
            self.asker.prefer(run, layout, world)
            if layout not in (*named, layouts[0]) and turns_scores(tree, of):
                # Scores on their side are what another order gives as well.
                also = self._furthest(first, run, layouts, world)
                self.asker.settle(run, [*dict.fromkeys([layout, *also])], world)
                return replace(fit, found=None)
            if not have_crashed(known, fit.answered):
                self.asker.settle(run, [layout], world)
            return fit
        has_crashed = have_crashed(known, tried[layouts[0]].answered)
        meant = self._furthest(first, run, layouts, world) if not has_crashed else []
        if not meant:
            self.asker.prefer(run, layouts[0], world)
            return tried[layouts[0]]
        self.asker.settle(run, meant, world)
        return tried[meant[0]]

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


def _fitted(known: Explanations, answered: Sequence[Answered], others: Sequence[Mistake]) -> Fit:
    rows = smallest(known, [each.own for each in answered])
    edits = known.sizes[rows[0]] if rows else 0
    return Fit(answered, others, {known.ids[row] for row in rows}, edits)
