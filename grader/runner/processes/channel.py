"""The parent's end of a channel to a process that runs student code: frames out, frames in, never past a deadline."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grader.model.profile import phase
from grader.wire.frames import LENGTH, MalformedFrame, Packed, Place, read, write

# Room for a frame's header and for small results, beyond what the run's own tensors account for.
FRAME_SLACK = 128 * 1024
# So much is asked of the socket at a time; answers that came together are read together.
AT_ONCE = 64 * 1024
# So much is taken at most while something is sent: enough for an honest child to come to reading, whatever it says.
MOST_AHEAD = 64 * 1024 * 1024


class Late(Exception):
    """The deadline passed."""


class HungUp(Exception):
    """Nobody is at the other end any more."""


class Channel:
    """Speaks frames over a socket. Deadlines are points of `time.monotonic()`."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._ahead = bytearray()  # what has come already of what is read next

    def close(self) -> None:
        self._socket.close()

    @phase("wire")
    def send(self, frames: Sequence[bytes], deadline: float) -> None:
        """Send frames, and take what comes meanwhile: who answers before reading on would wait for us, and we for it.

        Raises Late or HungUp.
        """
        left = memoryview(b"".join(part for frame in frames for part in (LENGTH.pack(len(frame)), frame)))
        try:
            self._until(deadline)
            self._socket.setblocking(False)
            while left:
                try:
                    left = left[self._socket.send(left) :]
                except BlockingIOError:
                    self._make_room(deadline)
        except TimeoutError:
            raise Late from None
        except OSError:
            raise HungUp from None

    @property
    def ahead(self) -> int:
        """How many bytes were taken that nobody has asked for yet."""
        return len(self._ahead)

    def _make_room(self, deadline: float) -> None:
        """Wait until something may be sent, or has come, which is taken. Raises TimeoutError, or OSError."""
        takes = selectors.EVENT_READ if self.ahead < MOST_AHEAD else 0
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_WRITE | takes)
            found = selector.select(_left_until(deadline))  # asked each time: something may come for ever
        if not found:
            raise TimeoutError
        if found[0][1] & takes:
            came = self._socket.recv(AT_ONCE)
            if not came:
                raise ConnectionResetError
            self._ahead += came

    def receive(self, limit: int, deadline: float) -> tuple[dict[str, Any], dict[str, Any]]:
        """A frame's message and tensors, as `take` and `unpacked` give them."""
        return unpacked(self.take(limit, deadline))

    @phase("wire")
    def take(self, limit: int, deadline: float) -> bytes:
        """A frame as it came. limit: its bytes at most. Raises Late, HungUp, or MalformedFrame for a larger one."""
        (size,) = LENGTH.unpack(self._read(LENGTH.size, deadline))
        if size > limit:
            raise MalformedFrame(f"{size} bytes where at most {limit} were due")
        return self._read(size, deadline)

    def _read(self, size: int, deadline: float) -> bytes:
        while len(self._ahead) < size:
            try:
                self._until(deadline)
                with phase("wait"):
                    came = self._socket.recv(max(size - len(self._ahead), AT_ONCE))
            except TimeoutError:
                raise Late from None
            except OSError:
                came = b""
            if not came:
                raise HungUp
            self._ahead += came
        data = bytes(self._ahead[:size])
        del self._ahead[:size]
        return data

    def _until(self, deadline: float) -> None:
        self._socket.settimeout(_left_until(deadline))


def _left_until(deadline: float) -> float:
    """The seconds until then. Raises TimeoutError where there are none."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


@phase("wire")
def unpacked(frame: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """A frame's message and tensors, checked before they are looked at. Raises MalformedFrame."""
    message, places = read(frame)
    return message, {name: _array(frame, place) for name, place in places.items()}


def packed(message: Mapping[str, Any], tensors: Mapping[str, Any]) -> bytes:
    """A frame of arrays."""
    arrays = {name: np.asarray(array) for name, array in tensors.items()}
    return write(message, [Packed(name, a.dtype.name, a.shape, a.tobytes()) for name, a in arrays.items()])


def _array(frame: bytes, place: Place) -> Any:
    if place.count == 0:  # there are no bytes, so they are nowhere
        return np.zeros(place.shape, place.type)
    return np.frombuffer(frame, place.type, place.count, place.start).reshape(place.shape)
