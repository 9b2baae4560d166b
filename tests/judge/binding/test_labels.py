"""What a module has is listed shortly: alike parts once, and of long names only as many as anybody reads."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from grader.judge.binding.labels import accepted, listing, of_all_cases
from grader.model.observation import Slot
from grader.words import say


def slots_of(shapes: Mapping[str, tuple[int, ...]]) -> list[Slot]:
    return [Slot(name, shape, "parameter") for name, shape in shapes.items()]


def test_what_numbered_parts_have_alike_is_told_once() -> None:
    shapes = {f"heads.{i}.{name}.weight": (2, 6) for i in range(3) for name in ("query", "key")}
    slots = slots_of(shapes | {"net.0.weight": (4, 6), "net.1.weight": (1, 4), "0.bias": (4,), "1.bias": (4,)})

    assert listing(slots) == (
        "heads.*.query.weight (2, 6), heads.*.key.weight (2, 6), net.0.weight (4, 6), net.1.weight (1, 4), *.bias (4,)"
    )


def test_of_long_names_there_are_fewer_and_each_is_whole() -> None:
    slots = slots_of({f"{letter * 110}.weight": (4, 6) for letter in "abc"})

    assert listing(slots) == f"{'a' * 110}.weight (4, 6) and more"
    assert listing(slots[:1]) == f"{'a' * 110}.weight (4, 6)"
    assert listing(slots_of({"d" * 300: (4, 6)})) == f"{'d' * 300} (4, 6)"


@pytest.mark.parametrize(
    ("name", "theirs", "told"),
    [
        ("W_query.weight", "q.weight", "`q` for `W_query`; accepted"),
        ("W_query.bias", "q.bias", "`q` for `W_query`; accepted"),
        ("W_query.bias", "b_q", "`b_q` for `W_query.bias`; accepted"),
        ("heads.0.W_query.bias", "heads.0.b_q", "`heads.*.b_q` for `heads.*.W_query.bias`; accepted"),
    ],
)
def test_a_bias_of_its_own_is_told_as_one(name: str, theirs: str, told: str) -> None:
    assert accepted(name, Slot(theirs, (4,), "parameter")) == [told]


def test_what_lies_head_by_head_is_not_said_to_lie_side_by_side_too_where_a_case_has_one_head() -> None:
    by_head, beside = (
        say(key, slot="qkv", roles="W_query, W_key") for key in ("judge.head-by-head", "judge.side-by-side")
    )
    another = say("judge.side-by-side", slot="kv", roles="W_key, W_value")

    assert of_all_cases([by_head, beside, by_head, another]) == [by_head, another]
    assert of_all_cases([beside, by_head]) == [by_head]
    assert of_all_cases([beside, "a note", beside]) == [beside, "a note"]
