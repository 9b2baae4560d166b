"""How far a batch is: plain lines in a log, a bar on a terminal."""

from __future__ import annotations

import io

import pytest

from grader.report.outcome import Outcome, duration
from grader.report.tally import Tally


class Log(io.StringIO):
    """A file."""

    encoding = "utf-8"


class Watched(Log):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_where_nobody_watches_there_are_few_plain_lines() -> None:
    stream = Log()

    with Tally(3, stream) as tally:
        for outcome in (Outcome.FULL, Outcome.PARTIAL, Outcome.UNGRADED):
            tally.add(outcome, is_kept=False)

    assert stream.getvalue() == "3 of 3: 1 full · 1 partial · 0 failed · 0 crashed · 1 ungraded\n"


def test_where_nothing_could_be_graded_no_line_counts_nothing() -> None:
    stream = Log()

    with pytest.raises(ValueError, match="no device"), Tally(3, stream):
        raise ValueError("no device")

    assert stream.getvalue() == ""


def test_a_terminal_gets_a_bar_with_rate_time_left_and_counts() -> None:
    stream = Watched()

    with Tally(3, stream) as tally:
        tally.add(Outcome.CRASHED, is_kept=False)
        line = tally.line()

    assert "1 of 3" in stream.getvalue()
    assert "\x1b[" in stream.getvalue()
    assert "/s, " in line
    assert line.endswith("left: 0 full · 0 partial · 0 failed · 1 crashed")


def test_what_was_kept_says_nothing_of_the_rate() -> None:
    tally = Tally(3, Log())

    tally.add(Outcome.FULL, is_kept=True)

    assert tally.rate == 0
    assert tally.line() == "1 of 3: 1 full · 0 partial · 0 failed · 0 crashed"


def test_durations_are_for_people() -> None:
    assert [duration(seconds) for seconds in (0.4, 59.4, 60, 3725)] == ["0 s", "59 s", "1 min 0 s", "1 h 2 min"]
