"""The child's life: confine itself, take the submission's source, then answer run by run until the parent hangs up."""

from __future__ import annotations

import os
import socket
from typing import Any

import safetensors.torch
import torch

from grader.model.observation import Fault
from grader.model.run import World, decode_actions
from grader.wire.frames import LENGTH, SOURCE, MalformedFrame, metadata, read_message
from grader.worker import modules, printing, scratch
from grader.worker.confine import Setting, confine
from grader.worker.perform import Performer

# What the parent sends is trusted; the bound only guards against a broken pipe being read as a length.
MAX_REQUEST = 1 << 32
OPENING_HEADER = 1 << 24


def warm_up() -> None:
    """Run the kernels every exercise uses once, in the zygote, so that no child pays for their first call."""
    x = torch.ones(2, 3, 4)
    module = torch.nn.Linear(4, 4)
    weights = torch.softmax((module(x) @ x.mT).masked_fill(torch.ones(3, 3, dtype=torch.bool).triu(1), -torch.inf), -1)
    torch.einsum("bij,bjk->bik", weights, x)
    torch.nn.functional.dropout(x, 0.5)
    safetensors.torch.load(safetensors.torch.save({"x": x}))


def serve(channel: socket.socket) -> None:
    """Answer until the channel closes. Never returns a verdict, only what was seen."""
    scratch.enter()
    printed = printing.silence()
    opening, sources = _receive(channel)
    layers = confine(Setting(opening["device"], channel.fileno()), frozenset(opening["without"]))
    torch.manual_seed(opening["seed"])
    if opening["device"] == "cuda":
        _exact_cuda()
    library = modules.install({name.removeprefix(SOURCE): bytes(tensor.numpy()) for name, tensor in sources.items()})
    performer = Performer(library, opening["device"], getattr(torch, opening["dtype"]))
    send(channel, {"isolation": layers}, {})
    own = os.getpid()
    while True:
        request, tensors = _receive(channel)
        printed.reset()
        library.enter(World(frozenset(request["stand_ins"]), request["exercise"]))
        observation, answers = performer.perform(decode_actions(request["actions"]), tensors, request["limit"])
        if os.getpid() != own:  # a process that the solution forked comes back here too; only one may answer
            os._exit(0)
        observation |= {"printed": printed.bytes, "number": request["number"]}
        try:
            send(channel, observation, answers)
        except (RuntimeError, ValueError, TypeError) as error:
            fault = Fault(kind="answer", type=type(error).__name__, message=str(error)[:500])
            send(channel, {"fault": fault, "number": request["number"]}, {})


def _exact_cuda() -> None:
    """Float32 products in float32, not TF32, and the same result every time."""
    matmul = torch.backends.cuda.matmul
    if hasattr(matmul, "fp32_precision"):
        matmul.fp32_precision = "ieee"
    else:
        matmul.allow_tf32 = False
    torch.use_deterministic_algorithms(True, warn_only=True)


def _receive(channel: socket.socket) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    (size,) = LENGTH.unpack(_read(channel, LENGTH.size))
    if size > MAX_REQUEST:
        raise MalformedFrame(f"a request of {size} bytes")
    frame = _read(channel, size)
    return read_message(frame, OPENING_HEADER), safetensors.torch.load(frame)


def _read(channel: socket.socket, size: int) -> bytes:
    buffer = bytearray(size)
    view, filled = memoryview(buffer), 0
    while filled < size:
        count = channel.recv_into(view[filled:])
        if count == 0:  # the parent hung up: nothing is left to do, and no student code may run on
            os._exit(0)
        filled += count
    return bytes(buffer)


def send(channel: socket.socket, message: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
    """One frame to the parent. Raises what safetensors raises for tensors that it cannot write."""
    frame = safetensors.torch.save(tensors, metadata(message))
    channel.sendall(LENGTH.pack(len(frame)) + frame)
