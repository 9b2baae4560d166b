"""What the student sees: on a terminal one page at a time, drawn anew when its size changes; else plain lines."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, TextIO

from grader.report.colours import SHADES, has_shades
from grader.report.lines import PLAIN, WIDEST, Line, lay_out_within, text, wrapped
from grader.report.terminal import encodable, styled

if TYPE_CHECKING:
    from rich.console import Console


# What lays lines out for the window as it is when they are drawn.
Drawing = Callable[[], Iterable[Line]]


class Screen:
    """Prints pages. coloured: in colours enough for a heat map. clears: a page takes the place of the one before."""

    def __init__(self, stream: TextIO = sys.stdout) -> None:
        self._stream = stream
        self._console = _console(stream) if stream.isatty() else None
        self._fit()
        self.coloured = self._console is not None and has_shades(self._console)
        self.clears = self._console is not None and not self._console.is_dumb_terminal
        self._versions: tuple[Drawing, ...] = (list,)
        self._core: Drawing = list
        self._foot: Drawing = list
        self._below: list[tuple[str, Drawing]] = []
        self._asked = self._echoed = ""  # the question that is open, and what is typed behind it

    def page(self, *versions: Drawing, core: Drawing = list, foot: Drawing = list) -> None:
        """Show a page instead of what is there. versions: the shorter ones, for less tall windows, later.

        core, foot: for a window that has no room for any of them. As much of the core is shown as the foot leaves room
        for; without a core, the last version scrolls.
        """
        self._versions, self._core, self._foot, self._below = versions, core, foot, []
        self._asked = self._echoed = ""
        self.redraw()

    def add(self, more: Drawing, of: str = "") -> None:
        """Show something below the page, and above a question that is open.

        of: what it tells of, where the latest news of that is all that is to stay; "" for what stays anyhow.
        """
        others = [each for each in self._below if not of or each[0] != of]
        is_news = len(others) < len(self._below)
        self._below = [*others, (of, more)]
        if (self._asked or is_news) and self.clears:
            self.redraw()
        else:
            self._print([[], *more()] if self._asked else more())
            self._ask_again()

    def redraw(self) -> None:
        """Draw the page again; nothing where nothing is ever taken away."""
        lines = [*self._fitting(), *(line for _, more in self._below for line in more())]
        with self._console or nullcontext():  # at one stroke, so that nobody sees the window empty
            if self.clears and self._console is not None:
                self._console.clear()
            self._print(lines)
        self._ask_again()

    def resized(self) -> None:
        """Draw the page for the window as it is now."""
        self._fit()
        if self.clears:
            self.redraw()

    def ask(self, question: str) -> None:
        """Print a question; the answer is typed behind it. It stays until the next page."""
        self._asked, self._echoed = question, ""
        self._ask_again()

    def echo(self, characters: str) -> None:
        """Show what is typed, where the terminal does not."""
        self._echoed += characters
        print(characters, end="", file=self._stream, flush=True)

    def _fit(self) -> None:
        if self._console is not None:  # a terminal that knows no size of its own says 0
            lay_out_within(self._size().columns or WIDEST)

    def _size(self) -> os.terminal_size:
        """Asked of the terminal itself: LINES and COLUMNS, where somebody exported them, are what they were once."""
        return os.get_terminal_size(self._stream.fileno())

    def _ask_again(self) -> None:
        if self._asked:
            asked = "\n".join(map(text, wrapped(self._asked, "  ", PLAIN)))
            print(encodable(asked, self._stream), self._echoed, end="", file=self._stream, flush=True)

    def _fitting(self) -> list[Line]:
        """The first version that the window has room for, else the core and the foot."""
        room = self._size().lines - 1 if self.clears else None
        for version in self._versions:
            lines = [*version()]
            if room is None or len(lines) <= room:
                return lines
        core, foot = [*self._core()], [*self._foot()]
        return [*core[: max(room - len(foot), 1)], *foot] if room and core else lines

    def _print(self, lines: Iterable[Line]) -> None:
        for line in lines:
            if self._console is None:
                print(encodable(text(line), self._stream), file=self._stream)
            else:
                self._console.print(styled(line, self._stream, SHADES if self.coloured else {}), crop=False)
        self._stream.flush()


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
