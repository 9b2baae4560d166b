"""A diagnosis asks a run with its result traced, no further than that, or of another module."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grader.diagnosis.runs import of_another, traced, up_to_result
from grader.model.run import OWN, Call, Inspect, Load, Make, Run, Tensor, Value, World

LONG = Run(
    (
        Make("module", "ex", "C", (Value(2), Tensor("shape"))),
        Load("module", {"W": "weight"}),
        Call("result", of="module", arguments=(Tensor("x"),)),
        Call("again", of="module", arguments=(Tensor("more"),)),
    ),
    {name: np.zeros(2) for name in ("shape", "weight", "x", "more", "last")},
)


def test_only_the_call_for_the_result_is_traced() -> None:
    *_, result, again = traced(LONG, ["scores"]).actions

    assert isinstance(result, Call) and isinstance(again, Call)
    assert (result.trace, result.stages, again.trace) == (True, ("scores",), False)
    assert traced(LONG, ["scores"]) is traced(LONG, ["scores"])


def test_a_run_goes_as_far_as_its_result_with_the_tensors_that_it_takes() -> None:
    brief = up_to_result(LONG)

    assert brief.actions == LONG.actions[:3]
    assert brief.tensors.keys() == {"shape", "weight", "x"}
    assert up_to_result(LONG) is brief


def test_what_is_only_looked_at_before_a_result_is_left_out_where_that_is_asked_for_alone() -> None:
    looking = replace(LONG, actions=(LONG.actions[0], Inspect("module"), *LONG.actions[1:]))
    plain = Run((LONG.actions[0], Inspect("module")), LONG.tensors)

    assert up_to_result(looking).actions == LONG.actions[:3]
    assert up_to_result(plain) is plain


def test_a_run_that_ends_with_its_result_or_has_none_is_asked_as_it_is() -> None:
    for run in (Run(LONG.actions[:3], LONG.tensors), Run(LONG.actions[:2], LONG.tensors)):
        assert up_to_result(run) is run


def test_another_module_is_made_but_for_one_that_a_stand_in_takes_the_place_of() -> None:
    made, *rest = of_another(LONG, "ex", "ex 7", OWN).actions
    lent, *_ = of_another(LONG, "ex", "ex 7", World(frozenset({"ex"}))).actions

    assert isinstance(made, Make) and made.module == "ex 7"
    assert tuple(rest) == LONG.actions[1:]
    assert lent == LONG.actions[0]
