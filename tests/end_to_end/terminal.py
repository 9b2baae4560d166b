"""A real terminal to type into and to read from: tmux, with a server of its own."""

from __future__ import annotations

import os
import select
import shlex
import subprocess
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType

# Importing torch on a busy machine with more tests beside this one.
PATIENCE = 60.0
# What is on the screen can lag behind what was written by this much.
LAG = 0.25


class Terminal(AbstractContextManager["Terminal"]):
    """A shell in a window of so many columns and lines. folder: for its socket and its pipe."""

    def __init__(
        self, folder: Path, cwd: Path, environment: dict[str, str], columns: int = 80, lines: int = 50
    ) -> None:
        self._socket, fifo = folder / "tmux.sock", folder / "written"
        os.mkfifo(fifo)
        self._written = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        shell = "exec bash --norc --noprofile -i"
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), "-c", str(cwd), shell,
            environment=environment,
        )  # fmt: skip
        self.tmux("pipe-pane", "-o", f"cat >> {shlex.quote(str(fifo))}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.tmux("kill-server")
        os.close(self._written)

    def tmux(self, *arguments: str, environment: dict[str, str] | None = None) -> str:
        command = ["tmux", "-S", str(self._socket), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=30).stdout

    def type(self, *keys: str) -> None:
        """Type keys by tmux's names for them: `n`, `Enter`, `C-c`."""
        self.tmux("send-keys", *keys)

    def write(self, text: str) -> None:
        """Type a line."""
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def resize(self, columns: int, lines: int) -> None:
        self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    def blank(self) -> None:
        """Take everything off the screen; whoever has drawn it is not told."""
        self.tmux("send-keys", "-R")

    @property
    def screen(self) -> str:
        """What is to be seen now."""
        return self.tmux("capture-pane", "-p").rstrip()

    def shows(self, *wanted: str, without: str = "\0") -> str:
        """Wait until all of this is to be seen, and that is not. Returns the screen; fails where it never comes."""
        return self.until(lambda screen: all(each in screen for each in wanted) and without not in screen, wanted)

    def until(self, is_there: Callable[[str], bool], what: object = "") -> str:
        """Wait until the screen is so. Wakes up when something is written."""
        deadline = time.monotonic() + PATIENCE
        while not is_there(screen := self.screen):
            assert time.monotonic() < deadline, f"never seen: {what}\n{screen}"
            if select.select([self._written], [], [], LAG)[0]:
                os.read(self._written, 1 << 16)
        return screen
