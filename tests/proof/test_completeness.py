"""What is missing in an exercise is told, each in a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.pack import Exercise, Pack
from grader.model.report import Status
from grader.pack.mistakes import Edit
from grader.plugins.registry import Plugins
from grader.proof.completeness import missing
from grader.proof.edits import Edits, Known
from grader.proof.singles import Single


@pytest.fixture
def exercise(pack: Pack) -> Exercise:
    """An exercise of one step and one mistake."""
    whole = pack.exercise("ex03_context_vectors")
    return replace(whole, steps=whole.steps[:1], mistakes={"returns-none": "Return the context vector."})


def told(exercise: Exercise, *singles: Single) -> list[str]:
    """What is missing where these are all the edits."""
    edits = Edits({}, {exercise.id: tuple(single.known for single in singles)})
    return list(missing(exercise, edits, singles, Plugins().solutions("attention")))


def single(
    exercise: Exercise, name: str = "returns-none", *, status: Status = Status.FAILED, fault: bool = False
) -> Single:
    known = Known(exercise, Edit(name, ()), is_fault=fault, steps=("context",))
    return Single(known, {"context": status}, frozenset({name}), ())


def test_a_whole_exercise_misses_nothing(exercise: Exercise) -> None:
    assert told(exercise, single(exercise)) == []


def test_what_is_worth_nothing_is_there_to_show_it(exercise: Exercise) -> None:
    new = replace(exercise, id="ex14_layer_norm", steps=exercise.steps)

    assert [gap for gap in told(new, single(new)) if "nothing shows that they get no points" in gap] == [
        f"ex14 has no ex14_layer_norm.py among the {kind}, so nothing shows that they get no points"
        for kind in ("zeros", "copies")
    ]


def test_a_step_that_only_waits_is_not_failed(exercise: Exercise) -> None:
    (gap,) = told(exercise, single(exercise, status=Status.BLOCKED))

    assert gap.startswith("ex03.context is failed by no mistake and by no fault")


def test_a_mistake_has_its_words_and_its_edit(exercise: Exercise) -> None:
    more = replace(exercise, mistakes={**exercise.mistakes, "input-mutated": " "})

    assert told(more, single(more)) == [
        "ex03 has nothing to say of input-mutated",
        "ex03 knows the mistake input-mutated, and no edit makes it",
    ]


def test_a_fault_has_a_name_of_its_own(exercise: Exercise) -> None:
    gaps = told(exercise, single(exercise), single(exercise, fault=True))

    assert gaps == ["ex03 returns-none is a fault with the id of a known mistake"]
