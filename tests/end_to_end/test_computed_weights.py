"""Weights that are computed from others at each use lose what other weights lose, and no more."""

from __future__ import annotations

import pytest

from .submissions import EX06, EX10, EX12, Marking, edited, not_passed, with_module

HALVED = """
from torch.nn.utils.parametrize import register_parametrization

class Halved(nn.Module):
    def forward(self, w):
        return w / 2
    def right_inverse(self, w):
        return w * 2

def computed(holder, name="weight", hook=None):
    register_parametrization(holder, name, Halved())
    if hook is not None:
        holder.parametrizations[name].original.register_hook(hook)
    return holder

class"""
LAYERS = {
    EX06: [
        (
            f"self.{role} = nn.Parameter(torch.rand(d_in, d_out))",
            f"self.{role} = {{}}(nn.Linear(d_in, d_out, bias=False))",
        )
        for role in ("W_query", "W_key", "W_value")
    ],
    **{
        exercise: [
            (f"self.{role} = {layer}", f"self.{role} = {{}}({layer})")
            for role in ("W_query", "W_key", "W_value")
            for layer in ["nn.Linear(d_in, d_out, bias=qkv_bias)"]
        ]
        for exercise in (EX10, EX12)
    },
}


def source(exercise: str, layers: str) -> str:
    """The reference with each of three layers given to a function. layers: how that is written, before the layer."""
    changes = [(before, after.format(layers)) for before, after in LAYERS[exercise]]
    uses = [(f"x @ self.{role}\n", f"self.{role}(x)\n") for role in ("W_query", "W_key", "W_value")]
    first = "\nclass"
    return edited(exercise, *changes, *(uses if exercise == EX06 else []), (first, HALVED))


@pytest.mark.parametrize("exercise", LAYERS)
def test_layers_in_a_plain_list_lose_what_others_lose_there(exercise: str, mark: Marking) -> None:
    module = source(exercise, "Hidden")
    hidden = "class Hidden(list):\n    def __init__(self, layer):\n        super().__init__([{}])\n"
    hidden += "    def __call__(self, x):\n        return self[0](x)\n\nclass Halved"
    plain, computed = (module.replace("class Halved", hidden.format(each)) for each in ("layer", "computed(layer)"))

    lost = not_passed(mark(with_module(exercise, computed), exercise))

    assert lost == not_passed(mark(with_module(exercise, plain), exercise))
    assert f"{exercise[:4]}.parameters" in lost
    assert f"{exercise[:4]}.gradients" not in lost


@pytest.mark.parametrize("exercise", LAYERS)
@pytest.mark.parametrize(("hook", "loses"), [("print", False), ("lambda g: g / 2", True), ("torch.neg", True)])
def test_a_hook_that_changes_a_gradient_costs_what_asks_for_it(
    exercise: str, hook: str, loses: bool, mark: Marking
) -> None:
    module = source(exercise, f"(lambda layer: computed(layer, hook={hook}))")

    assert not_passed(mark(with_module(exercise, module), exercise)) == (
        {f"{exercise[:4]}.gradients"} if loses else set()
    )
