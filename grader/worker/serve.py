"""The child's life: confine itself, take the submission's source, then answer run by run until the parent hangs up."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Mapping
from typing import Any

import torch

from grader.model import profile
from grader.model.observation import Fault
from grader.model.profile import phase
from grader.model.run import World, decode_actions
from grader.wire.frames import LENGTH, SOURCE, MalformedFrame, Packed, Place, read, write
from grader.worker import late, modules, printing, scratch
from grader.worker.confine import Setting, confine
from grader.worker.perform import Performer

# What the parent sends is trusted; the bound only guards against a broken pipe being read as a length.
MAX_REQUEST = 1 << 32
OPENING_HEADER = 1 << 24
AT_ONCE = 64 * 1024


def serve(channel: socket.socket) -> None:
    """Answer until the channel closes. Never returns a verdict, only what was seen."""
    scratch.enter()
    printed = printing.silence()
    requests = io.BufferedReader(socket.SocketIO(channel, "r"), AT_ONCE)
    opening, sources = _receive(requests)
    if opening.get("profile"):
        profile.begin()
    with phase("confine"):
        layers = confine(Setting(opening["device"], channel.fileno()), frozenset(opening["without"]))
    torch.manual_seed(opening["seed"])
    if opening["device"] == "cuda":
        _exact_cuda()
    library = modules.install({name.removeprefix(SOURCE): bytes(tensor.numpy()) for name, tensor in sources.items()})
    late.answer_where(lambda message: send(channel, message, {}), library.files)
    performer = Performer(library, opening["device"], getattr(torch, opening["dtype"]))
    send(channel, {"isolation": layers}, {})
    own, answered = os.getpid(), 0
    while True:
        request, tensors = _receive(requests)
        if "enter" in request:
            library.enter(World(frozenset(request["enter"]["stand_ins"]), request["enter"]["exercise"]))
            continue
        printed.reset()
        answered += 1
        with phase("run"):
            observation, answers = performer.perform(decode_actions(request["actions"]), tensors, request["limit"])
        if os.getpid() != own:  # a process that the solution forked comes back here too; only one may answer
            os._exit(0)
        observation |= {"printed": printed.bytes, "number": answered}
        if profile.is_on():
            observation["spent"] = profile.taken()
        try:
            send(channel, observation, answers)
        except (RuntimeError, ValueError, TypeError) as error:
            fault = Fault(kind="answer", type=type(error).__name__, message=str(error)[:500])
            send(channel, {"fault": fault, "number": answered}, {})


def _exact_cuda() -> None:
    """Float32 products in float32, not TF32, and the same result every time."""
    matmul = torch.backends.cuda.matmul
    if hasattr(matmul, "fp32_precision"):
        matmul.fp32_precision = "ieee"
    else:
        matmul.allow_tf32 = False
    torch.use_deterministic_algorithms(True, warn_only=True)


@phase("wire")
def _receive(requests: io.BufferedIOBase) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    (size,) = LENGTH.unpack(_read(requests, LENGTH.size))
    if size > MAX_REQUEST:
        raise MalformedFrame(f"a request of {size} bytes")
    return unpacked(_read(requests, size))


@phase("wait")
def _read(requests: io.BufferedIOBase, size: int) -> bytearray:
    buffer = bytearray(size)
    if requests.readinto(buffer) < size:  # the parent hung up: nothing is left to do, and no student code may run on
        os._exit(0)
    return buffer


@phase("wire")
def send(channel: socket.socket, message: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> None:
    """One frame to the parent. Raises RuntimeError or TypeError for tensors that have no bytes."""
    frame = packed(message, tensors)
    channel.sendall(LENGTH.pack(len(frame)) + frame)


def packed(message: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> bytes:
    """A frame of tensors that lie on the CPU in C order, of types that cross."""
    parts = [(name, tensor.numpy()) for name, tensor in tensors.items()]
    return write(message, [Packed(name, array.dtype.name, array.shape, array.tobytes()) for name, array in parts])


def unpacked(frame: bytearray) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """A frame's message and its tensors, which lie in the frame's own memory."""
    message, places = read(frame, OPENING_HEADER)
    return message, {name: _tensor(frame, place) for name, place in places.items()}


def _tensor(frame: bytearray, place: Place) -> torch.Tensor:
    dtype = getattr(torch, place.type)
    if place.count == 0:  # there are no bytes, so they are nowhere
        return torch.zeros(place.shape, dtype=dtype)
    return torch.frombuffer(frame, dtype=dtype, count=place.count, offset=place.start).reshape(place.shape)
