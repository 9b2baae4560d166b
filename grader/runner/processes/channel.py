"""The parent's end of a channel to a process that runs student code: frames out, frames in, never past a deadline."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import safetensors.numpy

from grader.wire.frames import LENGTH, MalformedFrame, metadata, read_message

# Room for a frame's header and for small results, beyond what the run's own tensors account for.
FRAME_SLACK = 128 * 1024


class Late(Exception):
    """The deadline passed."""


class HungUp(Exception):
    """Nobody is at the other end any more."""


class Channel:
    """Speaks frames over a socket. Deadlines are points of `time.monotonic()`."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def send(self, message: dict[str, Any], tensors: Mapping[str, Any], deadline: float) -> None:
        """Send one frame. Raises Late or HungUp."""
        # In C order: an array's bytes are written as they lie, whatever its axes are called.
        arrays = {name: np.asarray(array, order="C") for name, array in tensors.items()}
        frame = safetensors.numpy.save(arrays, metadata(message))
        try:
            self._until(deadline)
            self._socket.sendall(LENGTH.pack(len(frame)) + frame)
        except TimeoutError:
            raise Late from None
        except OSError:
            raise HungUp from None

    def receive(self, limit: int, deadline: float) -> tuple[dict[str, Any], dict[str, Any]]:
        """A frame's message and tensors, checked before they are parsed. limit: bytes of a frame.

        Raises Late, HungUp, or MalformedFrame for whatever is no frame of ours.
        """
        (size,) = LENGTH.unpack(self._read(LENGTH.size, deadline))
        if size > limit:
            raise MalformedFrame(f"{size} bytes where at most {limit} were due")
        frame = self._read(size, deadline)
        message = read_message(frame)
        try:
            return message, safetensors.numpy.load(frame)
        except Exception as error:  # whatever the parser trips over is the sender's doing
            raise MalformedFrame(f"unreadable tensors: {type(error).__name__}") from None

    def _read(self, size: int, deadline: float) -> bytes:
        buffer = bytearray(size)
        view, filled = memoryview(buffer), 0
        while filled < size:
            try:
                self._until(deadline)
                count = self._socket.recv_into(view[filled:])
            except TimeoutError:
                raise Late from None
            except OSError:
                count = 0
            if count == 0:
                raise HungUp
            filled += count
        return bytes(buffer)

    def _until(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._socket.settimeout(left)
