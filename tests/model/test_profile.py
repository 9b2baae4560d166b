"""A phase's time is its own, threads add up, and what a worker says is kept only where it can be so."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import pytest

from grader.model import profile
from grader.model.profile import phase


@pytest.fixture
def noted() -> Iterator[profile.Profile]:
    yield profile.begin()
    profile.end()


def busy(seconds: float) -> None:
    """Compute for so long on this thread's own clock."""
    import time

    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_time_within_an_inner_phase_is_not_the_outer_ones(noted: profile.Profile) -> None:
    with phase("judge"), phase("diagnose"):
        busy(0.02)

    here = noted.whole()["grading"]["here"]

    assert here["diagnose"]["cpu"] >= 0.02
    assert here["judge"]["cpu"] < here["diagnose"]["cpu"]


def test_phases_of_several_threads_are_added_and_the_references_kept_apart(noted: profile.Profile) -> None:
    def work() -> None:
        with phase("wire"):
            busy(0.001)

    threads = [threading.Thread(target=work, name=name) for name in ("slot-0", "slot-1", f"{profile.REFERENCE}_0")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    whole = noted.whole()
    assert whole["grading"]["here"]["wire"]["times"] == 2
    assert whole[profile.REFERENCE]["here"]["wire"]["times"] == 1


def test_a_phase_that_an_error_leaves_is_left(noted: profile.Profile) -> None:
    with pytest.raises(KeyError), phase("judge"), phase("wire"):
        raise KeyError
    with phase("report"):
        pass

    here = noted.whole()["grading"]["here"]
    assert {name: spent["times"] for name, spent in here.items()} == {"wire": 1, "judge": 1, "report": 1}


def test_what_is_taken_is_told_once(noted: profile.Profile) -> None:
    with phase("run"):
        pass

    first, second = profile.taken(), profile.taken()

    assert first["run"][2] == 1
    assert second == {}


def test_a_phase_that_was_entered_before_noting_began_breaks_nothing() -> None:
    with phase("judge"):
        noted = profile.begin()
        with phase("wire"):
            pass
    profile.end()

    assert [*noted.whole()["grading"]["here"]] == ["wire"]


def test_nothing_is_noted_where_nothing_asks_for_it() -> None:
    with phase("judge"):
        profile.told({"run": [1.0, 1.0, 1]})
        profile.used("fork", 1.0)

    assert not profile.is_on()
    assert profile.taken() == {}


def test_a_function_in_a_phase_gives_what_it_gives(noted: profile.Profile) -> None:
    @phase("intake")
    def doubled(number: int) -> int:
        """Twice."""
        return 2 * number

    assert doubled(4) == 8
    assert doubled.__doc__ == "Twice."
    assert noted.whole()["grading"]["here"]["intake"]["times"] == 1


def test_there_is_no_phase_of_another_name() -> None:
    with pytest.raises(ValueError, match="judgement"):
        phase("judgement")


@pytest.mark.parametrize(
    "said",
    [
        None, 7, "run", [], {"run": None}, {"run": [1.0]}, {"run": [1.0, -1.0, 1]}, {"run": [math.inf, 0.0, 1]},
        {"run": [math.nan, 0.0, 1]}, {"run": ["1", 0.0, 1]}, {"run": [True, 0.0, 1]}, {"run": [1.0, 1e300, 1]},
        {profile.CHILD: [1.0, 1.0, 1]}, {"points": [1.0, 1.0, 1]},
    ],
)  # fmt: skip
def test_what_a_worker_cannot_mean_is_dropped(noted: profile.Profile, said: object) -> None:
    profile.told(said)

    assert noted.whole()["grading"]["worker"] == {}
