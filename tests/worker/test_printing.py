"""What a solution prints is counted and dropped."""

from __future__ import annotations

import contextlib
import io
import sys

from hypothesis import given
from hypothesis import strategies as st

from grader.worker.printing import Counter


def test_printing_is_counted_in_bytes() -> None:
    counter = Counter()

    with contextlib.redirect_stdout(counter):
        print("√2", end="")
        print("abc", flush=True)

    assert counter.bytes == 4 + 4


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_can_be_printed(text: str) -> None:
    counter = Counter()

    assert counter.write(text) == len(text)
    assert counter.bytes >= len(text)


def test_counting_begins_anew() -> None:
    counter = Counter()
    counter.write("abc")

    counter.reset()

    assert counter.bytes == 0


def test_a_counter_is_a_stream_like_another() -> None:
    counter = Counter()

    assert (counter.writable(), counter.readable(), counter.isatty(), counter.encoding) == (True, False, False, "utf-8")
    counter.writelines(["a", "b"])
    assert counter.bytes == 2


def test_what_a_program_sets_up_for_its_output_can_be_set_up() -> None:
    counter = Counter()

    counter.reconfigure(encoding="utf-8", line_buffering=True)
    with contextlib.redirect_stdout(counter):
        for _ in range(2):  # as each of several modules does
            sys.stdout = io.TextIOWrapper(counter.buffer, encoding="utf-8")
            print("abc", flush=True)
        counter.buffer.write(b"abc")
    assert counter.fileno() == 1
