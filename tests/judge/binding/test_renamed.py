"""A weight that nothing is called after is looked for in the one layer that is left and would hold it."""

from __future__ import annotations

import pytest

from grader.judge.binding.layers import with_own_layers
from grader.judge.binding.renamed import renamed
from grader.model.observation import Slot
from grader.model.pack import Fused, Naming

NAMING = Naming(
    aliases={"W_query": ("W_q",), "W_key": ("W_k",)},
    fused=(Fused(("qkv",), ("W_query",)),),
    optional=("out_proj.bias",),
)
SHAPE = (4, 3)
ABSENT = {"W_query.weight": SHAPE}


def meant(
    *held: tuple[str, tuple[int, ...]],
    absent: dict[str, tuple[int, ...]] = ABSENT,
    taken: tuple[str, ...] = (),
    kind: str = "parameter",
) -> dict[str, str]:
    """Which slot is meant by each absent weight, of those with these names and shapes."""
    slots = [Slot(name, shape, kind, trainable=True) for name, shape in held]
    return {name: slot.name for name, slot in renamed(absent, slots, taken, NAMING).items()}


@pytest.mark.parametrize(
    ("held", "absent"),
    [
        (("ask.weight", SHAPE), ("W_query.weight", SHAPE)),
        (("ask", SHAPE[::-1]), ("W_query.weight", SHAPE)),
        (("ask.weight", SHAPE), ("W_query", SHAPE[::-1])),
        (("ask", SHAPE), ("W_query", SHAPE)),
        (("ask", SHAPE[::-1]), ("W_query", SHAPE)),
    ],
)
def test_the_only_layer_that_is_left_and_fits_is_meant_also_as_a_bare_parameter(
    held: tuple[str, tuple[int, ...]], absent: tuple[str, tuple[int, ...]]
) -> None:
    assert meant(held, absent=dict([absent])) == {absent[0]: held[0]}


@pytest.mark.parametrize(
    "held",
    [
        [("ask.weight", SHAPE), ("look.weight", SHAPE)],  # either may be meant
        [("ask.weight", SHAPE[::-1])],  # no nn.Linear of that shape is the one that is asked for
        [("ask.weight", (4, 4))],
        [("W_k.weight", SHAPE)],  # has a role of its own
        [("qkv.weight", SHAPE)],
        [("inner.ask.weight", SHAPE)],  # lies elsewhere
        [("ask.bias", SHAPE)],
    ],
)
def test_what_may_be_meant_otherwise_is_not_taken(held: list[tuple[str, tuple[int, ...]]]) -> None:
    assert meant(*held) == {}


def test_what_holds_another_weight_or_is_none_is_not_taken() -> None:
    assert meant(("ask.weight", SHAPE), ("look.weight", SHAPE), taken=("look.weight",)) == {
        "W_query.weight": "ask.weight"
    }
    assert meant(("ask.weight", SHAPE), kind="buffer") == {}
    assert meant(("ask.weight", SHAPE), kind="shared") == {}


def test_nothing_is_taken_for_what_may_be_left_out_alone() -> None:
    norm = {"norm.weight": (8,), "norm.bias": (8,)}

    assert meant(*norm.items(), absent={"out_proj.bias": (8,)}) == {}


def test_one_layer_is_not_taken_for_two() -> None:
    assert meant(("ask.weight", SHAPE), absent={"W_query.weight": SHAPE, "W_key.weight": SHAPE}) == {}


def test_several_are_told_apart_by_their_shapes_and_by_what_they_lie_in() -> None:
    absent = {"heads.0.W_query.weight": SHAPE, "heads.1.W_query.weight": SHAPE, "out_proj.weight": (8, 8)}
    held = {"heads.0.ask.weight": SHAPE, "heads.1.ask.weight": SHAPE, "mix.weight": (8, 8)}

    assert meant(*held.items(), absent=absent) == dict(zip(absent, held, strict=True))


def test_a_layer_takes_its_bias_with_it_and_needs_one_where_it_may_not_be_left_out() -> None:
    absent = {"W_query.weight": SHAPE, "W_query.bias": (4,)}
    mixing = {"out_proj.weight": (8, 8), "out_proj.bias": (8,)}
    with_bias = {"ask.weight": SHAPE, "ask.bias": (4,)}

    assert meant(*with_bias.items(), absent=absent) == dict(zip(absent, with_bias, strict=True))
    assert meant(("ask.weight", SHAPE), absent=absent) == {}
    assert meant(("mix.weight", (8, 8)), absent=mixing) == {"out_proj.weight": "mix.weight"}
    assert meant(("mix.weight", (8, 8)), ("mix.bias", (8,)), absent=mixing) == {
        "out_proj.weight": "mix.weight",
        "out_proj.bias": "mix.bias",
    }


def test_the_only_layer_left_is_meant_whatever_it_calls_its_weight() -> None:
    slots = [Slot("ask.kernel", SHAPE, "parameter", trainable=True)]

    meant = renamed(ABSENT, slots, (), with_own_layers(slots, NAMING))

    assert {name: slot.name for name, slot in meant.items()} == {"W_query.weight": "ask.kernel"}
