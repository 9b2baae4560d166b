"""What a set of edits gave is kept bit for bit, however many there are and whoever kept it first."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grader.diagnosis.signature import PACKED
from grader.runner.swept import Chosen, Swept

CHOSEN = st.lists(st.integers(0, 500), max_size=3, unique=True).map(lambda some: tuple(sorted(some)))


def signatures(sets: list[Chosen]) -> Any:
    """One of its own for each set."""
    found = np.empty(len(sets), PACKED)
    for at, chosen in enumerate(sets):
        found[at] = hash(chosen) % 2**32, np.random.default_rng(chosen or 0).standard_normal(4)
    return found


@given(st.lists(st.lists(CHOSEN, unique=True), max_size=5), st.lists(CHOSEN))
def test_every_set_keeps_what_it_gave(rounds: list[list[Chosen]], others: list[Chosen]) -> None:
    swept, known = Swept(), set[Chosen]()

    for sets in rounds:
        assert swept.missing(sets) == [chosen for chosen in sets if chosen not in known]
        swept.keep(sets, signatures(sets))
        known |= set(sets)

    assert swept.missing(others) == [chosen for chosen in others if chosen not in known]
    asked = [chosen for chosen in [*others, *others] if chosen in known]
    assert swept.of(asked).tobytes() == signatures(asked).tobytes()


def test_threads_that_keep_at_once_lose_nothing_of_one_another() -> None:
    swept, together = Swept(), Barrier(4)
    shares = [[(first, second) for second in range(50)] for first in range(4)]

    def keep(share: list[Chosen]) -> None:
        together.wait()
        for chosen in share:
            swept.keep([chosen], signatures([chosen]))

    threads = [Thread(target=keep, args=(share,)) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    every = [chosen for share in shares for chosen in share]
    assert swept.missing(every) == []
    assert swept.of(every).tobytes() == signatures(every).tobytes()
