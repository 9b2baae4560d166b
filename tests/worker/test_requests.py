"""A request that is known is the one that was sent, and each is known by its place."""

from __future__ import annotations

import io

import pytest
import torch

from grader.model.run import Call, Tensor, encode_actions
from grader.wire.frames import LENGTH
from grader.worker import requests
from grader.worker.serve import packed


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "KNOWN", [])


def frame(name: str, tensor: torch.Tensor) -> bytes:
    actions = encode_actions((Call(name, module="ex01", definition="f", arguments=(Tensor("x"),)),))
    return packed({"actions": actions, "limit": len(name)}, {"x": tensor})


def test_what_was_learnt_is_what_would_have_been_sent() -> None:
    frames = [frame("a", torch.rand(2, 3)), frame("bb", torch.zeros(0, 4)), frame("ccc", torch.arange(3))]

    requests.learn(io.BytesIO(b"".join(LENGTH.pack(len(each)) + each for each in frames[:2])))
    requests.learn(io.BytesIO(LENGTH.pack(len(frames[2])) + frames[2]))

    assert len(requests.KNOWN) == 3
    for place, each in enumerate(frames):
        known = requests.request({"known": place}, {})
        sent = requests.request(*requests.unpacked(bytearray(each)))
        assert (known.actions, known.limit) == (sent.actions, sent.limit)
        assert known.tensors["x"].dtype == sent.tensors["x"].dtype
        assert torch.equal(known.tensors["x"], sent.tensors["x"])


def test_a_place_that_nobody_knows_is_no_request() -> None:
    with pytest.raises(IndexError):
        requests.request({"known": 0}, {})
