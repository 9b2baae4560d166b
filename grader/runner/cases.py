"""The cases of a step for one seed: the public ones of the fixtures, and fresh ones drawn from it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache

from grader.model.case import FRESH, Case
from grader.model.pack import Exercise, Pack, Step
from grader.pack import draw
from grader.pack.fixtures import Fixtures


class Cases:
    """Draws each case once, however many solutions are asked it."""

    def __init__(self, pack: Pack, fixtures: Fixtures, seed: int) -> None:
        self.pack, self.fixtures, self.seed = pack, fixtures, seed
        self._public = cache(self._read)
        self._drawn = cache(self._draw)

    def asked(self, exercise: Exercise, step: Step, *, fresh: bool) -> Sequence[Case]:
        """Public cases, then fresh ones where there are to be any."""
        return [*self.public(exercise, step), *(self.fresh(exercise, step) if fresh else ())]

    def public(self, exercise: Exercise, step: Step) -> Sequence[Case]:
        """The step's public cases, in the rubric's order."""
        return [self._public(exercise.id, name) for name in step.cases]

    def fresh(self, exercise: Exercise, step: Step) -> Sequence[Case]:
        """The same cases drawn afresh, where another seed gives other tensors, or another random generator.

        Each step has numbers of its own, so that what was computed for one is of no use in another.
        """
        drawn = (self._drawn(exercise.id, name, step.id) for name in step.cases)
        return [case for case in drawn if case is not None]

    def _read(self, exercise_id: str, name: str) -> Case:
        return self.fixtures.case(self.pack.exercise(exercise_id), name)

    def _draw(self, exercise_id: str, name: str, step_id: str) -> Case | None:
        exercise = self.pack.exercise(exercise_id)
        template, slots = exercise.cases[name], self.fixtures.slots(exercise, name)
        seed = (self.seed << 32) + zlib.crc32(step_id.encode())
        if not draw.is_random(self.pack, template, slots):
            return draw.seeded_anew(exercise_id, template, FRESH, seed) if draw.has_generator(template) else None
        return draw.draw_case(self.pack, exercise_id, template, slots, FRESH, seed)
