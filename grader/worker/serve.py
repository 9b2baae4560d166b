"""The child's life: confine itself, take the submission's source, then answer run by run until the parent hangs up."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Mapping
from time import monotonic
from typing import Any

import torch

from grader.model import profile
from grader.model.observation import Fault
from grader.model.profile import phase
from grader.model.run import World
from grader.wire.frames import LENGTH, SOURCE, TYPES, MalformedFrame, Packed, write
from grader.wire.observations import Slip, write_slip
from grader.worker import devices, late, modules, printing, requests, scratch, settings
from grader.worker.confine import Setting, confine
from grader.worker.perform import Performer

# What the parent sends is trusted; the bound only guards against a broken pipe being read as a length.
MAX_REQUEST = 1 << 32
AT_ONCE = 64 * 1024
# So long, and so many bytes of them, answers that were asked for ahead are held.
HELD_SECONDS = 0.02
HELD_BYTES = 32 * 1024
# Of each type that crosses; numpy takes long to say it.
NAMES = {getattr(torch, name): name for name in TYPES}


def serve(channel: socket.socket) -> None:
    """Answer until the channel closes, never a verdict, only what was seen; or say why the device cannot be used."""
    scratch.enter()
    printed = printing.silence()
    incoming = io.BufferedReader(socket.SocketIO(channel, "r"), AT_ONCE)
    opening, sources = _receive(incoming)
    if opening.get("profile"):
        profile.begin()
    device = opening["device"]
    try:
        with phase("confine"):
            setting = Setting(device, channel.fileno())
            layers = confine(setting, frozenset(opening["without"]), prepare=lambda: devices.start(device))
    except devices.Unusable as error:
        send(channel, {"unusable": str(error), "device": device}, {})
        return
    library = modules.install(
        {name.removeprefix(SOURCE): bytes(tensor.numpy()) for name, tensor in sources.items()},
        frozenset(opening["helpers"]),
        World(frozenset(opening["stand_ins"]), opening["exercise"]),
    )
    late.answer_where(lambda message: send(channel, message, {}), library.files)
    performer = Performer(library, device, getattr(torch, opening["dtype"]))
    send(channel, {"isolation": layers}, {})
    outbox = Outbox(channel)
    own, answered = os.getpid(), 0
    while True:
        message, tensors = _receive(incoming)
        printed.reset()
        answered += 1
        began = monotonic()
        devices.seed(opening["seed"], device)  # what torch draws depends on nothing asked before
        settings.put_back(settings.START)
        with phase("run"):
            request = requests.request(message, tensors)
            observation, answers = performer.perform(request.actions, request.tensors, request.limit)
        if os.getpid() != own:  # a process that the solution forked comes back here too; only one may answer
            os._exit(0)
        spent = profile.taken() if profile.is_on() else None
        slip = Slip(answered, monotonic() - began, printed.bytes, spent, observation.pop("lines", {}))
        is_ahead = "ahead" in message
        try:
            outbox.put(slip, observation, answers, is_ahead=is_ahead)
        except (RuntimeError, ValueError, TypeError) as error:
            fault = Fault(kind="answer", type=type(error).__name__, message=str(error)[:500])
            outbox.put(slip, {"fault": fault}, {}, is_ahead=is_ahead)


class Outbox:
    """Answers on their way. Those that nobody waits for yet go together, since each time the parent is woken costs it.

    A process that ends takes the answers along that it still holds; the parent asks another one then.
    """

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._held: list[bytes] = []
        self._sent = 0.0

    @phase("wire")
    def put(
        self, slip: Slip, message: Mapping[str, Any], tensors: Mapping[str, torch.Tensor], *, is_ahead: bool
    ) -> None:
        """Send an answer, or hold it for a while if it was asked for ahead. Raises as `packed` does."""
        for frame in (write_slip(slip), packed(message, tensors)):
            self._held += (LENGTH.pack(len(frame)), frame)
        now = monotonic()
        if not is_ahead or now - self._sent > HELD_SECONDS or sum(map(len, self._held)) > HELD_BYTES:
            self._channel.sendall(b"".join(self._held))
            self._held.clear()
            self._sent = now


@phase("wire")
def _receive(incoming: io.BufferedIOBase) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    (size,) = LENGTH.unpack(_read(incoming, LENGTH.size))
    if size > MAX_REQUEST:
        raise MalformedFrame(f"a request of {size} bytes")
    return requests.unpacked(_read(incoming, size))


@phase("wait")
def _read(incoming: io.BufferedIOBase, size: int) -> bytearray:
    buffer = bytearray(size)
    if incoming.readinto(buffer) < size:  # the parent hung up: nothing is left to do, and no student code may run on
        os._exit(0)
    return buffer


@phase("wire")
def send(channel: socket.socket, message: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> None:
    """One frame to the parent. Raises RuntimeError or TypeError for tensors that have no bytes."""
    frame = packed(message, tensors)
    channel.sendall(LENGTH.pack(len(frame)) + frame)


def packed(message: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> bytes:
    """A frame of tensors that lie on the CPU in C order, of types that cross."""
    parts = [(name, tensor.numpy(), NAMES[tensor.dtype]) for name, tensor in tensors.items()]
    return write(message, [Packed(name, kind, array.shape, array.tobytes()) for name, array, kind in parts])
