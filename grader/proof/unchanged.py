"""Proves that a pack's fixtures are still what its rubrics draw and its reference gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import numpy as np

from grader.model.case import PUBLIC, Case
from grader.model.errors import FixtureError
from grader.model.observation import Observation
from grader.model.pack import Exercise, Pack, Step
from grader.pack import draw
from grader.pack.fixtures import Fixtures, answer_key
from grader.plugins.registry import Plugins
from grader.proof.author import Author, compared, errors, staged, worlds
from grader.runner.reference import DTYPE

# Two machines' float64 products may differ in their last places; a wrong fixture differs in its first.
SAME = 1e-9
# Stages are kept in float32: what differs in a last place of float64 may be rounded to its neighbour.
SAME_STAGE = 1e-6


def check_fixtures(plugins: Plugins, pack: Pack) -> int:
    """Prove the fixtures by asking the reference again. Returns the number of answers. Raises FixtureError."""
    fixtures = Fixtures(pack)
    fixtures.check_all(pack)
    count = 0
    with closing(Author(plugins, pack)) as author:
        for exercise, step, name in compared(plugins, pack):
            case = fixtures.case(exercise, name)
            _is_as_the_rubric_draws_it(pack, fixtures, exercise, case)
            question = author.question(exercise, step, case)
            for world in worlds(pack, exercise, step):
                known = fixtures.expected(exercise, step, name, world.stand_ins, f"cpu/{DTYPE}").observation
                seen = author.answer(question, world)
                if _distance(seen, known) > SAME:
                    raise FixtureError(f"{answer_key(step, name, world.stand_ins)} is not what the reference gives")
                count += 1
        for exercise, step, name in staged(pack):
            _stages_are_the_references(author, fixtures, exercise, step, name)
    return count


def drawn_otherwise(pack: Pack, fixtures: Fixtures, exercise: Exercise) -> Iterator[str]:
    """A sentence for each public case that the rubric draws otherwise than the fixtures have it."""
    for name in exercise.cases:
        try:
            _is_as_the_rubric_draws_it(pack, fixtures, exercise, fixtures.case(exercise, name))
        except FixtureError as error:
            yield f"{error}: `grade fixtures build` writes it anew"


def _is_as_the_rubric_draws_it(pack: Pack, fixtures: Fixtures, exercise: Exercise, case: Case) -> None:
    """Raise FixtureError where a rubric was changed and the fixtures were not built anew."""
    slots = fixtures.slots(exercise, case.name)
    drawn = draw.draw_case(pack, exercise.id, case.template, slots, PUBLIC, pack.seed)
    for kept, now in ((case.inputs, drawn.inputs), (case.weights, drawn.weights)):
        if kept.keys() != now.keys() or not all(np.array_equal(kept[name], now[name]) for name in now):
            raise FixtureError(f"the case {case.name!r} of {exercise.id} is not what its rubric draws")


def _stages_are_the_references(author: Author, fixtures: Fixtures, exercise: Exercise, step: Step, name: str) -> None:
    """Raise FixtureError where a step's stages on a case were lost, or are not what the reference gives."""
    known = fixtures.stages(exercise, step, name)
    case = fixtures.case(exercise, name)
    seen = author.stages(author.question(exercise, step, case))
    if seen.needs != known.needs or _furthest(seen.values, known.values) > SAME_STAGE:
        raise FixtureError(f"the stages of {step.id}, case {name}, are not what the reference gives")


def _distance(seen: Observation, known: Observation) -> float:
    """The largest relative difference of two observations; infinite where they differ in form."""
    is_alike = seen.returned == known.returned and seen.slots == known.slots
    return _furthest(seen.tensors, known.tensors) if is_alike else float("inf")


def _furthest(seen: Mapping[str, Any], known: Mapping[str, Any]) -> float:
    """The largest relative difference of tensors of one name; infinite where they differ in form."""
    if seen.keys() != known.keys():
        return float("inf")
    for key, expected in known.items():
        got = seen[key]
        forms = (np.isfinite(got), np.isfinite(expected)) if expected.dtype.kind == "f" else (got, expected)
        if got.dtype != expected.dtype or not np.array_equal(*forms):
            return float("inf")
    return max((error for _, error in errors(seen, known)), default=0.0)
