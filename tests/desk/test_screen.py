"""What is on the screen stays there until something takes its place, a question too."""

from __future__ import annotations

import io
import os
import pty
import re
import termios
from collections.abc import Iterator
from contextlib import suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, TextIO

import pytest

from grader.desk.screen import Screen
from grader.report.lines import PLAIN, width, wrapped

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer

QUESTION = "Go to number:"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, TextIO]]:
    """A terminal's other end, and a stream to it."""
    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as stream:
        yield ours, stream
    os.close(ours)


def written(terminal: int) -> str:
    """What has come since the last look."""
    os.set_blocking(terminal, False)
    found = b""
    with suppress(BlockingIOError):
        while True:
            found += os.read(terminal, 1 << 16)
    return found.decode("utf-8")


def test_a_question_is_still_there_when_all_is_drawn_anew(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal
    screen = Screen(stream)
    screen.page(lambda: [[("the list", PLAIN)]])
    screen.ask(QUESTION)
    for character in ("1", "2", "\b \b"):
        screen.echo(character)
    written(end)

    screen.resized()

    drawn = written(end)
    assert "the list" in drawn
    assert drawn.endswith(f"  {QUESTION} 12\b \b")


def test_a_page_takes_the_place_of_another_at_one_stroke(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody sees the window empty in between."""
    strokes: list[bytes] = []

    class Watched(io.FileIO):
        def write(self, data: Buffer, /) -> int:
            strokes.append(bytes(data))
            return super().write(data)

    monkeypatch.setenv("TERM", "xterm")
    ours, theirs = pty.openpty()
    with io.TextIOWrapper(io.BufferedWriter(Watched(theirs, "w")), encoding="utf-8") as stream:
        screen = Screen(stream)
        screen.page(lambda: [[("the page before", PLAIN)]])
        strokes.clear()

        screen.page(lambda: [[("the first line", PLAIN)], [("the last line", PLAIN)]])

    os.close(ours)
    (stroke,) = strokes
    assert stroke.startswith(b"\x1b[2J")
    assert b"the first line" in stroke
    assert b"the last line" in stroke


def test_a_question_is_broken_between_words(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal
    termios.tcsetwinsize(end, (24, 44))

    def asked() -> str:
        screen = Screen(stream)
        screen.ask("Put the stub of ex05_scaled_scores.py back? Yours is kept:")
        screen.echo("y")
        return written(end)

    assert copy_context().run(asked) == "  Put the stub of ex05_scaled_scores.py\r\n  back? Yours is kept: y"


def test_of_the_news_of_one_thing_the_latest_stays(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal
    screen = Screen(stream)
    screen.page(lambda: [[("the page", PLAIN)]])
    screen.add(lambda: [[("ex02 was saved", PLAIN)]], of="saves")
    screen.add(lambda: [[("polling", PLAIN)]])
    written(end)

    screen.add(lambda: [[("ex03 was saved", PLAIN)]], of="saves")

    drawn = written(end)
    assert "the page" in drawn, "all is drawn anew"
    assert drawn.index("polling") < drawn.index("ex03 was saved")
    assert "ex02 was saved" not in drawn


def test_what_is_said_meanwhile_stands_above_the_question(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal
    screen = Screen(stream)
    screen.page(lambda: [[("the list", PLAIN)]])
    screen.ask(QUESTION)
    screen.echo("1")
    written(end)

    screen.add(lambda: [[("polling", PLAIN)]])

    cleared, *lines = written(end).split("\r\n")
    assert cleared.endswith("the list")
    assert lines == ["polling", f"  {QUESTION} 1"]


def test_what_is_there_is_laid_out_anew_for_another_width(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal

    def widest_after(columns: int) -> int:
        termios.tcsetwinsize(end, (24, columns))
        screen.resized()
        drawn = re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", written(end))
        return max(map(len, drawn.split("\r\n")))

    def widest() -> list[int]:
        screen.page(lambda: wrapped("a page " * 30, "", PLAIN))
        screen.add(lambda: wrapped("a sentence " * 30, "", PLAIN))
        return [widest_after(columns) for columns in (78, 44, 60)]

    screen = Screen(stream)
    broad, narrow, between = copy_context().run(widest)

    assert narrow <= 44 < between <= 60 < broad <= 78


def test_a_page_takes_the_place_of_a_question(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal
    screen = Screen(stream)
    screen.ask(QUESTION)
    screen.page(lambda: [[("ex01", PLAIN)]])
    written(end)

    screen.resized()

    drawn = written(end)
    assert "ex01" in drawn
    assert QUESTION not in drawn


def test_where_nothing_has_room_the_core_is_cut_above_its_foot(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal

    def numbered(what: str, count: int) -> list[list[tuple[str, str]]]:
        return [[(f"{what} {number}", PLAIN)] for number in range(count)]

    def shown_in(lines: int) -> list[str]:
        termios.tcsetwinsize(end, (lines, 80))
        screen.resized()
        return re.sub(r"\x1b\[[\d;]*[A-Za-z]", "", written(end)).split("\r\n")[:-1]

    screen = Screen(stream)
    screen.page(
        lambda: numbered("long", 20), lambda: numbered("short", 10),
        core=lambda: numbered("core", 8), foot=lambda: numbered("foot", 2),
    )  # fmt: skip
    written(end)

    assert [len(shown_in(lines)) for lines in (21, 11)] == [20, 10]
    assert shown_in(10) == [*(f"core {number}" for number in range(7)), "foot 0", "foot 1"]
    assert shown_in(5) == ["core 0", "core 1", "foot 0", "foot 1"]
    assert shown_in(2) == ["core 0", "foot 0", "foot 1"]


def test_what_comes_is_laid_out_for_the_window_as_it_is_now(terminal: tuple[int, TextIO]) -> None:
    end, stream = terminal

    def widths() -> Iterator[int]:
        termios.tcsetwinsize(end, (24, 50))
        screen = Screen(stream)
        yield width()
        for columns in (70, 20, 200):
            termios.tcsetwinsize(end, (24, columns))
            screen.resized()
            yield width()

    assert copy_context().run(lambda: [*widths()]) == [50, 70, 40, 80]
