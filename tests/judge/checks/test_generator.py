"""`generator`: random numbers come from the generator that is given, and from no other."""

from __future__ import annotations

import numpy as np
import pytest

from grader.model.observation import Returned
from grader.model.run import Call, Randomness, Seeded, Tensor

from ..hand_made import answer
from . import scenes

ONCE = scenes.generator().seen.tensors["once"]


def test_one_seed_is_given_twice_another_once_and_a_generator_that_has_drawn() -> None:
    before, *calls, after = scenes.generator().run.actions

    assert (before, after) == (Randomness("before"), Randomness("after"))
    given = [call.arguments for call in calls if isinstance(call, Call)]
    seeded = [Seeded(11), Seeded(11), Seeded(12), Seeded(11, drawn=5)]
    assert given == [(Tensor("x"), each) for each in seeded]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"again": ONCE + 1},
            "the same seed gives two different results: the generator that is given is not what draws",
        ),
        ({"other": ONCE}, "two seeds give the same result: the generator that is given is not what draws"),
        (
            {"later": ONCE},
            "a generator that has drawn already gives what a new one of its seed gives: "
            "draw from it, and not from its seed",
        ),
        (
            {"randomness__after": np.zeros(20, np.uint8)},
            "torch's global generator moved on; draw from the generator that is given alone",
        ),
    ],
)
def test_numbers_from_elsewhere_are_told(changed: dict[str, np.ndarray], told: str) -> None:
    assert scenes.generator().but_tensors(**changed).judged().summary == told


def test_a_state_that_did_not_come_is_not_taken_for_unchanged() -> None:
    scene = scenes.generator()
    results = {name: array for name, array in scene.seen.tensors.items() if not name.startswith("randomness")}

    assert scene.but(tensors=results).judged().summary.startswith("torch's global generator moved on")


def test_something_that_is_no_tensor_is_told() -> None:
    scene = scenes.generator()
    returned = {**scene.seen.returned, "once": Returned("none", type="None")}

    assert scene.but(returned=returned).judged().summary == "returned None; expected a tensor"


def test_nothing_returned_is_named() -> None:
    nothing = answer(dict.fromkeys(("once", "again", "other"), Returned("none")))

    assert scenes.generator().but(returned=nothing.returned).judged().mistake == "returns-none"
