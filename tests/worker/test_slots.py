"""Everything that a module holds is found: what is registered, and what torch does not know of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.utils import weight_norm as older_weight_norm
from torch.nn.utils.parametrizations import weight_norm
from torch.nn.utils.parametrize import register_parametrization

from grader.model.observation import Slot
from grader.worker.slots import MAX_DEPTH, MAX_SLOTS, held, inspect, is_learnt, lies_at, loose, tensors, values, write


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


def test_so_is_a_deep_nest_of_modules() -> None:
    nested: nn.Module = nn.Linear(3, 4)
    for _ in range(2 * sys.getrecursionlimit()):
        around = nn.Module()
        around.inner, around.bias = nested, nn.Parameter(torch.ones(1))
        nested = around

    assert [slot.name.rpartition(".")[2] for slot in inspect(nested)] == ["bias"] * (MAX_DEPTH + 1)


def test_a_long_name_is_cut() -> None:
    module = nn.Module()
    setattr(module, "x" * 1000, torch.ones(1))

    assert [slot.name for slot in inspect(module)] == ["x" * 120]


def test_what_torch_would_not_change_lies_where_it_is_due() -> None:
    module = Attention()
    module.register_buffer("steps", torch.zeros(2, dtype=torch.int64))

    assert lies_at(module, "cpu", torch.float32)
    assert {name: tensor.dtype for name, tensor in tensors(module.to("cpu", torch.float32)).items()} == {
        "scale": torch.float32, "mask": torch.bool, "steps": torch.int64, "W_query.weight": torch.float32,
    }  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.complex64])
def test_one_number_of_another_type_does_not(dtype: torch.dtype) -> None:
    for given in (nn.Parameter(torch.ones(2, dtype=dtype)), torch.ones(2, dtype=dtype)):
        module = nn.ModuleList([Attention(), nn.Module()])
        if isinstance(given, nn.Parameter):
            module[1].given = given
        else:
            module[1].register_buffer("given", given)

        assert not lies_at(module, "cpu", torch.float32)


def test_a_tensor_elsewhere_does_not() -> None:
    assert not lies_at(nn.Linear(2, 2, device="meta"), "cpu", torch.float32)


def test_a_module_with_a_way_of_its_own_to_move_is_always_moved() -> None:
    class Carrying(nn.Module):
        def _apply(self, function: Any, recurse: bool = True) -> Any:
            return super()._apply(function, recurse)

    class Sent(nn.Module):
        def to(self, *where: Any) -> Any:
            return super().to(*where)

    own = nn.Linear(2, 2)
    own.to = lambda *where: own  # type: ignore[method-assign]

    assert not lies_at(nn.Sequential(nn.Linear(2, 2), Carrying()), "cpu", torch.float32)
    assert not lies_at(Sent(), "cpu", torch.float32)
    assert not lies_at(own, "cpu", torch.float32)


def test_a_module_that_torch_cannot_move_is_left_to_torch() -> None:
    class Unready(nn.Module):
        def __init__(self) -> None:
            pass

    around = nn.Linear(2, 2)
    around._modules["self"] = around

    assert not lies_at(Unready(), "cpu", torch.float32)
    assert not lies_at(around, "cpu", torch.float32)


def test_a_module_may_hold_what_has_no_hash_not_even_of_its_type() -> None:
    class Kind(type):
        def __eq__(cls, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    class Setting(metaclass=Kind): ...

    module = nn.Linear(2, 2)
    module.setting = Setting()  # type: ignore[assignment]

    assert [slot.name for slot in inspect(module)] == ["weight", "bias"]


def test_on_a_gpu_torch_moves_what_may_lie_on_another_one() -> None:
    assert not lies_at(nn.Linear(2, 2, device="meta"), "cuda", torch.float32)
    assert not lies_at(nn.Module(), "cuda", torch.float32)


def test_a_tensor_that_a_list_holds_again_says_what_it_is_called_first() -> None:
    module = nn.Module()
    module.W = nn.Linear(2, 2)
    module.kept = [module.W]

    found = {slot.name: (slot.kind, slot.first) for slot in inspect(module)}

    assert found["W.weight"] == ("parameter", "")
    assert found["kept.0.weight"] == ("loose", "W.weight")


class Half(nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight / 2

    def right_inverse(self, weight: torch.Tensor) -> torch.Tensor:
        return weight * 2


class Kept(nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight


class Scaled(nn.Module):
    def __init__(self, by: nn.Parameter | None = None) -> None:
        super().__init__()
        self.by = by if by is not None else nn.Parameter(torch.tensor(2.0))

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight * self.by

    def right_inverse(self, weight: torch.Tensor) -> torch.Tensor:
        return weight / self.by


class Product(nn.Module):
    def forward(self, left: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
        return left @ right

    def right_inverse(self, weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return weight[:, :2].clone(), weight[:2].clone()


def parametrized(by: nn.Module) -> nn.Module:
    module = Attention()
    register_parametrization(module.W_query, "weight", by)
    return module


@pytest.mark.parametrize("by", [Half, Kept, Scaled])
def test_a_weight_that_is_computed_from_another_has_its_own_name(by: type[nn.Module]) -> None:
    assert kinds(parametrized(by())) == kinds(Attention())


def test_what_no_weight_is_computed_with_is_no_part_of_one() -> None:
    by = Half()
    by.mask = nn.Parameter(torch.ones(2))

    assert kinds(parametrized(by)).keys() == {*kinds(Attention()), "W_query.parametrizations.weight.0.mask"}


@pytest.mark.filterwarnings("ignore:.*weight_norm:FutureWarning")
@pytest.mark.parametrize("norm", [weight_norm, older_weight_norm])
@pytest.mark.parametrize("dim", [0, 1, None])
def test_a_weight_whose_length_is_learnt_by_itself_is_one_weight(norm: Callable[..., Any], dim: int | None) -> None:
    module = Attention()
    norm(module.W_query, dim=dim)

    assert kinds(module) == kinds(Attention())
    assert tensors(module)["W_query.weight"].shape == (4, 3)
    module.W_query(torch.ones(2, 3))
    assert kinds(module) == kinds(Attention())


@pytest.mark.filterwarnings("ignore:.*weight_norm:FutureWarning")
@pytest.mark.parametrize("norm", [weight_norm, older_weight_norm])
@pytest.mark.parametrize("dim", [0, 1, None])
@pytest.mark.parametrize("shape", [(4, 1), (1, 4)])
def test_so_is_one_of_a_single_column_or_row(norm: Callable[..., Any], dim: int | None, shape: tuple[int, int]) -> None:
    module = nn.Linear(*reversed(shape), bias=False)
    norm(module, dim=dim)
    value = torch.arange(1.0, 5.0).reshape(shape)

    with torch.no_grad():
        write(held(module), {"weight": value})

    assert kinds(module) == {"weight": "parameter"}
    assert tensors(module)["weight"].shape == shape
    assert torch.allclose(module.weight, value)


def test_a_weight_of_the_module_itself_that_is_computed_has_its_own_name() -> None:
    module = Attention()
    module.W_value = nn.Parameter(torch.ones(3, 4))
    weight_norm(module, "W_value", dim=1)

    assert kinds(module) == {**kinds(Attention()), "W_value": "parameter"}


def test_a_weight_that_is_a_product_of_two_has_no_name_that_is_not_theirs() -> None:
    of_product = {f"W_query.parametrizations.weight.original{each}" for each in (0, 1)}

    assert kinds(parametrized(Product())).keys() == {*kinds(Attention())} - {"W_query.weight"} | of_product


@pytest.mark.filterwarnings("ignore:.*weight_norm:FutureWarning")
@pytest.mark.parametrize("number", [0.0, -3.0])
@pytest.mark.parametrize("by", [Half, Kept, Scaled, weight_norm, older_weight_norm])
def test_a_computed_weight_becomes_what_is_written(by: Any, number: float) -> None:
    module = parametrized(by()) if isinstance(by, type) else Attention()
    if not isinstance(by, type):
        by(module.W_query)
    value = torch.linspace(1, 2, 12).reshape(4, 3)
    value[0, 0] = number
    given = value.clone()

    with torch.no_grad():
        write(held(module), {"W_query.weight": given})
        tensors(module)["W_query.weight"].mul_(2)

    assert torch.equal(given, value)  # what was written is nobody's weight

    with torch.no_grad():
        write(held(module), {"W_query.weight": given})

    assert torch.allclose(module.W_query.weight, value)
    assert is_learnt(tensors(module)["W_query.weight"])


@pytest.mark.filterwarnings("ignore:.*weight_norm:FutureWarning")
@pytest.mark.parametrize("norm", [weight_norm, older_weight_norm])
@pytest.mark.parametrize("dim", [0, 1, None])
@pytest.mark.parametrize("shape", [(4, 3), (4, 1), (1, 4)])
def test_a_weight_may_become_zeros(norm: Callable[..., Any], dim: int | None, shape: tuple[int, int]) -> None:
    module = nn.Linear(*reversed(shape), bias=False)
    norm(module, dim=dim)
    value = torch.linspace(1, 2, shape[0] * shape[1]).reshape(shape)
    value[0, 1:] = value[1:, 0] = 0

    for given in (value, torch.zeros(shape)):
        with torch.no_grad():
            write(held(module), {"weight": given})

        assert torch.allclose(module.weight, given)


def test_what_a_weight_is_computed_with_is_written_before_it() -> None:
    module = Attention()
    module.scale = nn.Parameter(torch.tensor(1.0))
    register_parametrization(module.W_query, "weight", Scaled(module.scale))
    value = torch.ones(4, 3)

    with torch.no_grad():
        write(held(module), {"W_query.weight": value, "scale": torch.tensor(3.0)})

    assert torch.equal(module.W_query.weight, value)
    assert module.scale == 3


def test_what_is_not_called_as_a_weight_is_written_as_it_is() -> None:
    module = parametrized(Product())
    names = [f"W_query.parametrizations.weight.original{each}" for each in (0, 1)]
    given = {name: torch.full_like(tensors(module)[name], 2.0) for name in names}

    with torch.no_grad():
        write(held(module), given)

    assert all(torch.equal(tensors(module)[name], given[name]) for name in names)


def test_the_value_of_a_computed_weight_is_what_is_used() -> None:
    module = parametrized(Half())

    assert torch.equal(values(module)["W_query.weight"], module.W_query.weight)
    assert values(module).keys() == {"scale", "W_query.weight"}
