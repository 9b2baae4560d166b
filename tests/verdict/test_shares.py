"""Softmax of scores stands beside softmax of scaled scores, of a public case alone, and one's own where it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.diagnosis.picture import LARGEST
from grader.diagnosis.stages import Stages
from grader.judge.ask import Asker
from grader.model.case import FRESH, Case
from grader.model.check import Question
from grader.model.errors import FixtureError
from grader.model.observation import Ending, Observation
from grader.model.pack import SoftmaxOf, Step
from grader.model.report import Shares, Status
from grader.model.run import OWN, Run, World
from grader.verdict.examine import Examiner
from grader.verdict.shares import shares, softmax

from ..judge.hand_made import answer, exercise, step
from .test_examine import HALVED, SCORES, HandMadeBench, case, doubled, twice

STEP = step(stages=("scores", "scaled"), softmax=SoftmaxOf(("scores", "scaled"), "seed-2"))


def asked(
    solution: Callable[[Run], Observation] = lambda run: answer({"result": SCORES / 4}),
    *cases: Case,
    known: Stages | None = HALVED,
    with_own: bool = True,
    of: Step = STEP,
) -> Shares | None:
    bench = HandMadeBench(solution, twice, cases or (case(1), case(2), case(2, FRESH)), known=known)
    return shares(bench, Asker(bench), exercise(of), of, OWN, own={} if with_own else None)  # type: ignore[arg-type]


def test_unscaled_scaled_and_ones_own_stand_beside_each_other() -> None:
    found = asked()

    assert found is not None
    assert (found.case, found.names) == ("seed-2", ("scores", "scaled"))
    assert found.own is not None
    assert [each[0][0] for each in (*found.matrices, found.own)] == [0.982014, 0.880797, 0.731059]
    assert all(sum(row) == pytest.approx(1, abs=1e-5) for each in (*found.matrices, found.own) for row in each)


def test_a_stage_may_have_any_name() -> None:
    named = replace(STEP, stages=("scores", "result"), softmax=SoftmaxOf(("scores", "result"), "seed-2"))
    found = asked(known=Stages({"scores": SCORES, "result": SCORES / 2}, {}), of=named)

    assert found == replace(asked(), names=("scores", "result"))  # type: ignore[type-var]


def test_what_is_right_has_nothing_of_its_own() -> None:
    found = asked(with_own=False)

    assert found is not None
    assert (found.names, found.own) == (("scores", "scaled"), None)


@pytest.mark.parametrize(
    "solution",
    [
        lambda run: answer({"result": SCORES[0]}),
        lambda run: answer({"result": SCORES * 1j}),
        lambda run: answer({"result": SCORES > 1}),
        lambda run: answer({}),
        lambda run: Observation(ending=Ending.CRASHED, detail="it died"),
    ],
    ids=["another shape", "complex", "truth values", "nothing", "a crash"],
)
def test_nothing_is_drawn_of_what_is_wrong_and_cannot_stand_beside_the_right_ones(
    solution: Callable[[Run], Observation],
) -> None:
    assert asked(solution) is None


def test_a_fresh_case_is_nobodys_to_see() -> None:
    assert asked(lambda run: answer({}), case(1), case(2, FRESH)) is None


@pytest.mark.parametrize(
    "known",
    [
        None,
        Stages({"scores": SCORES, "scaled": SCORES[:1]}, {}),
        Stages({name: np.zeros((2, LARGEST + 1)) for name in ("scores", "scaled")}, {}),
        *(
            Stages({name: np.zeros(shape) for name in ("scores", "scaled")}, {})
            for shape in ((0, 2, 2), (2, 0), (2, 3, 0))
        ),
    ],
    ids=["unknown", "of two shapes", "too broad", "no sequence", "no column", "no column of a batch"],
)
def test_nothing_is_drawn_of_stages_that_are(known: Any) -> None:
    assert asked(known=known) is None


def test_what_the_fixtures_lack_is_not_drawn_and_keeps_nobody_from_being_right() -> None:
    class Lacking(HandMadeBench):
        def stages(self, question: Question, world: World) -> Stages | None:
            raise FixtureError("there are no fixtures for the stages")

    bench = Lacking(doubled, twice, (case(2),))

    outcome = Examiner(bench).examine(exercise(STEP), STEP, OWN)  # type: ignore[arg-type]

    assert (outcome.status, outcome.shares) == (Status.PASSED, None)


def test_numbers_too_large_for_exponentials_have_shares_and_hidden_ones_have_none() -> None:
    found = softmax(np.array([[1e308, 1e308, -np.inf], [-1e308, 0.0, 1e3]]))

    assert found.tolist() == [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]


def test_of_a_batch_the_first_sequence_is_drawn() -> None:
    batch = Stages({name: np.stack([value, 9 * value]) for name, value in HALVED.values.items()}, {})

    found = asked(known=batch, with_own=False)
    alone = asked(with_own=False)

    assert found == alone
