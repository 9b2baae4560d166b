"""A result boiled down to a few numbers, so that the results of every known mistake fit into the fixtures.

Two results have the same signature if they have the same shapes, the same pattern of values that are not finite, and
the same few random projections of those that are. Results that differ agree by chance in none of a million cases. Two
faults have the same signature if torch says the same of the same sizes, in whichever order; no other fault is like
another.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from grader.model.crash import NO_CRASH, digest
from grader.model.observation import Ending, Fault, Observation, Returned

PROJECTIONS = 4
# Relative to the largest projection. Float32 attention errs by a millionth, amplified by scores that were not scaled.
TOLERANCE = 2e-4
ABSOLUTE = 1e-6
# Values in a result: more than any case of an exercise gives.
LARGEST = 1 << 16
PACKED = np.dtype([("form", np.uint32), ("values", np.float64, PROJECTIONS)])
FAULT = zlib.crc32(b"fault")


@dataclass(frozen=True, slots=True)
class Signature:
    """form: of shapes and patterns. values: the projections, (PROJECTIONS,)."""

    form: int
    values: Any

    @property
    def is_fault(self) -> bool:
        return self.form == FAULT

    @property
    def is_empty(self) -> bool:
        """Whether a result is nothing but NaN, infinity and 0, which many mistakes may make of it."""
        return not self.values.any()


def packed(some: Iterable[Signature]) -> Any:
    """Signatures as one array of `PACKED`, (N,), for whoever keeps or compares thousands."""
    return np.array([(each.form, each.values) for each in some], PACKED)


def unpacked(table: Any) -> list[Signature]:
    """The signatures that were packed. table: (N,)."""
    return [Signature(form, values) for form, values in zip(table["form"].tolist(), table["values"], strict=True)]


def signature(seen: Observation, name: str, count: int, minus_infinity: float | None = None) -> Signature:
    """The signature of a result called `name`.

    count: how many tensors are due; what comes after them is left out. minus_infinity: values at or below it count as
    minus infinity.
    """
    result = seen.returned.get(name)
    arrays = [] if result is None or seen.fault is not None else list(_arrays(result, seen))
    if count > 1 and len(arrays) == 1 and arrays[0].shape[:1] == (count,):  # stacked, which unpacks alike
        arrays = list(arrays[0])
    given = arrays if seen.ending is Ending.ANSWERED else []
    return of_arrays(given, count, minus_infinity, crash_digest(seen.fault or seen.refused.get(name)))


def of_arrays(
    given: Sequence[Any], count: int, minus_infinity: float | None = None, crash: int = NO_CRASH
) -> Signature:
    """The signature of a result that consists of arrays, of which so many are due; where they are fewer, of its crash.

    crash: its digest.
    """
    arrays = given[:count]
    if len(arrays) < count or any(array.size > LARGEST for array in arrays):
        return Signature(FAULT, _of_crash(crash))
    form, values = 0, np.zeros(PROJECTIONS)
    for position, array in enumerate(arrays):
        flat = np.asarray(array, np.float64).reshape(-1)
        if minus_infinity is not None:
            flat = np.where(flat <= minus_infinity, -np.inf, flat)
        pattern = np.isnan(flat) * 1 + np.isposinf(flat) * 2 + np.isneginf(flat) * 3
        form = zlib.crc32(pattern.astype(np.uint8).tobytes(), zlib.crc32(repr(array.shape).encode(), form))
        values = values + _directions(flat.size, position) @ np.where(pattern == 0, flat, 0.0)
    return Signature(form, values)


def agree(forms: Any, values: Any, own: Signature) -> Any:
    """Which of many signatures are the same as one. forms: (N,). values: (N, PROJECTIONS). Returns bool (N,)."""
    known = np.asarray(values, np.float64)
    allowed = ABSOLUTE + TOLERANCE * np.maximum(np.abs(known).max(-1), np.abs(own.values).max())
    return (np.asarray(forms) == own.form) & np.all(np.abs(known - own.values) <= allowed[:, None], axis=-1)


def _arrays(result: Returned, seen: Observation) -> Any:
    if result.kind == "sequence":
        for item in result.items:
            yield from _arrays(item, seen)
    elif result.kind == "number":
        yield np.float64(result.number)
    elif result.key in seen.tensors:
        yield seen.tensors[result.key]


def crash_digest(fault: Fault | None) -> int:
    """What torch has to say of sizes that do not fit, as a number; NO_CRASH for any other fault."""
    return digest(fault.message) if fault is not None and fault.type == "RuntimeError" else NO_CRASH


def _of_crash(number: int) -> Any:
    """A crash in place of projections; NaN, which nothing equals, where there is none that could be compared."""
    if number == NO_CRASH:
        return np.full(PROJECTIONS, np.nan)
    return np.random.default_rng(number).standard_normal(PROJECTIONS)


@lru_cache(maxsize=64)
def _directions(size: int, position: int) -> Any:
    generator = np.random.default_rng([size, position])
    return generator.standard_normal((PROJECTIONS, size)) / np.sqrt(max(size, 1))
