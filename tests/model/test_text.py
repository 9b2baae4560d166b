"""Text that a student can influence is harmless once it is cleaned."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.text import as_sentence, clean, clean_line, nearest, plural, points, printable, printable_line, some

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=2000)  # lone surrogates too


@given(ANY_TEXT, st.integers(1, 400))
def test_cleaned_text_is_one_printable_line_within_its_limit(text: str, limit: int) -> None:
    line = clean(text, limit)

    assert line.isprintable()
    assert len(line.splitlines()) <= 1
    assert len(line) <= limit


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        ("it is dropped", "It is dropped."),
        ("ändere die Zeile", "Ändere die Zeile."),
        ("is it meant?", "Is it meant?"),
        ("it's dropped", "It's dropped."),
        ("in-place edits stay", "In-place edits stay."),
        ("¿querías otra cosa?", "¿Querías otra cosa?"),
        ("1 value is off", "1 value is off."),
        ("ex01_scores.py was left out", "ex01_scores.py was left out."),
        ("`masked_fill` returns a new one", "`masked_fill` returns a new one."),
        ("keys[0] is read", "keys[0] is read."),
        ("output: it is dropped", "output: it is dropped."),
        ("", ""),
    ],
)
def test_a_fragment_becomes_a_sentence_and_a_name_stays_as_it_is_written(fragment: str, sentence: str) -> None:
    assert as_sentence(fragment) == sentence


@given(ANY_TEXT)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = clean(text)

    assert clean(once) == once


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a plain sentence, with √ and ümlauts", "a plain sentence, with √ and ümlauts"),
        ("two\nlines\r\nand\ta tab", "two lines and a tab"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "]8;;http://evil\\link]8;;\\"),
        ("right\u202eto left", "rightto left"),
        ("half a pair \ud800", "half a pair"),
        ("nul\x00 and bell\x07", "nul and bell"),
        ("para\u2029graph", "para graph"),
    ],
)
def test_controls_and_directions_are_taken_out_of_text(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_text_that_is_cut_says_so() -> None:
    assert clean("a" * 50, 10) == "a" * 9 + "…"
    assert clean("a" * 10, 10) == "a" * 10


def test_ten_megabytes_of_text_become_a_short_line() -> None:
    line = clean("x" * 10_000_000, 100)

    assert line == "x" * 99 + "…"


@given(ANY_TEXT)
def test_a_cleaned_source_line_holds_no_control_character(text: str) -> None:
    line = clean_line(text)

    assert not {c for c in line if c < " " or c == "\x7f"}
    assert "\u202e" not in line


def test_a_source_line_keeps_its_indentation() -> None:
    assert clean_line("\treturn x  # \x1b[31mred\n") == "    return x  # [31mred"


def test_one_is_singular_and_all_else_plural() -> None:
    assert [plural(n, "element") for n in (0, 1, 2)] == ["0 elements", "1 element", "2 elements"]


def test_points_are_shown_without_needless_digits() -> None:
    assert [points(value) for value in (0, 3.0, 61.5, 0.333333, 100.0)] == ["0", "3", "61.5", "0.33", "100"]


@pytest.mark.parametrize("clear", [clean, clean_line, printable, printable_line])
@pytest.mark.parametrize("text", ["##[error]x", "x ##[set-output name=points;]5", "#\x00#\u200b[error]x", "####[[x"])
def test_no_command_for_a_ci_runner_is_left_in_a_line(clear: Callable[[str], str], text: str) -> None:
    assert "##[" not in clear(text)


@pytest.mark.parametrize("text", ["::error::x", "   ::error::x", "\u200b::add-mask::5", ":::x", "::::"])
def test_no_line_begins_with_a_command_for_a_ci_runner(text: str) -> None:
    assert not printable_line(text).lstrip().startswith("::")


def test_colons_in_a_line_are_left_alone() -> None:
    assert printable_line("    x[::2]  ") == "    x[::2]"


@pytest.mark.parametrize("clear", [clean, clean_line, printable])
def test_marks_piled_on_a_character_stop_short_of_the_lines_around_it(clear: Callable[[str], str]) -> None:
    pile = "x" + "\N{COMBINING ACUTE ACCENT}" * 50

    assert clear(f"{pile}y") == "x" + "\N{COMBINING ACUTE ACCENT}" * 4 + "y"
    for text in ("e\N{COMBINING ACUTE ACCENT}te\N{COMBINING ACUTE ACCENT}", "שָׁלוֹם", "กี่", "हिन्दी"):
        assert clear(text) == text


def test_a_long_list_of_names_is_cut_and_says_how_many_more_there_are() -> None:
    assert some(["ada", "bob\n"]) == "ada, bob"
    assert some([f"s{n}" for n in range(23)], most=2) == "s0, s1 and 21 more"
    assert some([]) == ""


def test_a_mistyped_name_is_taken_for_the_nearest_that_there_is_or_for_none() -> None:
    known = ("run", "watch", "verify")

    assert nearest("wach", known) == "watch"
    assert nearest("hnit", ("init", "hint")) == "hint"
    assert nearest("vrfy", known, likeness=0.9) == ""
    assert nearest("export", known) == ""
