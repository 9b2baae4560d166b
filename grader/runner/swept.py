"""What sets of edits gave on one case, kept for a whole class.

A set is asked about once and remembered for whoever comes next, so a class of thousands fills this with hundreds of
thousands of signatures: in one array, which takes a quarter of what a dictionary of them would.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from grader.diagnosis.signature import PACKED

Chosen = tuple[int, ...]

# Edits have numbers below it, and so many sets of three have numbers of their own.
BASE = 1 << 16
MOST_EDITS = 3
KEPT = np.dtype([("number", np.int64), ("signature", PACKED)])


class Swept:
    """Packed signatures by set of edits. Safe to use from threads: what is kept once stays."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._table = np.empty(0, KEPT)  # in order of numbers; replaced whole, so that a reader needs no lock

    def missing(self, sets: Sequence[Chosen]) -> list[Chosen]:
        """Those of the sets that are not kept yet."""
        is_kept = np.isin(_numbers(sets), self._table["number"])
        return [chosen for chosen, is_there in zip(sets, is_kept, strict=True) if not is_there]

    def keep(self, sets: Sequence[Chosen], signatures: Any) -> None:
        """Keeps what each set gave. signatures: packed, (N,), in order of the sets."""
        more = np.empty(len(sets), KEPT)
        more["number"], more["signature"] = _numbers(sets), signatures
        with self._lock:
            both = np.concatenate([self._table, more])
            _, first = np.unique(both["number"], return_index=True)  # another thread may have kept the same
            self._table = both[first]

    def of(self, sets: Sequence[Chosen]) -> Any:
        """What each set gave, packed, (N,). All of them have to be kept."""
        table = self._table
        return table["signature"][np.searchsorted(table["number"], _numbers(sets))]


def _numbers(sets: Sequence[Chosen]) -> Any:
    """A number for each set: its edits are the digits, from 1 up."""
    return np.array([_number(chosen) for chosen in sets], np.int64)


def _number(chosen: Chosen) -> int:
    assert len(chosen) <= MOST_EDITS
    number = 0
    for edit in chosen:
        number = number * BASE + edit + 1
    return number
