"""Everything that a module holds is found: what is registered, and what torch does not know of."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from grader.model.observation import Slot
from grader.worker.slots import MAX_SLOTS, inspect, loose, tensors


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.W_query = nn.Linear(3, 4, bias=False)
        self.scale = nn.Parameter(torch.ones(4), requires_grad=False)
        self.register_buffer("mask", torch.zeros(2, 2, dtype=torch.bool))
        self.register_buffer("nothing", None)
        self.register_parameter("absent", None)


def kinds(module: nn.Module) -> dict[str, str]:
    return {slot.name: slot.kind for slot in inspect(module)}


def test_parameters_and_buffers_are_described() -> None:
    assert inspect(Attention()) == [
        Slot("scale", (4,), "parameter", "Attention", "float32", trainable=False),
        Slot("mask", (2, 2), "buffer", "Attention", "bool", trainable=False),
        Slot("W_query.weight", (4, 3), "parameter", "Linear", "float32", trainable=True),
    ]


def test_a_plain_tensor_is_loose() -> None:
    module = Attention()
    module.extra = torch.ones(3)
    module._cache = torch.ones(2)

    assert kinds(module) | {"extra": "loose", "_cache": "loose"} == kinds(module)
    assert set(loose(module)) == {"extra", "_cache"}


def test_modules_in_plain_containers_are_loose() -> None:
    module = nn.Module()
    module.heads = [Attention(), Attention()]
    module.by_name = {"first": nn.Linear(2, 2)}
    module.pair = (nn.Parameter(torch.ones(1)),)

    found = kinds(module)

    assert found["heads.0.W_query.weight"] == found["heads.1.mask"] == "loose"
    assert found["by_name.first.bias"] == found["pair.0"] == "loose"
    assert set(found.values()) == {"loose"}


def test_modules_in_torchs_own_containers_are_registered() -> None:
    module = nn.Module()
    module.heads = nn.ModuleList([nn.Linear(2, 2, bias=False)])
    module.by_name = nn.ModuleDict({"first": nn.Linear(2, 2, bias=False)})
    module.own = nn.ParameterList([nn.Parameter(torch.ones(1))])

    found = kinds(module)

    assert {name: kind for name, kind in found.items() if kind == "parameter"} == {
        "heads.0.weight": "parameter",
        "by_name.first.weight": "parameter",
        "own.0": "parameter",
    }


def test_a_parameter_under_several_names_is_shared() -> None:
    module = nn.Module()
    module.layers = nn.ModuleList([nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)])
    module.W_query = module.layers[0]
    module.pair = (module.layers[1],)

    assert kinds(module) == {
        "layers.0.weight": "shared",
        "W_query.weight": "shared",
        "layers.1.weight": "parameter",
        "pair.0.weight": "loose",
    }


def test_the_tensors_are_the_modules_own() -> None:
    module = Attention()

    held = tensors(module)

    assert held["W_query.weight"] is module.W_query.weight
    assert held["mask"] is module.mask


def test_a_module_that_holds_itself_is_walked_to_an_end() -> None:
    module = Attention()
    module.me = [module]
    module.us = {"me": module}

    assert 0 < len(inspect(module)) <= MAX_SLOTS


def test_a_module_with_a_thousand_tensors_is_cut() -> None:
    module = nn.Module()
    module.many = [torch.ones(1)] * 1000

    assert len(inspect(module)) == MAX_SLOTS


def test_a_deep_nest_of_lists_is_walked_to_an_end() -> None:
    nested: Any = [torch.ones(1)]
    for _ in range(100):
        nested = [nested]
    module = nn.Module()
    module.deep = nested

    assert inspect(module) == []


def test_a_long_name_is_cut() -> None:
    module = nn.Module()
    setattr(module, "x" * 1000, torch.ones(1))

    assert [slot.name for slot in inspect(module)] == ["x" * 120]
