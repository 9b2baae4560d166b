"""What the parent asks of a zygote, over a socket of its own: one letter, then the child that is meant, if any.

To learn is to read requests from a file that comes along, which every later child then knows by their places.

And what it asks of a child that is late, which reads no socket: a signal.
"""

from __future__ import annotations

import signal

FORK, END, LEARN = b"f", b"e", b"l"
# Where are you? None where there is no such signal.
WHERE: signal.Signals | None = getattr(signal, "SIGUSR1", None)
NUMBER_BYTES = 8


def request(letter: bytes, number: int = 0) -> bytes:
    """A request, such as to end the child of that number."""
    return letter + number.to_bytes(NUMBER_BYTES, "little")


def read_request(data: bytes) -> tuple[bytes, int]:
    """A request's letter and number."""
    return data[:1], int.from_bytes(data[1:], "little")
