"""How a module computes is put back, whatever a function that was given it did; what it holds is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn

from grader.worker.ways import unchanged


class Base(nn.Module):
    def inwards(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.inner(x)
        return result


class Layer(Base):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)
        self.scale: object = 1.0
        self.inner.register_forward_hook(lambda module, given, result: result + 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inwards(x) * (self.scale if isinstance(self.scale, float) else 3)


class Other(Layer):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 100


def _class(layer: Layer) -> None:
    layer.__class__ = Other


CHANGES: dict[str, Callable[[Layer], object]] = {
    "its method": lambda layer: setattr(layer, "forward", lambda x: x),
    "a part's method": lambda layer: setattr(layer.inner, "forward", lambda x: x),
    "its class's method": lambda layer: setattr(Layer, "forward", lambda self, x: x),
    "torch's call": lambda layer: setattr(nn.Linear, "__call__", lambda self, x: x),
    "a method that its own calls": lambda layer: setattr(layer, "inwards", lambda x: x),
    "such a method of its parents": lambda layer: setattr(Base, "inwards", lambda self, x: x),
    "a method that it did not have": lambda layer: setattr(Layer, "inwards", lambda self, x: x),
    "the call of every module": lambda layer: setattr(nn.Module, "__call__", lambda self, x: x),
    "what torch has compiled": lambda layer: setattr(layer, "_compiled_call_impl", lambda x: x),
    "a hook of every module": lambda layer: nn.modules.module.register_module_forward_hook(lambda m, given, r: r * 2),
    "no method at all": lambda layer: setattr(layer, "forward", None),
    "a method taken away": lambda layer: delattr(Layer, "forward"),
    "a setting that is called": lambda layer: setattr(layer, "scale", lambda x: x * 3),
    "its class": _class,
    "a hook": lambda layer: layer.register_forward_hook(lambda module, given, result: given[0]),
    "a hook before": lambda layer: layer.inner.register_forward_pre_hook(lambda module, given: (given[0] * 2,)),
    "a hook taken away": lambda layer: layer.inner._forward_hooks.clear(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_as_it_was(change: str) -> None:
    layer, x = Layer(), torch.ones(1, 2)
    before = layer(x)

    with unchanged([layer, 3]):
        CHANGES[change](layer)

    assert torch.equal(layer(x), before)
    assert type(layer) is Layer


def test_what_a_module_holds_stays_changed_also_where_something_is_raised() -> None:
    layer, x = Layer(), torch.ones(1, 2)

    with pytest.raises(ValueError), unchanged([layer]):
        layer.inner.weight.data.zero_()
        layer.inner.bias.data.zero_()
        layer.forward = lambda x: x  # type: ignore[method-assign]
        raise ValueError

    assert torch.equal(layer(x), torch.ones(1, 2))
