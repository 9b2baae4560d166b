"""Frames between the parent and a worker: a length, then one safetensors file whose metadata holds a JSON message.

Each side makes arrays of the bytes with its own library (numpy, torch); this module knows the framing and what a header
may claim. It reads a header once, which the safetensors library would do again without our bounds, and there are
hundreds of frames to a submission. https://github.com/huggingface/safetensors describes the format.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from grader.model.run import told

LENGTH = struct.Struct("<Q")
MESSAGE = "message"
# Before a module's name: no file name may mean anything to the format, as `__metadata__` would.
SOURCE = "source of "
# Before the name of a source that stands in for the solution's own.
STAND_IN = "stand_ins."
MAX_HEADER = 64 * 1024
MAX_TENSORS = 4096
MAX_DIMENSIONS = 32
MOST_BYTES = 2**48
# What both sides speak. bfloat16 and complex have no numpy type and never cross.
ITEM_BYTES = {"BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "I32": 4, "I64": 8, "F16": 2, "F32": 4, "F64": 8}
# What numpy and torch call them both.
TYPES = {
    "bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "float16": "F16",
    "float32": "F32", "float64": "F64",
}  # fmt: skip
TYPE_NAMES = {short: name for name, short in TYPES.items()}
# The header is filled up to a multiple of this, so that every tensor begins where a processor likes it to.
ALIGNMENT = 8


class MalformedFrame(ValueError):
    """Bytes that are no frame of ours. From a worker: it lied or it died, and nothing in it is believed."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A tensor as its bytes, in C order. type: what numpy and torch call it."""

    name: str
    type: str
    shape: tuple[int, ...]
    content: bytes


@dataclass(frozen=True, slots=True)
class Place:
    """A tensor's type, by the name that numpy and torch have for it, its shape, and where in its frame it begins."""

    type: str
    shape: tuple[int, ...]
    start: int
    count: int


def write(message: Mapping[str, Any], tensors: Iterable[Packed] = ()) -> bytes:
    """A frame without its length. Raises KeyError for a type that does not cross."""
    header: dict[str, Any] = {"__metadata__": metadata(message)}
    parts, end = [], 0
    for packed in sorted(tensors, key=_size_of_item, reverse=True):
        start, end = end, end + len(packed.content)
        header[packed.name] = {"dtype": TYPES[packed.type], "shape": packed.shape, "data_offsets": (start, end)}
        parts.append(packed.content)
    content = ENCODER.encode(header).encode()
    content += b" " * (-len(content) % ALIGNMENT)
    return b"".join((LENGTH.pack(len(content)), content, *parts))


def read(frame: bytes | bytearray, max_header: int = MAX_HEADER) -> tuple[dict[str, Any], dict[str, Place]]:
    """A frame's message, and where its tensors are: its header was checked to describe exactly the bytes behind it.

    Raises MalformedFrame for anything else: sizes that lie, overlaps, gaps, foreign types, huge counts.
    """
    if len(frame) < LENGTH.size:
        raise MalformedFrame("shorter than its own length field")
    (size,) = LENGTH.unpack_from(frame)
    if not 2 <= size <= min(max_header, len(frame) - LENGTH.size):
        raise MalformedFrame(f"a header of {size} bytes")
    body = LENGTH.size + size
    try:
        header = json.loads(frame[LENGTH.size : body].decode())
        message = json.loads(header.pop("__metadata__")[MESSAGE])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MalformedFrame(f"an unreadable header: {type(error).__name__}") from None
    if not isinstance(header, dict) or not isinstance(message, dict):
        raise MalformedFrame("a header that is no object")
    return message, _places(header, body, len(frame)) if header or body != len(frame) else {}


def metadata(message: Mapping[str, Any]) -> dict[str, str]:
    """A message as a safetensors file has it: in one text."""
    return {MESSAGE: ENCODER.encode(message)}


ENCODER = json.JSONEncoder(separators=(",", ":"), default=told)  # dataclasses inside of others follow by themselves


def _size_of_item(packed: Packed) -> int:
    return ITEM_BYTES[TYPES[packed.type]]


def _places(header: dict[str, Any], body: int, end: int) -> dict[str, Place]:
    """Where each tensor is. body, end: where the tensors' bytes begin and end in the frame."""
    if len(header) > MAX_TENSORS:
        raise MalformedFrame(f"{len(header)} tensors")
    places: dict[str, Place] = {}
    spans = []
    for name, entry in header.items():
        try:
            dtype, shape, (start, stop) = entry["dtype"], entry["shape"], entry["data_offsets"]
        except (TypeError, KeyError, ValueError):
            raise MalformedFrame(f"tensor {name[:40]!r} is not described") from None
        if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS:
            raise MalformedFrame(f"tensor {name[:40]!r} has too many axes")
        numbers = (*shape, start, stop)
        if not isinstance(dtype, str) or any(type(n) is not int or not 0 <= n < MOST_BYTES for n in numbers):
            raise MalformedFrame(f"tensor {name[:40]!r} is described by no numbers")
        count = math.prod(shape)
        if dtype not in ITEM_BYTES or count * ITEM_BYTES[dtype] != stop - start:
            raise MalformedFrame(f"tensor {name[:40]!r} does not fill its bytes")
        # No array may have such axes, even if it is empty.
        if math.prod(filter(None, shape)) * ITEM_BYTES[dtype] > MOST_BYTES:
            raise MalformedFrame(f"tensor {name[:40]!r} has axes that are too long")
        spans.append((start, stop))
        places[name] = Place(TYPE_NAMES[dtype], tuple(shape), body + start, count)
    position = 0
    for start, stop in sorted(spans):
        if start != position:
            raise MalformedFrame("tensors overlap or leave gaps")
        position = stop
    if position != end - body:
        raise MalformedFrame("bytes that belong to no tensor")
    return places
