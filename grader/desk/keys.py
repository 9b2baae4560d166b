"""Reads what is typed, key by key or a line at a time, and leaves the terminal as it was however the process ends."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from grader.desk.events import Resized, Typed

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = tty = None  # type: ignore[assignment]

# More than anybody types between two looks.
MOST = 4096
ESCAPE = "\x1b"
# Between two looks whether the process is in front again.
BEHIND_SECONDS = 0.2


class Keys:
    """A thread that waits for keys. Where the input is no terminal, each line is one key, or one answer.

    is_there: whether anything can be typed; no more once the input has ended.

    Made and closed by the main thread, because signals are set: at Ctrl-Z the terminal is given back, and taken again
    by `fg`. `told` is called with a Typed or a Resized, on any thread.
    """

    def __init__(self, told: Callable[[Typed | Resized], None]) -> None:
        self._told = told
        self._input = _descriptor()
        self.is_terminal = self._input >= 0 and termios is not None and os.isatty(self._input)
        self._before: list[Any] | None = termios.tcgetattr(self._input) if self.is_terminal else None
        self.is_there = self._input >= 0
        self._is_line = False
        self._signals: dict[int, Any] = {}
        self._wake, self._waker = os.pipe()
        if self.is_terminal:
            self._signals[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._left)
            self._signals[signal.SIGCONT] = signal.signal(signal.SIGCONT, self._back)
        if hasattr(signal, "SIGWINCH"):
            self._signals[signal.SIGWINCH] = signal.signal(signal.SIGWINCH, lambda *_: self._told(Resized()))
        self._take()
        self._thread = threading.Thread(target=self._read, name="keys", daemon=True)
        self._thread.start()

    def a_line(self) -> None:
        """From now on a whole line is typed, seen and mended as the terminal does it."""
        self._is_line = True
        self._give_back()

    def single(self) -> None:
        """From now on each key counts at once, and is not seen."""
        self._is_line = False
        self._take()

    def close(self) -> None:
        """Give the terminal back."""
        os.write(self._waker, b"x")
        self._thread.join(1.0)
        self._give_back()
        for number, before in self._signals.items():
            signal.signal(number, before)
        if not self._thread.is_alive():
            os.close(self._wake)
            os.close(self._waker)

    def _take(self) -> None:
        # Ctrl-C and Ctrl-Z still send their signals. A process in the background may not set it, and need not.
        if self._before is not None and not self._is_line and _is_in_front(self._input):
            tty.setcbreak(self._input, termios.TCSADRAIN)

    def _give_back(self) -> None:
        if self._before is not None and _is_in_front(self._input):
            with contextlib.suppress(termios.error):  # the terminal has gone
                termios.tcsetattr(self._input, termios.TCSADRAIN, self._before)

    def _left(self, _number: int, _frame: FrameType | None) -> None:
        """Ctrl-Z: leave the terminal as it was, then stop as any process does."""
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._left)  # it goes on here, also where nothing could stop it
        self._take()

    def _back(self, _number: int, _frame: FrameType | None) -> None:
        self._take()
        self._told(Resized())

    def _read(self) -> None:
        while self.is_there:
            ready, _, _ = select.select([self._input, self._wake], [], [])
            if self._wake in ready:
                return
            if self.is_terminal and not _is_in_front(self._input):  # what is typed is for the shell, and stops readers
                select.select([self._wake], [], [], BEHIND_SECONDS)
                continue
            try:
                read = os.read(self._input, MOST)
            except OSError:  # the terminal has gone, or belongs to another process now
                read = b""
            if read:
                self._tell(read.decode("utf-8", "replace"))
            elif self.is_terminal and self._is_line:  # Ctrl-D
                self._told(Typed(""))
            else:
                self.is_there = False

    def _tell(self, text: str) -> None:
        if not self.is_terminal or self._is_line:
            for line in text.splitlines():
                self._told(Typed(line.strip()))
        elif not text.startswith(ESCAPE):  # an arrow, a function key, a mouse
            for key in text:
                self._told(Typed(key))


def _descriptor() -> int:
    """Standard input's, or -1 where nothing can be waited for there."""
    if sys.platform == "win32":
        return -1
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return sys.stdin.fileno()
    return -1


def _is_in_front(descriptor: int) -> bool:
    with contextlib.suppress(OSError):
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    return False
