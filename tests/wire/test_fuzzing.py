"""Ten thousand malformed frames: each is refused or harmless, none crashes the parent, hangs it or earns a point."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from functools import cache
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.model.observation import Ending, Observation
from grader.model.run import Call, Run, Tensor
from grader.runner.processes.channel import Channel
from grader.runner.processes.child import Child
from grader.runner.processes.spawner import Process
from grader.wire.frames import LENGTH, metadata
from grader.wire.observations import Slip, write_slip

FRAMES = 10_000
SECONDS = 5.0
ANSWER = np.arange(12, dtype=np.float32).reshape(4, 3)
RUN = Run((Call("result", module="ex01_dot_product_scores", definition="f", arguments=(Tensor("x"),)),), {"x": ANSWER})
RETURNED = {
    "kind": "tensor", "key": "result", "dtype": "float32", "shape": [4, 3], "device": "cpu", "type": "torch.Tensor",
    "number": 0.0, "items": [],
}  # fmt: skip
HONEST = {"returned": {"result": RETURNED}}
SLIP = write_slip(Slip(1, 0.5))


@cache
def honest_frame() -> bytes:
    return safetensors.numpy.save({"result": ANSWER}, metadata(HONEST))


class Sender:
    """A spawner whose one process is a thread here that sends given bytes, piece by piece, and hangs up."""

    without: frozenset[str] = frozenset()
    generation = 0

    def __init__(self, pieces: list[bytes], pause: float) -> None:
        opening = safetensors.numpy.save({}, metadata({"isolation": []}))
        self._pieces, self._pause = [LENGTH.pack(len(opening)), opening, *pieces], pause
        self.ended = 0

    def isolation(self) -> tuple[str, ...]:
        return ()

    def spawn(self) -> tuple[Process, Channel]:
        ours, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._send)
        self._thread.start()
        return Process(1, 0), Channel(ours)

    def end(self, process: Process) -> int:
        self.ended += 1
        self._end.close()
        self._thread.join()
        return -9

    def _send(self) -> None:
        gone = threading.Event()
        with contextlib.suppress(OSError):  # the parent may have had enough
            for piece in self._pieces:
                self._end.sendall(piece)
                gone.wait(self._pause)
            self._end.shutdown(socket.SHUT_WR)


def answer_to(pieces: list[bytes], seconds: float = SECONDS, pause: float = 0.0) -> tuple[Observation, Sender]:
    """What the parent makes of a process that sends these bytes in answer to a run."""
    sender = Sender(pieces, pause)
    child = Child(sender, {}, {})  # type: ignore[arg-type]
    (seen,) = child.ask_each([RUN], seconds, lambda _: False)
    child.kill()
    return seen, sender


def sent(*frames: bytes) -> bytes:
    """Frames as they cross."""
    return b"".join(LENGTH.pack(len(frame)) + frame for frame in frames)


def test_the_honest_answer_is_believed() -> None:
    seen, sender = answer_to([sent(SLIP, honest_frame())])

    assert (seen.ending, sender.ended) == (Ending.ANSWERED, 1), seen.detail
    assert seen.tensors["result"].tolist() == ANSWER.tolist()


def header_of(frame: bytes) -> tuple[dict[str, Any], bytes]:
    (size,) = LENGTH.unpack_from(frame)
    return json.loads(frame[8 : 8 + size]), frame[8 + size :]


def with_header(header: Any, body: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return LENGTH.pack(len(text)) + text + body


def lying(change: dict[str, Any]) -> bytes:
    """The honest frame, its tensor described otherwise than it lies there."""
    header, body = header_of(honest_frame())
    header["result"] |= change
    return with_header(header, body)


def saying(change: dict[str, Any]) -> bytes:
    """The honest frame with another message."""
    return safetensors.numpy.save({"result": ANSWER}, metadata(HONEST | change))


def called(name: str) -> bytes:
    """The honest frame, its tensor under another name."""
    return safetensors.numpy.save({name: ANSWER}, metadata(HONEST))


sizes = st.integers(0, 2**64 - 1)
wrong_counts = st.lists(st.integers(-3, 2**62), max_size=40).filter(lambda shape: shape not in ([4, 3],))
shapes = wrong_counts.filter(lambda shape: np.prod(np.array(shape, dtype=object)) != 12)
offsets = st.tuples(st.integers(-9, 2**63), st.integers(-9, 2**63)).filter(lambda pair: pair != (0, 48)).map(list)
names = st.text(max_size=60).filter(lambda name: name not in ("result", "__metadata__"))
simple = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
flat = simple | st.lists(simple, max_size=3) | st.dictionaries(st.text(max_size=5), simple, max_size=3)
nested = flat | st.lists(flat, max_size=3) | st.dictionaries(st.text(max_size=5), flat, max_size=3)
no_result = nested.filter(lambda value: not (isinstance(value, dict) and "result" in value))

# Bodies of frames, each of which is malformed by the way it was made.
malformed = st.one_of(
    st.binary(max_size=400).filter(lambda content: content != honest_frame()),
    st.integers(0, len(honest_frame()) - 1).map(lambda size: honest_frame()[:size]),
    st.binary(min_size=1, max_size=300).map(lambda trailing: honest_frame() + trailing),
    shapes.map(lambda shape: lying({"shape": shape})),
    offsets.map(lambda pair: lying({"data_offsets": pair})),
    st.sampled_from(["F64", "BF16", "I8", "U8", "F8_E4M3", "", "f32", "C64"]).map(lambda name: lying({"dtype": name})),
    nested.map(lambda value: lying({"shape": value if value != [4, 3] else None})),
    names.map(called),
    names.map(lambda name: safetensors.numpy.save({"result": ANSWER, name: ANSWER}, metadata(HONEST))),
    no_result.map(lambda value: saying({"returned": value})),
    nested.map(lambda value: saying({"returned": {"result": RETURNED | {"shape": [value]}}})),
    nested.map(lambda value: with_header(value, b"")),
    sizes.map(lambda size: struct.pack("<Q", size) + honest_frame()[8:]).filter(lambda made: made != honest_frame()),
    st.integers(100, 70_000).map(lambda depth: with_header(b"[" * depth, b"")),
    st.integers(4097, 4200).map(
        lambda count: with_header(
            {f"t{n}": {"dtype": "U8", "shape": [0], "data_offsets": [0, 0]} for n in range(count)}, b""
        )
    ),
)  # fmt: skip

# Slips, each of them malformed as well.
numbers = st.integers(-5, 2**70).filter(lambda number: number != 1)
no_slip = st.one_of(
    st.binary(max_size=200),
    st.integers(0, len(SLIP) - 1).map(lambda size: SLIP[:size]),
    numbers.map(lambda number: write_slip(Slip(number, 0.5))),
    nested.map(lambda value: json.dumps(value).encode() + b"\n{}"),
    nested.filter(lambda value: value not in (1, True)).map(
        lambda value: json.dumps([value, 0.5, 0, None]).encode() + b"\n{}"
    ),
    nested.filter(lambda value: value != {}).map(
        lambda value: SLIP.partition(b"\n")[0] + b"\n" + json.dumps(value).encode()
    ),
    st.integers(100, 70_000).map(lambda depth: b"[" * depth),
).filter(lambda made: made != SLIP)


@pytest.mark.no_cover
@given(no_slip)
def test_so_is_an_answer_whose_slip_is_none(slip: bytes) -> None:
    seen, sender = answer_to([sent(slip, honest_frame())])

    assert (seen.ending, sender.ended) == (Ending.CRASHED, 1)
    assert (seen.returned, seen.tensors) == ({}, {})


@pytest.mark.no_cover
@given(malformed)
def test_a_malformed_frame_is_a_crash_and_never_a_point_or_an_exception(content: bytes) -> None:
    refused(content)


@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.timeout(480)  # also on a busy machine
@settings(max_examples=FRAMES, database=None)
@given(malformed)
def test_none_of_ten_thousand_malformed_frames_is_a_point_or_an_exception(content: bytes) -> None:
    refused(content)


def refused(content: bytes) -> None:
    seen, sender = answer_to([sent(SLIP, content)])

    assert (seen.ending, sender.ended) == (Ending.CRASHED, 1)
    assert (seen.returned, seen.tensors) == ({}, {})


@settings(max_examples=300)
@given(sizes.filter(lambda size: size != len(honest_frame())))
def test_a_length_that_lies_is_a_crash(size: int) -> None:
    seen, sender = answer_to([sent(SLIP), LENGTH.pack(size), honest_frame()])

    assert (seen.ending, sender.ended) == (Ending.CRASHED, 1)


def test_a_frame_that_drips_ends_at_the_deadline() -> None:
    started = time.monotonic()

    seen, sender = answer_to([bytes([byte]) for byte in sent(SLIP, honest_frame())], seconds=0.3, pause=0.01)

    assert (seen.ending, sender.ended) == (Ending.TIMEOUT, 1)
    assert time.monotonic() - started < SECONDS


def test_a_frame_in_many_pieces_is_believed_within_the_deadline() -> None:
    seen, _ = answer_to([bytes([byte]) for byte in sent(SLIP, honest_frame())])

    assert seen.ending is Ending.ANSWERED
