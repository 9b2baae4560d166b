"""A weight that is computed from others at each use gets the gradient that a weight gets."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize
from torch.nn.utils import weight_norm as older_weight_norm
from torch.nn.utils.parametrizations import weight_norm
from torch.nn.utils.parametrize import register_parametrization
from torch.utils.checkpoint import checkpoint

from grader.worker.gradients import Reached
from grader.worker.parametrized import Computed
from grader.worker.slots import tensors

X = torch.arange(6.0).reshape(2, 3)


class Half(nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight / 2


class Remembered(Half):
    """Computes once what it is asked for again."""

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        if "found" not in vars(self):
            self.found = weight / 2
        return self.found


class Negative(nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return -weight


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


class Unregistered(nn.Module):
    """Its layer is in no place where torch looks for one."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = [nn.Linear(3, 4, bias=False)]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layers[0](x) + self.layers[0](2 * x)
        return result


class ComputedAgain(Twice):
    """Nothing that it computes is kept: it is computed once more on the way back."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = checkpoint(super().forward, x.requires_grad_(), use_reentrant=True)
        return result


class Turned(nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight.T * 1


class ThereAndBack(nn.Module):
    """Two layers, whose weights are computed from the same numbers, one on its side."""

    def __init__(self) -> None:
        super().__init__()
        self.there, self.back = nn.Linear(3, 4, bias=False), nn.Linear(4, 3, bias=False)
        register_parametrization(self.there, "weight", Half())
        register_parametrization(self.back, "weight", Turned(), unsafe=True)
        self.back.parametrizations.weight.original = self.there.parametrizations.weight.original

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.back(self.there(x))
        return result


class InPairs(Twice):
    """Returns two results, to which the same gradient comes."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:  # type: ignore[override]
        return self.inner(1.5 * x), self.inner(1.5 * x)


def gradient_of(module: nn.Module, of: str = "inner.weight") -> torch.Tensor | None:
    weight, computed = tensors(module)[of], Computed()
    reached = Reached(computed)
    with computed.noted():
        result = module(X.clone())
        for each in result if isinstance(result, tuple) else (result,):
            reached.add([each], [weight], is_last=not isinstance(result, tuple))
    return reached.of(weight)


def normed_as_before(layer: nn.Module) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch has a newer way
        older_weight_norm(layer)


def due() -> torch.Tensor:
    gradient = gradient_of(Twice())
    assert gradient is not None
    return gradient


WAYS: dict[str, Callable[[nn.Module], object]] = {
    "half": lambda layer: register_parametrization(layer, "weight", Half()),
    "remembered": lambda layer: register_parametrization(layer, "weight", Remembered()),
    "by-rows": weight_norm,
    "as-a-whole": lambda layer: weight_norm(layer, dim=None),
    "as-before": normed_as_before,
}


@pytest.mark.parametrize("way", WAYS)
def test_the_gradient_is_that_of_the_weight_at_each_of_its_uses(way: str) -> None:
    module = Twice()
    WAYS[way](module.inner)

    gradient = gradient_of(module)

    assert gradient is not None
    assert torch.allclose(gradient, due())


def test_a_weight_that_torch_remembers_counts_once() -> None:
    module = Twice()
    register_parametrization(module.inner, "weight", Half())

    with parametrize.cached():
        gradient = gradient_of(module)

    assert gradient is not None
    assert torch.allclose(gradient, due())


@pytest.mark.parametrize("way", WAYS)
def test_a_layer_that_nobody_registered_is_noted(way: str) -> None:
    module = Unregistered()
    WAYS[way](module.layers[0])

    gradient = gradient_of(module, "layers.0.weight")

    assert gradient is not None
    assert torch.allclose(gradient, due())


@pytest.mark.parametrize("way", [way for way in WAYS if way != "remembered"])  # which torch cannot compute again
def test_what_is_computed_on_the_way_back_is_noted(way: str) -> None:
    module = ComputedAgain()
    WAYS[way](module.inner)

    gradient = gradient_of(module)

    assert gradient is not None
    assert torch.allclose(gradient, due())


def test_the_gradients_of_several_results_add_up() -> None:
    module = InPairs()
    register_parametrization(module.inner, "weight", Negative())

    gradient = gradient_of(module)

    assert gradient is not None
    assert torch.allclose(gradient, due())


@pytest.mark.parametrize("times", [1.0, 0.5, -1.0])
def test_a_hook_on_what_is_learnt_has_its_say(times: float) -> None:
    module = Twice()
    register_parametrization(module.inner, "weight", Half())
    tensors(module)["inner.weight"].register_hook(lambda gradient: times * gradient)  # type: ignore[no-untyped-call]

    gradient = gradient_of(module)

    assert gradient is not None
    assert torch.allclose(gradient, times * due())


def test_a_hook_that_only_looks_changes_nothing() -> None:
    module = Twice()
    register_parametrization(module.inner, "weight", Half())
    seen: list[torch.Tensor] = []
    tensors(module)["inner.weight"].register_hook(seen.append)  # type: ignore[no-untyped-call]

    gradient = gradient_of(module)

    assert gradient is not None
    assert seen
    assert torch.allclose(gradient, due())


def test_there_is_none_where_nothing_comes_to_what_is_learnt() -> None:
    module = Twice()
    register_parametrization(module.inner, "weight", CutOff())

    gradient = gradient_of(module)

    assert gradient is not None
    assert not gradient[0].any()
    assert torch.allclose(gradient[1:], due()[1:])


def test_weights_of_two_shapes_that_are_computed_from_the_same_numbers_are_no_fault() -> None:
    gradient = gradient_of(ThereAndBack(), "there.weight")

    assert gradient is not None
    assert gradient.shape == (4, 3) and gradient.any()


def test_nothing_stays_behind_at_any_module() -> None:
    module = Twice()
    weight_norm(module.inner)
    computed = Computed()
    with computed.noted():
        module(X)
    noted = len(computed.every())

    module(X)

    assert len(computed.every()) == noted == 2
