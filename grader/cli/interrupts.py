"""What interrupts a command: Ctrl-C, whoever ends the process, and a terminal that is closed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

Handler = Callable[[int, FrameType | None], object] | int | None
# Those of them that this system has.
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def handle(handler: Handler) -> dict[int, Handler]:
    """Have a function called at each, or done what the system does. What is to be passed over, as with `nohup`, still
    is. Returns what was done before.
    """
    before: dict[int, Handler] = {
        number: former for number in SIGNALS if (former := signal.getsignal(number)) not in (signal.SIG_IGN, None)
    }
    for number in before:
        signal.signal(number, handler)
    return before


@contextmanager
def on_interrupt(handler: Handler) -> Iterator[None]:
    """Have a function called at each while this lasts."""
    before = handle(handler)
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def give_back_cursor() -> None:
    """Show a terminal's cursor, for a process that ends: what was to do so may have been interrupted itself."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.isatty(descriptor) and os.environ.get("TERM", "dumb") != "dumb":
                os.write(descriptor, b"\x1b[?25h")
