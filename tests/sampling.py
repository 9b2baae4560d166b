"""A share of a catalogue for every run of the tests; the rest of it is `long`."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def one_in(count: int, cases: Iterable[ParameterSet], always: Collection[str] = ()) -> list[ParameterSet]:
    """All cases, of which about one in so many is run also where there is no time for all.

    Its id alone decides, so that a new case changes nothing for the others. always: ids that are run every time.
    """
    return [each if each.id in always or turn(str(each.id), count) == 0 else _long(each) for each in cases]


def every_time(chosen: Collection[str], names: Iterable[str]) -> list[ParameterSet]:
    """A case for each name, of which only the chosen are run also where there is no time for all."""
    cases = [pytest.param(name, id=name) for name in names]
    assert set(chosen) <= {str(case.id) for case in cases}
    return [each if each.id in chosen else _long(each) for each in cases]


def turn(name: str, count: int) -> int:
    """Which of so many falls to a name: always the same, whatever others there are."""
    return zlib.crc32(name.encode()) % count


def _long(case: ParameterSet) -> ParameterSet:
    return pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.long])
