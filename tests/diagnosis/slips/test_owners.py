"""A layer that a class calls otherwise is told by the name that it has there."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.slips.owners import otherwise_called
from grader.model.observation import Fault

CLASS = "class Head(nn.Module):\n    def __init__(self):\n"
LAYERS = ("W_query", "W_key", "W_value")


@pytest.mark.parametrize(
    ("layers", "name", "said"),
    [
        (LAYERS, "W_valu", "did you mean `W_value`?"),
        (LAYERS, "W_qurey", "did you mean `W_query`?"),
        (("q", "k", "v"), "W_value", "in `Head` it is called `v`"),
        (("qkv",), "W_value", "`Head` has layers called `qkv`"),
        (LAYERS, "W_value", ""),
        (LAYERS, "mask", ""),
        ((), "W_valu", ""),
    ],
)
def test_a_layer_is_told_by_the_name_that_it_has(layers: tuple[str, ...], name: str, said: str) -> None:
    tree = ast.parse(CLASS + "".join(f"        self.{each} = nn.Linear(3, 2)\n" for each in layers) + "        pass\n")
    fault = Fault("exception", "AttributeError", f"'Head' object has no attribute '{name}'")

    told = otherwise_called(fault, {"Head": tree}.get)

    assert told == ((said, 0) if said else None)
    assert otherwise_called(fault, {}.get) is None


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (
            "self.proj = nn.ModuleDict({'q': nn.Linear(3, 4)}); self.out_proj = nn.Linear(4, 4)",
            "`Head` has layers called `proj`, `out_proj`",
        ),
        ("self.p = nn.Parameter(torch.tensor(0.5), requires_grad=False)", None),
        ("self.p = nn.Parameter(torch.tensor(0.5), False); self.w = nn.Linear(3, 12)", "`Head` has layers called `w`"),
        ("self.dropout = nn.Dropout(0.5)", None),
    ],
)
def test_what_holds_several_layers_is_one_and_what_is_fixed_is_none(made: str, told: str | None) -> None:
    tree = ast.parse(f"{CLASS}        {made}\n")
    fault = Fault("exception", "AttributeError", "'Head' object has no attribute 'W_query'")

    found = otherwise_called(fault, {"Head": tree}.get)

    assert (found and found[0]) == told
