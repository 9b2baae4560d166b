"""What is numbered in its own name is seen as what a list numbers, and nothing else is."""

from __future__ import annotations

import pytest

from grader.judge.numbered import as_lists, own_names

from .test_binding import slots_of


def listed(*names: str) -> list[str]:
    return [slot.name for slot in as_lists(slots_of(dict.fromkeys(names, (2, 2)))).values()]


@pytest.mark.parametrize(
    ("names", "as_list"),
    [
        (("head_0.q", "head_1.q"), ["head_.0.q", "head_.1.q"]),
        (("heads.head/0.q", "heads.head/1.q"), ["heads.head/.0.q", "heads.head/.1.q"]),
        (("head_00.q", "head_01.q"), ["head_.0.q", "head_.1.q"]),
        (("h2.q", "h1.q", "h3.q"), ["h.1.q", "h.0.q", "h.2.q"]),
        (("heads.1.q", "heads.2.q"), ["heads.0.q", "heads.1.q"]),
        (("0.q", "1.q"), ["modules.0.q", "modules.1.q"]),
        (("q0.weight", "q1.weight", "out"), ["q.0.weight", "q.1.weight", "out"]),
        (("layers.q/0.weight", "layers.k/0.weight"), ["layers.q/.weight", "layers.k/.weight"]),
    ],
)
def test_what_is_counted_is_a_list(names: tuple[str, ...], as_list: list[str]) -> None:
    assert listed(*names) == as_list


@pytest.mark.parametrize(
    "names",
    [
        ("W_query.weight", "W_key.weight"),
        ("heads.0.q", "heads.1.q"),
        ("head_0.q", "head_2.q"),
        ("head_2.q", "head_3.q"),
        ("head_0.q", "head_00.q", "head_1.q"),
        ("q", "q0"),  # of which nobody could tell any more which is which
        (),
    ],
)
def test_another_name_stays(names: tuple[str, ...]) -> None:
    assert listed(*names) == []


def test_what_a_list_would_hold_goes_back_to_its_own_names() -> None:
    slots = as_lists(slots_of({"head_0": (1,), "head_1": (1,), "out": (1,)}))

    assert own_names({"head_.1": 5, "out": 6}, slots) == {"head_1": 5, "out": 6}
