"""A frame is believed only where its header describes exactly the bytes that follow."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import example, given
from hypothesis import strategies as st

from grader.wire.frames import (
    ALIGNMENT,
    LENGTH,
    MAX_DIMENSIONS,
    MAX_HEADER,
    MAX_TENSORS,
    MalformedFrame,
    Packed,
    Place,
    metadata,
    read,
    write,
)

MESSAGE = {"returned": {}, "printed": 3}
TENSORS = {"x": np.arange(6, dtype=np.float32).reshape(2, 3), "mask": np.ones(4, bool), "none": np.zeros((0, 2))}
FRAME = safetensors.numpy.save(TENSORS, metadata(MESSAGE))

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=5,
)


def frame(header: Any, body: bytes = b"") -> bytes:
    """A frame with this header, whatever it says."""
    content = header if isinstance(header, bytes) else json.dumps(header).encode()
    return LENGTH.pack(len(content)) + content + body


def describing(**tensors: Any) -> dict[str, Any]:
    """A header with an empty message and these entries."""
    return {"__metadata__": {"message": "{}"}, **tensors}


def entry(start: Any, end: Any, shape: Any = None, dtype: Any = "U8") -> dict[str, Any]:
    return {"dtype": dtype, "shape": [end - start] if shape is None else shape, "data_offsets": [start, end]}


def test_a_message_arrives_beside_its_tensors() -> None:
    message, places = read(FRAME)

    assert message == MESSAGE
    assert {name: (place.type, place.shape, place.count) for name, place in places.items()} == {
        name: (array.dtype.name, array.shape, array.size) for name, array in TENSORS.items()
    }
    assert FRAME[places["x"].start :][:24] == TENSORS["x"].tobytes()


def test_what_is_written_is_a_safetensors_file_and_reads_back_as_it_was() -> None:
    written = write(MESSAGE, [Packed(n, a.dtype.name, a.shape, a.tobytes()) for n, a in TENSORS.items()])

    found = safetensors.numpy.load(written)
    assert {name: (array.dtype, array.tolist()) for name, array in found.items()} == {
        name: (array.dtype, array.tolist()) for name, array in TENSORS.items()
    }
    assert read(written)[0] == MESSAGE


def test_every_tensor_begins_where_a_processor_likes_it_to() -> None:
    some = [
        Packed("m", "bool", (3,), bytes(3)),
        Packed("h", "float16", (1,), bytes(2)),
        Packed("d", "float64", (1,), bytes(8)),
    ]

    _, places = read(write({}, some))

    assert [places[name].start % size for name, size in (("d", 8), ("h", 2))] == [0, 0]
    assert places["d"] == Place("float64", (1,), places["d"].start, 1)
    assert min(place.start for place in places.values()) % ALIGNMENT == 0


def test_a_type_that_does_not_cross_cannot_be_written() -> None:
    with pytest.raises(KeyError):
        write({}, [Packed("x", "complex64", (1,), bytes(8))])


def test_a_frame_without_tensors_is_a_frame() -> None:
    assert read(frame(describing())) == ({}, {})


@given(st.binary(max_size=300))
@example(b"")
@example(LENGTH.pack(2) + b"{}")
@example(LENGTH.pack(2**64 - 1))
@example(frame(b"[" * 60_000))
@example(frame(b'{"__metadata__": {"message": ' + b"9" * 5000 + b"}}"))
@example(frame("\ud800".encode("utf-8", "surrogatepass")))
def test_arbitrary_bytes_are_refused_and_never_trip_the_reader(content: bytes) -> None:
    with contextlib.suppress(MalformedFrame):
        read(content)


@given(st.data())
def test_a_frame_that_was_tampered_with_is_refused_or_read(data: st.DataObject) -> None:
    changed = bytearray(FRAME)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(changed) - 1))
        changed[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))

    with contextlib.suppress(MalformedFrame):
        assert isinstance(read(bytes(changed))[0], dict)


@given(json_values, st.binary(max_size=20))
def test_any_header_is_refused_or_read(header: Any, body: bytes) -> None:
    with contextlib.suppress(MalformedFrame):
        assert isinstance(read(frame(header, body))[0], dict)


@given(json_values, json_values, json_values, st.binary(max_size=20))
def test_any_description_of_a_tensor_is_refused_or_true(dtype: Any, shape: Any, offsets: Any, body: bytes) -> None:
    header = describing(x={"dtype": dtype, "shape": shape, "data_offsets": offsets})

    with pytest.raises(MalformedFrame):
        read(frame(header, body))


@given(st.integers(0, len(FRAME) - 1))
def test_a_frame_that_is_cut_short_is_refused(length: int) -> None:
    with pytest.raises(MalformedFrame):
        read(FRAME[:length])


def test_a_tensor_that_overlaps_another_is_refused() -> None:
    with pytest.raises(MalformedFrame, match="overlap"):
        read(frame(describing(a=entry(0, 4), b=entry(2, 6)), bytes(6)))


def test_a_gap_between_two_tensors_is_refused() -> None:
    with pytest.raises(MalformedFrame, match="gaps"):
        read(frame(describing(a=entry(0, 4), b=entry(5, 6)), bytes(6)))


def test_two_names_for_the_same_bytes_are_refused() -> None:
    with pytest.raises(MalformedFrame, match="overlap"):
        read(frame(describing(a=entry(0, 4), b=entry(0, 4)), bytes(4)))


@pytest.mark.parametrize("body", [b"", bytes(3), bytes(5)])
def test_bytes_that_belong_to_no_tensor_are_refused(body: bytes) -> None:
    with pytest.raises(MalformedFrame, match="belong to no tensor"):
        read(frame(describing(a=entry(0, 4)), body))


@pytest.mark.parametrize("dtype", ["BF16", "F8_E4M3", "C64", "U128", "", None, 4, ["F32"]])
def test_a_type_that_does_not_cross_is_refused(dtype: Any) -> None:
    with pytest.raises(MalformedFrame, match="'a'"):
        read(frame(describing(a=entry(0, 4, [2], dtype)), bytes(4)))


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param([5], id="more than there is"),
        pytest.param([-4], id="negative"),
        pytest.param([2**62, 2**62], id="huge"),
        pytest.param([4.0], id="no whole number"),
        pytest.param([True, 4], id="a truth value"),
        pytest.param(["4"], id="text"),
        pytest.param({"0": 4}, id="an object"),
        pytest.param([1] * MAX_DIMENSIONS + [4], id="too many axes"),
        pytest.param([], id="a scalar of four bytes"),
        pytest.param([2**40, 2**40, 0], id="nothing, of axes that no array can have"),
    ],
)
def test_a_shape_that_lies_is_refused(shape: Any) -> None:
    with pytest.raises(MalformedFrame):
        read(frame(describing(a=entry(0, 4, shape)), bytes(4)))


@pytest.mark.parametrize("offsets", [[0], [0, 4, 4], "04", 4, None, [4, 0], [-4, 0], [0.0, 4.0], [False, 4]])
def test_offsets_that_lie_are_refused(offsets: Any) -> None:
    described = {"dtype": "U8", "shape": [4], "data_offsets": offsets}

    with pytest.raises(MalformedFrame):
        read(frame(describing(a=described), bytes(4)))


@pytest.mark.parametrize("described", [None, 3, "U8", [], {}, {"dtype": "U8", "shape": [4]}])
def test_a_tensor_without_a_description_is_refused(described: Any) -> None:
    with pytest.raises(MalformedFrame, match="not described"):
        read(frame(describing(a=described), bytes(4)))


def test_a_header_that_is_too_long_is_refused_before_it_is_read() -> None:
    header = describing(padding=" " * MAX_HEADER)

    with pytest.raises(MalformedFrame, match="a header of"):
        read(frame(header))


def test_a_hundred_thousand_empty_tensors_are_refused() -> None:
    header = describing(**{f"t{i}": entry(0, 0) for i in range(MAX_TENSORS + 1)})

    with pytest.raises(MalformedFrame, match=f"{MAX_TENSORS + 1} tensors"):
        read(frame(header), max_header=1 << 24)


@pytest.mark.parametrize(
    "header",
    [
        pytest.param([], id="a list"),
        pytest.param("text", id="text"),
        pytest.param(None, id="null"),
        pytest.param({}, id="no metadata"),
        pytest.param({"__metadata__": None}, id="null metadata"),
        pytest.param({"__metadata__": []}, id="a list of metadata"),
        pytest.param({"__metadata__": {"other": "{}"}}, id="no message"),
        pytest.param({"__metadata__": {"message": {}}}, id="a message that is no text"),
        pytest.param({"__metadata__": {"message": "[]"}}, id="a message that is a list"),
        pytest.param({"__metadata__": {"message": "{"}}, id="a message that is no JSON"),
        pytest.param(b"\xff\xfe{", id="no text at all"),
        pytest.param(b'{"__metadata__"', id="no JSON"),
    ],
)
def test_a_header_of_another_form_is_refused(header: Any) -> None:
    with pytest.raises(MalformedFrame):
        read(frame(header))


@pytest.mark.parametrize("shape", [[2**40, 2**40, 0], [0, 2**47, 2**47], [2**20] * 3 + [0]])
def test_nothing_of_axes_that_no_array_can_have_is_refused(shape: list[int]) -> None:
    with pytest.raises(MalformedFrame, match="too long"):
        read(frame(describing(a=entry(0, 0, shape))))
