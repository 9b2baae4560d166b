"""A channel waits for nobody who waits for it, and for nobody beyond its deadline."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from grader.runner.processes import channel as channel_module
from grader.runner.processes.channel import AT_ONCE, MOST_AHEAD, Channel, HungUp, Late
from grader.wire.frames import LENGTH

ANSWER = LENGTH.pack(50_000) + bytes(50_000)
SECONDS = 20.0


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def soon(seconds: float = SECONDS) -> float:
    return time.monotonic() + seconds


def read(end: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        data += end.recv(size - len(data))
    return data


def test_whoever_answers_before_reading_on_is_sent_more_than_both_buffers_hold(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    channel, theirs = Channel(ends[0]), ends[1]
    many, question = 400, b"q" * 600

    def answer() -> None:
        for _ in range(many):
            read(theirs, LENGTH.size + len(question))
            theirs.sendall(ANSWER)

    child = threading.Thread(target=answer, daemon=True)
    child.start()
    for _ in range(many):  # each by itself, which takes far more of a buffer than its bytes
        channel.send([question], soon())

    assert all(len(channel.take(50_000, soon())) == 50_000 for _ in range(many))
    child.join()


def test_a_child_that_reads_nothing_is_late_however_much_it_says(ends: tuple[socket.socket, socket.socket]) -> None:
    channel, theirs = Channel(ends[0]), ends[1]

    def flood() -> None:
        with contextlib.suppress(OSError):
            while True:
                theirs.sendall(bytes(1 << 20))

    threading.Thread(target=flood, daemon=True).start()
    with pytest.raises(Late):
        channel.send([bytes(1 << 22)], soon(1.0))

    assert channel.ahead < MOST_AHEAD + AT_ONCE


def test_a_child_that_always_has_something_to_say_is_late_all_the_same(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    said, clock = 1_000, itertools.count()
    monkeypatch.setattr(channel_module, "AT_ONCE", 1)
    monkeypatch.setattr(channel_module, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    channel = Channel(ends[0])
    ends[1].sendall(bytes(said))

    with pytest.raises(Late):
        channel.send([bytes(1 << 22)], 10.0)

    assert 0 < channel.ahead < said


def test_nobody_at_the_other_end_is_told(ends: tuple[socket.socket, socket.socket]) -> None:
    channel = Channel(ends[0])
    ends[1].close()

    with pytest.raises(HungUp):
        channel.send([bytes(1 << 22)], soon())
