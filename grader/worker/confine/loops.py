"""asyncio's loop is woken through a pipe here: the sandbox refuses the pair of sockets that it would take for that."""

from __future__ import annotations

import os
from asyncio import selector_events
from typing import Any

CLOSED = -1


class _End:
    """An end of a pipe, as much of a socket as a loop needs to be woken."""

    def __init__(self, number: int) -> None:
        os.set_blocking(number, False)
        self._number = number

    def fileno(self) -> int:
        return self._number

    def recv(self, most: int) -> bytes:
        return os.read(self._number, most)

    def send(self, data: bytes) -> int:
        return os.write(self._number, data)

    def close(self) -> None:
        number, self._number = self._number, CLOSED
        if number != CLOSED:
            os.close(number)

    __del__ = close  # as of a socket: a loop that nobody closes keeps no file open


def wake_through_pipes() -> None:
    """From now on have every loop that is made woken so."""
    selector_events.BaseSelectorEventLoop._make_self_pipe = _make_self_pipe  # type: ignore[attr-defined]


def _make_self_pipe(loop: Any) -> None:
    """What asyncio's own method of this name does, with a pipe."""
    loop._ssock, loop._csock = map(_End, os.pipe())
    loop._internal_fds += 1
    loop._add_reader(loop._ssock.fileno(), loop._read_from_self)
