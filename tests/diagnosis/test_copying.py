"""A copy is made again over other numbers, and only what makes a difference is believed."""

from __future__ import annotations

import pytest

from grader.diagnosis.copying import copied_over, left_as_they_were
from grader.judge.checks.copies import Copies
from grader.model.observation import Slot
from grader.model.run import Call, Load

from ..judge.checks import scenes
from ..judge.hand_made import answer, numbers

BIAS, WEIGHT = Slot("W_q.bias", (4,), "parameter"), Slot("W_q.weight", (4, 3), "parameter")
ONCE, OTHER, SOURCE = numbers(2, 4, seed=1), numbers(2, 4, seed=2), numbers(2, 4, seed=3)
COPY = Copies().plan(scenes.copies().question)


def left(**results: object) -> list[Slot]:
    """The slots left as they were, by what the target gives after each copy."""
    given = {"result": ONCE, "again": ONCE, "over W_q.bias": ONCE, "over W_q.weight": ONCE} | results
    sources = {"still": SOURCE, "afterwards": SOURCE}
    return left_as_they_were(answer({**sources, **given}), [BIAS, WEIGHT])


def test_each_slot_of_the_target_is_overwritten_before_another_copy() -> None:
    run = copied_over(COPY, [BIAS, WEIGHT])

    assert [a.weights for a in run.actions if isinstance(a, Load) and a.into == "target"] == [
        {"W_q.bias": "over W_q.bias"},
        {"W_q.weight": "over W_q.weight"},
    ]
    assert run.tensors["over W_q.weight"].shape == (4, 3)
    assert len([a for a in run.actions if isinstance(a, Call) and a.name.startswith("copied")]) == 4


def test_a_source_is_asked_behind_all_copies() -> None:
    run = copied_over(COPY, [BIAS])

    assert [action.name for action in run.actions if isinstance(action, Call)][-1] == "afterwards"


def test_a_copy_that_writes_everything_leaves_nothing() -> None:
    assert left() == []


def test_what_makes_a_difference_after_the_copy_was_left_as_it_was() -> None:
    assert left(**{"over W_q.bias": OTHER, "over W_q.weight": OTHER}) == [BIAS]
    assert left(**{"over W_q.weight": OTHER}) == [WEIGHT]


@pytest.mark.parametrize("result", ["again", "afterwards"])
def test_a_copy_that_differs_each_time_or_shares_its_weights_says_nothing(result: str) -> None:
    assert left(**{result: OTHER, "over W_q.bias": SOURCE}) == []


def test_nothing_is_copied_over_what_is_said_to_be_enormous() -> None:
    enormous = Slot("W_q.weight", (1 << 20, 1 << 20), "parameter")

    assert "over W_q.weight" not in copied_over(COPY, [BIAS, enormous]).tensors
