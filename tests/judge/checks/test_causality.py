"""`causality`: no token sees the tokens after it, and every token sees those before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from grader.model.check import Finding

from ..hand_made import CLASS, answered, numbers, question
from . import scenes
from .scenes import CHECKS, TOKENS, averaged, softmax


def judged(solve: Callable[[Any], Any], tokens: int = 6) -> Finding:
    """The finding on a module that computes this."""
    asked = question("causality", {"x": TOKENS[:, :tokens]}, of=CLASS)
    return replace(scenes.causality(), question=asked, seen=answered(CHECKS["causality"].plan(asked), solve)).judged()


def blended(visible: Any) -> Callable[[Any], Any]:
    """Attention of tokens to one another, where this mask says which may be seen."""

    def attend(x: Any) -> Any:
        scores = np.where(visible, x @ x.swapaxes(-1, -2), -np.inf)
        return (softmax(scores) @ x).astype(np.float32)

    return attend


EVERYTHING = np.ones((6, 6), bool)


def test_each_change_leaves_the_tokens_before_it_alone() -> None:
    run = scenes.causality().run

    for name, after in (("after 0", 1), ("after 3", 4), ("after 4", 5)):
        changed = (run.tensors[name] != TOKENS).any(axis=(0, 2))
        assert changed.tolist() == [place >= after for place in range(6)]
    assert (run.tensors["past"] != TOKENS).any(axis=(0, 2)).tolist() == [True, False, False, False, False, False]


def test_causal_attention_is_right() -> None:
    assert judged(blended(np.tril(EVERYTHING))).right


def test_attention_to_everything_sees_the_future() -> None:
    told = "token 0 sees the future: its output changes when only tokens after 0 do"
    assert judged(blended(EVERYTHING)).summary == told


def test_what_comes_out_differently_each_time_is_not_said_to_see_the_future() -> None:
    rng = np.random.default_rng(5)
    right = blended(np.tril(EVERYTHING))

    finding = judged(lambda x: right(x) * (rng.random(x.shape) >= 0.1).astype(np.float32))

    assert finding.summary == ("two calls with the same input give different results, although nothing is trained")
    assert finding.mistakes == ()


def test_what_comes_out_in_another_shape_the_second_time_differs_by_itself() -> None:
    calls = []

    def shrinking(x: Any) -> Any:
        calls.append(x)
        return averaged(x)[..., : 3 if len(calls) == 1 else 2]

    assert (
        judged(shrinking).summary == "two calls with the same input give different results, although nothing is trained"
    )
    told = "the output's shape depends on the values of the input"
    assert judged(lambda x: averaged(x)[..., : 3 if (x[0, 0] == TOKENS[0, 0]).all() else 2]).summary == told


def test_attention_to_one_token_too_many_sees_the_future() -> None:
    assert judged(blended(np.tril(EVERYTHING, 1))).summary.startswith("token 0 sees the future")


@pytest.mark.parametrize("token", range(5))
def test_a_leak_in_one_row_alone_is_seen(token: int) -> None:
    visible = np.tril(EVERYTHING)
    visible[token, token + 1] = True

    told = f"token {token} sees the future: its output changes when only tokens after {token} do"
    assert judged(blended(visible)).summary == told


def test_a_leak_in_one_sequence_of_the_batch_alone_is_seen() -> None:
    def solve(x: Any) -> Any:
        out = averaged(x)
        out[1, 2] += 1e-3 * x[1, 5]
        return out

    assert judged(solve).summary.startswith("token 2 sees the future")


def test_attention_to_the_future_alone_sees_the_future() -> None:
    assert "sees the future" in judged(lambda x: averaged(x[..., ::-1, :])[..., ::-1, :]).summary


def test_a_module_that_looks_at_itself_alone_sees_no_past() -> None:
    told = "no token sees the ones before it: changing token 0 changes no later output"
    assert judged(lambda x: 2 * x).summary == told


def test_a_module_that_looks_at_the_first_token_alone_is_told() -> None:
    solve: Callable[[Any], Any] = lambda x: np.arange(1, 7, dtype=np.float32)[:, None] * x[..., :1, :]  # noqa: E731

    assert judged(solve).summary == "tokens after 0 are not looked at: changing them changes no output"


@pytest.mark.parametrize(
    "solve",
    [np.zeros_like, lambda x: np.full_like(x, np.nan), lambda x: np.where(np.arange(6)[:, None], x, np.nan)],
    ids=["zeros", "NaN", "a row of NaN"],
)
def test_of_what_is_the_same_everywhere_or_not_finite_nothing_is_said_but_that(solve: Callable[[Any], Any]) -> None:
    told = "the output is the same everywhere or not finite in places, so nothing can be said of what a token sees"
    assert judged(solve).summary == told


def test_one_vector_for_all_tokens_is_told() -> None:
    told = "returned a tensor of shape (2, 3); expected one vector for each token"
    assert judged(lambda x: x.mean(-2)).summary == told


def test_an_output_of_another_width_is_right() -> None:
    assert judged(lambda x: np.concatenate([averaged(x), averaged(x)], axis=-1)).right


def test_an_output_whose_shape_depends_on_the_values_is_told() -> None:
    scene = scenes.causality()

    finding = scene.but_tensors(after_3=numbers(2, 6, 4)).judged()

    assert finding.summary == "the output's shape depends on the values of the input"


def test_two_tokens_are_enough_to_tell() -> None:
    assert judged(averaged, tokens=2).right
    assert "sees the future" in judged(lambda x: x + x[..., ::-1, :] ** 2, tokens=2).summary


def judged_in(dtype: str, solve: Callable[[Any], Any]) -> Finding:
    """The finding on a module whose scores are to know nothing of the last feature."""
    asked = question("causality", {"x": TOKENS}, of=CLASS, options={"unscored": -1}, dtype=dtype)
    given = "float32" if dtype == "bfloat16" else dtype
    seen = answered(CHECKS["causality"].plan(asked), lambda x: solve(x.astype(given)).astype(given))
    return replace(scenes.causality(), question=asked, seen=seen).judged()


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_the_smallest_share_of_the_future_shows_by_a_feature_that_makes_no_scores(dtype: str) -> None:
    def where_the_future_is_scored(at: float) -> Callable[[Any], Any]:
        def attend(x: Any) -> Any:
            scored = x[..., :-1]
            return softmax(np.where(np.tril(EVERYTHING), scored @ scored.swapaxes(-1, -2), at)) @ x

        return attend

    told = (
        "token 0 sees a little of the future: a very large number in a token after 0 changes its output; "
        "what is hidden has a weight of exactly 0"
    )
    assert judged_in(dtype, where_the_future_is_scored(-np.inf)).right
    assert judged_in(dtype, where_the_future_is_scored(-40.0)).summary == told


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16"])
def test_of_what_is_scored_though_it_should_not_be_no_future_is_seen_where_all_is_hidden(dtype: str) -> None:
    def hidden_after_softmax(x: Any) -> Any:
        weights = softmax(x @ x.swapaxes(-1, -2) / 8) * np.tril(EVERYTHING)
        with np.errstate(invalid="ignore"):  # all of a row may be the future's
            return weights / weights.sum(-1, keepdims=True) @ x

    assert judged_in(dtype, hidden_after_softmax).right
