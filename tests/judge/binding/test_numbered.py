"""What is numbered in its own name is seen as what a list numbers, and nothing else is."""

from __future__ import annotations

import pytest

from grader.judge.binding.layers import with_own_layers
from grader.judge.binding.numbered import as_lists, nameless, own_names
from grader.model.observation import Slot
from tests.judge.binding.test_loadings import NAMING, slots_of


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


@pytest.mark.parametrize(
    ("names", "stay"),
    [
        (("linear1.weight", "linear2.weight", "linear1.bias"), True),
        (("a0", "a1"), True),
        (("0.weight", "1.weight"), False),
        (("q/0.weight",), False),
        (("head_0.linear.weight", "head_1.linear.weight"), False),
    ],
)
def test_single_layers_are_no_list_where_their_names_are_asked_for(names: tuple[str, ...], stay: bool) -> None:
    assert (as_lists(slots_of(dict.fromkeys(names, (2, 2))), layers=False) == {}) is stay


def test_layers_whose_names_mean_nothing_are_a_list() -> None:
    shapes = {"ask.weight": (4, 3), "ask.bias": (4,), "look.weight": (4, 3), "W_query.weight": (4, 3), "norm": (4,)}
    shapes |= {"heads.0.one": (3, 4), "heads.0.other": (3, 4), "heads.1.one": (3, 4), "heads.1.W_query": (3, 4)}

    slots = nameless(slots_of(shapes), NAMING)

    assert {own: slot.name for own, slot in slots.items() if own != slot.name} == {
        "ask.weight": "modules.0.weight",
        "ask.bias": "modules.0.bias",
        "look.weight": "modules.1.weight",
        "heads.0.one": "heads.0.modules.0",
        "heads.0.other": "heads.0.modules.1",
    }


def test_layers_of_ones_own_without_a_name_are_listed_whatever_they_call_their_weight_and_bias() -> None:
    slots = slots_of({"ask.kernel": (4, 3), "ask.offset": (4,), "look.kernel": (4, 3), "look.offset": (4,)})

    listed = nameless(slots, with_own_layers(slots, NAMING))

    assert [slot.name for slot in listed.values()] == [
        "modules.0.weight", "modules.0.bias", "modules.1.weight", "modules.1.bias",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "shapes",
    [
        {"ask.weight": (4, 3)},
        {"W_query.weight": (4, 3), "W_key.weight": (4, 3)},
        {"layers.0.weight": (4, 3), "layers.1.weight": (4, 3)},
        {"one": (4,), "other": (4,)},
    ],
)
def test_what_has_a_name_or_a_number_or_is_alone_stays(shapes: dict[str, tuple[int, ...]]) -> None:
    assert nameless(slots_of(shapes), NAMING) == {}


def test_a_buffer_is_no_layer_without_a_name() -> None:
    buffers = [Slot(name, (4, 3), "buffer") for name in ("one", "other")]

    assert nameless(buffers, NAMING) == {}
