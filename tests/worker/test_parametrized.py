"""A weight that is computed from others at each use gets the gradient that a weight gets."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm
from torch.nn.utils.parametrize import register_parametrization

from grader.worker.gradients import Reached
from grader.worker.parametrized import Computed
from grader.worker.slots import tensors

X = torch.arange(6.0).reshape(2, 3)


class Half(nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight / 2


class CutOff(nn.Module):
    """Keeps the first row from being learnt."""

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return torch.cat([weight[:1].detach(), weight[1:]])


class Twice(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 4, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first: torch.Tensor = self.inner(x)
        second: torch.Tensor = self.inner(2 * x)
        return first + second


def gradient_of(module: Twice) -> torch.Tensor | None:
    weight, computed = tensors(module)["inner.weight"], Computed()
    reached = Reached(computed)
    with computed.noted(module):
        result = module(X)
    reached.add([result], [weight])
    return reached.of(weight)


def due() -> torch.Tensor:
    gradient = gradient_of(Twice())
    assert gradient is not None
    return gradient


@pytest.mark.parametrize("norm", [False, True])
def test_the_gradient_is_that_of_the_weight_at_each_of_its_uses(norm: bool) -> None:
    module = Twice()
    if norm:
        weight_norm(module.inner)
    else:
        register_parametrization(module.inner, "weight", Half())

    gradient = gradient_of(module)

    assert gradient is not None
    assert torch.allclose(gradient, due())


def test_there_is_none_where_nothing_comes_to_what_is_learnt() -> None:
    module = Twice()
    register_parametrization(module.inner, "weight", CutOff())

    gradient = gradient_of(module)

    assert gradient is not None
    assert not gradient[0].any()
    assert torch.allclose(gradient[1:], due()[1:])


def test_nothing_stays_behind_at_any_module() -> None:
    module = Twice()
    weight_norm(module.inner)
    computed = Computed()
    with computed.noted(module):
        module(X)
    noted = len(computed.every())

    module(X)

    assert len(computed.every()) == noted == 2
