"""Runs cross to the worker as JSON and arrive as they were."""

from __future__ import annotations

import json

import pytest

from grader.model.run import (
    VERBS,
    Action,
    Backward,
    Call,
    Gradients,
    Import,
    Inspect,
    Load,
    Made,
    Make,
    Mode,
    Randomness,
    Seeded,
    Send,
    Tensor,
    Value,
    decode_actions,
    encode_actions,
)
from grader.wire.frames import MESSAGE, metadata

ONE_OF_EACH: tuple[Action, ...] = (
    Import("ex01_dot_product_scores"),
    Make("module", "ex10_causal_attention", "CausalAttention", (Value(3), Value(0.5), Value(True), Value(None)), True),
    Load("module", {"W_query.weight": "weight.W_query.weight"}, times=0.5, rest=0.25, may_fail=True),
    Mode("module", training=True),
    Call(
        "result",
        of="module",
        arguments=(Tensor("x"), Made("module"), Seeded(7), Seeded(7, drawn=5)),
        track=True,
        count=True,
        watch=True,
    ),
    Backward("result"),
    Gradients(of="module", tensors=("W_query.weight",)),
    Inspect("module", "after", values=True, gradients=True, may_fail=True),
    Send(("x", "y")),
    Randomness("before"),
)


def test_every_action_arrives_as_it_was_sent() -> None:
    message = json.loads(metadata({"actions": encode_actions(ONE_OF_EACH)})[MESSAGE])

    received = decode_actions(message["actions"])

    assert received == ONE_OF_EACH


def test_the_example_holds_every_verb_there_is() -> None:
    assert [action.verb for action in ONE_OF_EACH] == list(VERBS)


def test_something_that_is_no_argument_is_refused() -> None:
    call = {"verb": "call", "name": "result", "arguments": [{"pickle": "gASV"}]}

    with pytest.raises(ValueError, match="not an argument"):
        decode_actions([call])


def test_an_unknown_verb_is_refused() -> None:
    with pytest.raises(KeyError):
        decode_actions([{"verb": "eval", "code": "1"}])
