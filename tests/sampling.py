"""A share of a catalogue for every run of the tests; the rest of it is `long`."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def one_in(count: int, cases: Iterable[ParameterSet]) -> list[ParameterSet]:
    """All cases, of which one in so many is run also where there is no time for all: always the same ones."""
    return [
        pytest.param(*each.values, id=each.id, marks=[*each.marks, *([pytest.mark.long] if number % count else [])])
        for number, each in enumerate(cases)
    ]
