"""Requests as a child performs them: read from the wire, or known since before it was forked.

What every submission is asked is read once, by the zygote, rather than by each child. Nobody writes to it: a run is
performed on copies of its tensors, and what a child does to its memory no other child sees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, BinaryIO

import torch

from grader.model.run import Action, decode_actions
from grader.wire.frames import LENGTH, Place, read

# Of what the parent sends; it is trusted, and an opening holds the names of all sources.
MAX_HEADER = 1 << 24


@dataclass(frozen=True, slots=True)
class Request:
    """A run to be performed. limit: how many bytes of tensors its answer may have."""

    actions: tuple[Action, ...]
    tensors: dict[str, torch.Tensor]
    limit: int


# By their places, as the parent calls them.
KNOWN: list[Request] = []


def learn(frames: BinaryIO) -> None:
    """Know all requests of a file, frame after frame, in their order."""
    while length := frames.read(LENGTH.size):
        (size,) = LENGTH.unpack(length)
        KNOWN.append(request(*unpacked(bytearray(frames.read(size)))))


def request(message: dict[str, Any], tensors: dict[str, torch.Tensor]) -> Request:
    """What a frame asks: a request that is known, or the one that it holds."""
    if "known" in message:
        return KNOWN[int(message["known"])]
    return Request(decode_actions(message["actions"]), tensors, message["limit"])


def unpacked(frame: bytearray) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """A frame's message and its tensors, which lie in the frame's own memory."""
    message, places = read(frame, MAX_HEADER)
    return message, {name: _tensor(frame, place) for name, place in places.items()}


def _tensor(frame: bytearray, place: Place) -> torch.Tensor:
    dtype = getattr(torch, place.type)
    if place.count == 0:  # there are no bytes, so they are nowhere
        return torch.zeros(place.shape, dtype=dtype)
    return torch.frombuffer(frame, dtype=dtype, count=place.count, offset=place.start).reshape(place.shape)
