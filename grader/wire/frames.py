"""Frames between the parent and a worker: a length, then one safetensors file whose metadata holds a JSON message.

Both sides build the safetensors bytes with their own library (numpy, torch); this module knows only the framing and
what a header may claim. https://github.com/huggingface/safetensors describes the format.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Hashable
from dataclasses import fields
from functools import cache
from typing import Any

LENGTH = struct.Struct("<Q")
MESSAGE = "message"
# Before a module's name: no file name may mean anything to the format, as `__metadata__` would.
SOURCE = "source of "
# Before the name of a source that stands in for the solution's own.
STAND_IN = "stand_ins."
MAX_HEADER = 64 * 1024
MAX_TENSORS = 4096
MAX_DIMENSIONS = 32
# What both sides speak. bfloat16 and complex have no numpy type and never cross.
ITEM_BYTES = {"BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "I32": 4, "I64": 8, "F16": 2, "F32": 4, "F64": 8}


class MalformedFrame(ValueError):
    """Bytes that are no frame of ours. From a worker: it lied or it died, and nothing in it is believed."""


def metadata(message: dict[str, Any]) -> dict[str, str]:
    """A message as safetensors metadata: one key, because several are written in random order."""
    return {MESSAGE: json.dumps(message, sort_keys=True, separators=(",", ":"), default=_fields)}


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass by those of its fields that are not as they are by default; dataclasses inside follow by themselves.

    Half of a message's bytes, and the time to write and to read them, would say that nothing is said.
    """
    return {name: part for name, default in _defaults(value.__class__) if (part := getattr(value, name)) != default}


@cache
def _defaults(kind: Hashable) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind))  # type: ignore[arg-type]


def read_message(frame: bytes, max_header: int = MAX_HEADER) -> dict[str, Any]:
    """The message of a frame, after its header was checked to describe exactly the bytes that follow it.

    Raises MalformedFrame for anything else: sizes that lie, overlaps, gaps, foreign types, huge counts.
    """
    if len(frame) < LENGTH.size:
        raise MalformedFrame("shorter than its own length field")
    (size,) = LENGTH.unpack_from(frame)
    if not 2 <= size <= min(max_header, len(frame) - LENGTH.size):
        raise MalformedFrame(f"a header of {size} bytes")
    try:
        header = json.loads(frame[LENGTH.size : LENGTH.size + size])
        message = json.loads(header.pop("__metadata__")[MESSAGE])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MalformedFrame(f"an unreadable header: {type(error).__name__}") from None
    if not isinstance(header, dict) or not isinstance(message, dict):
        raise MalformedFrame("a header that is no object")
    _check_tensors(header, len(frame) - LENGTH.size - size)
    return message


def _check_tensors(header: dict[str, Any], body: int) -> None:
    if len(header) > MAX_TENSORS:
        raise MalformedFrame(f"{len(header)} tensors")
    spans = []
    for name, entry in header.items():
        try:
            dtype, shape, (start, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
        except (TypeError, KeyError, ValueError):
            raise MalformedFrame(f"tensor {name[:40]!r} is not described") from None
        if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS:
            raise MalformedFrame(f"tensor {name[:40]!r} has too many axes")
        whole = [*shape, start, end]
        if not isinstance(dtype, str) or any(type(n) is not int or not 0 <= n < 2**48 for n in whole):
            raise MalformedFrame(f"tensor {name[:40]!r} is described by no numbers")
        if dtype not in ITEM_BYTES or math.prod(shape) * ITEM_BYTES[dtype] != end - start:
            raise MalformedFrame(f"tensor {name[:40]!r} does not fill its bytes")
        spans.append((start, end))
    position = 0
    for start, end in sorted(spans):
        if start != position:
            raise MalformedFrame("tensors overlap or leave gaps")
        position = end
    if position != body:
        raise MalformedFrame("bytes that belong to no tensor")
