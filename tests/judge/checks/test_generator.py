"""`generator`: random numbers come from the generator that is given, and from no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from grader.model.check import Finding
from grader.model.observation import Returned
from grader.model.pack import Generator
from grader.model.run import Call, Randomness, Seeded, Tensor, Value

from ..hand_made import answer, numbers, question
from . import scenes

ONCE = scenes.generator().seen.tensors["once"]


def test_one_seed_is_given_twice_another_once_and_a_generator_that_has_drawn() -> None:
    before, *calls, after = scenes.generator().run.actions

    assert (before, after) == (Randomness("before"), Randomness("after"))
    given = [call.arguments for call in calls if isinstance(call, Call)]
    seeded = [Seeded(11), Seeded(11), Seeded(12), Seeded(11, drawn=5)]
    assert given == [(Tensor("x"), each) for each in seeded]
    assert [call.times for call in calls if isinstance(call, Call)] == [1, 2, 1, 1]


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"again": np.stack([ONCE + 1, ONCE])},
            "the same seed gives two different results: the generator that is given is not what draws",
        ),
        ({"other": ONCE}, "two seeds give the same result: what the generator that is given draws has no part in it"),
        *(
            (
                changed,
                "a generator that has drawn already gives what a new one of its seed gives: "
                "draw from it, and not from its seed",
            )
            for changed in ({"later": ONCE}, {"again": np.stack([ONCE, ONCE])})
        ),
        (
            {"randomness__after": np.zeros(20, np.uint8)},
            "torch's global generator moved on; draw from the generator that is given alone",
        ),
    ],
)
def test_numbers_from_elsewhere_are_told(changed: dict[str, np.ndarray], told: str) -> None:
    assert scenes.generator().but_tensors(**changed).judged().summary == told


def test_what_is_no_number_is_told_as_that_and_says_nothing_of_what_it_was_drawn_from() -> None:
    nothing = np.full_like(ONCE, np.nan)
    changed = {"once": nothing, "again": np.stack([nothing, nothing]), "other": nothing, "later": nothing}

    finding = scenes.generator().but_tensors(**changed).judged()

    assert (finding.summary, finding.mistake) == (f"{ONCE.size} of {ONCE.size} elements are NaN", "")


def test_calls_that_change_what_the_next_one_is_given_say_nothing_of_each_other() -> None:
    finding = scenes.generator().but(written={"once": ("x",)}).but_tensors(again=np.stack([ONCE + 1, ONCE])).judged()

    assert finding.summary.startswith("each call changes the tensor that the next one is given")
    assert finding.mistakes == ()


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


def of_dropout(
    drawn: Callable[[Any], Any],
    without: Callable[[Any], Any],
    *,
    shape: tuple[int, ...] = (12, 16),
    moved: bool = True,
    device: str = "cpu",
) -> Finding:
    """The finding on a function that drops so with a generator, and so without one."""
    weights = numbers(*shape, seed=5)
    options = {"argument": "generator", "rate": "p"}
    asked = question("generator", {"weights": weights, "p": 0.3, "generator": Generator(7)}, options=options)
    once, other, later, *free = (np.random.default_rng(seed) for seed in range(6))
    results = {"once": drawn(once), "other": drawn(other), "later": drawn(later), "plain": weights}
    results |= {
        "again": np.stack([results["once"], results["other"]]),
        "without": np.stack([without(each) for each in free]),
    }
    state = {f"randomness.{name}": np.arange(20, dtype=np.uint8) for name in ("before", "after", "without")}
    state["randomness.without"] += moved
    return scenes.Scene(replace(asked, device=device), answer(results, tensors=state)).judged()


def dropping(rng: Any, rate: float = 0.3, kept: float = 0.7, *, shape: tuple[int, ...] = (12, 16)) -> Any:
    return (numbers(*shape, seed=5) * (rng.random(shape) >= rate) / kept).astype(np.float32)


def inverted(rng: Any) -> Any:
    return dropping(rng, 0.7)


def unscaled(rng: Any) -> Any:
    return dropping(rng, kept=1.0)


def test_dropout_is_asked_for_without_a_generator_after_torchs_own_was_looked_at() -> None:
    options = {"argument": "generator", "rate": "p"}
    inputs = {"x": numbers(2, 3), "p": 0.3, "generator": Generator(7)}
    asked = question("generator", inputs, options=options)
    *_, after, plain, without, last = scenes.Scene(asked, answer({})).run.actions

    assert after == Randomness("after")
    assert isinstance(plain, Call)
    assert plain.arguments == (Tensor("x"), Value(0.0), Seeded(11))
    assert isinstance(without, Call)
    assert (without.arguments, without.times) == ((Tensor("x"), Value(0.3), Value(None)), 3)
    assert last == Randomness("without")


def test_without_a_generator_torchs_own_has_to_be_drawn_from() -> None:
    assert of_dropout(dropping, dropping).right
    said = of_dropout(dropping, dropping, moved=False).summary
    assert said.startswith("without a generator, torch's own does not move")


def test_on_a_device_who_draws_on_the_cpu_is_right_as_well() -> None:
    assert of_dropout(dropping, dropping, moved=False, device="cuda").right


def test_weights_that_come_back_as_they_were_given_are_told_as_that_and_not_as_drawn_elsewhere() -> None:
    def given(rng: Any) -> Any:
        return numbers(12, 16, seed=5)

    finding = of_dropout(given, given)

    assert finding.summary == "what was given comes back as it was, whatever the seed: nothing is dropped"
    assert not finding.draws_from


def test_what_is_right_without_a_generator_alone_is_told() -> None:
    assert of_dropout(dropping, dropping).right

    assert of_dropout(unscaled, dropping).mistake == "dropout-unscaled"
    finding = of_dropout(inverted, dropping)
    assert finding.summary.startswith("right without a generator; with one: ")
    assert not finding.mistake
    turned = of_dropout(lambda rng: dropping(rng).T, dropping)
    assert turned.summary == "with a generator the output has another shape than without one"


def test_what_is_wrong_without_a_generator_too_belongs_to_another_step() -> None:
    assert of_dropout(unscaled, unscaled).right
    assert of_dropout(inverted, inverted).right


def test_what_shows_of_few_draws_with_a_generator_alone_is_not_told_to_be_right_without_one() -> None:
    too_many = partial(dropping, rate=0.46)

    assert of_dropout(too_many, too_many).summary == "44% of the weights are dropped; expected about 30%"
    assert of_dropout(inverted, dropping).summary.startswith("right without a generator")


def test_a_single_number_has_no_law_and_belongs_to_another_step() -> None:
    def one(rng: Any) -> Any:
        return np.float32(rng.random())

    assert of_dropout(one, one, shape=()).right


def test_what_is_no_float_is_told_where_it_comes_of_the_generator_alone() -> None:
    def keeping(rng: Any) -> Any:
        return dropping(rng) != 0

    assert of_dropout(keeping, keeping).right
    assert of_dropout(keeping, dropping).summary == (
        "right without a generator; with one: returned a tensor of bool; expected a tensor of floating-point numbers"
    )
