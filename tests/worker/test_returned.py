"""Whatever a student returns is described, and only tensors that fit are sent."""

from __future__ import annotations

from collections import namedtuple
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from grader.model.observation import Returned
from grader.worker.returned import MAX_ITEMS, Parcel, describe, kept, together

ROOM = 1 << 16


def described(value: Any, room: int = ROOM) -> tuple[Returned, dict[str, torch.Tensor]]:
    parcel = Parcel(room)
    return describe(value, "result", parcel), parcel.tensors


def test_a_tensor_is_described_and_sent() -> None:
    x = torch.arange(6.0).reshape(2, 3)

    returned, sent = described(x)

    assert returned == Returned("tensor", "result", "float32", (2, 3), "cpu", "torch.Tensor")
    assert torch.equal(sent["result"], x)


@pytest.mark.parametrize("dtype", [torch.bool, torch.uint8, torch.int64, torch.float16, torch.float32, torch.float64])
def test_a_tensor_crosses_in_its_own_type(dtype: torch.dtype) -> None:
    returned, sent = described(torch.ones(3).to(dtype))

    assert returned.dtype == str(dtype).removeprefix("torch.")
    assert sent["result"].dtype is dtype


def test_bfloat16_is_widened_and_called_what_it_was() -> None:
    returned, sent = described(torch.full((2,), 1.5, dtype=torch.bfloat16))

    assert returned.dtype == "bfloat16"
    assert sent["result"].tolist() == [1.5, 1.5]
    assert sent["result"].dtype is torch.float32


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(torch.ones(4, dtype=torch.complex64), id="complex"),
        pytest.param(torch.ones(2, device="meta"), id="meta"),
        pytest.param(torch.ones(1).expand(1 << 40), id="a terabyte of one number"),
        pytest.param(torch.ones(ROOM), id="more than there is room"),
    ],
)
def test_a_tensor_that_cannot_cross_is_described_alone(value: torch.Tensor) -> None:
    returned, sent = described(value)

    assert (returned.kind, returned.key, returned.shape) == ("tensor", "", tuple(value.shape))
    assert sent == {}


def test_a_tensor_of_more_axes_than_cross_is_something_else() -> None:
    returned, sent = described(torch.ones([1] * 10_000))

    assert returned == Returned("other", type="tensor with 10,000 axes")
    assert sent == {}


def test_a_sparse_tensor_is_something_else() -> None:
    returned, sent = described(torch.eye(3).to_sparse())

    assert (returned.kind, returned.type, sent) == ("other", "sparse_coo tensor", {})


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(torch.ones(2, 3, requires_grad=True) * 2, id="with a gradient"),
        pytest.param(torch.nn.Parameter(torch.full((2, 3), 2.0)), id="a parameter"),
        pytest.param(torch.full((3, 2), 2.0).T, id="a view"),
        pytest.param(torch.tensor(2.0).expand(2, 3), id="expanded"),
        pytest.param(torch._neg_view(torch.full((2, 3), -2.0)), id="with a negative bit"),
        pytest.param(torch.full((2, 3), 2.0).as_subclass(type("Mine", (torch.Tensor,), {})), id="a subclass"),
    ],
)
def test_a_tensor_of_any_kind_is_sent_by_its_values(value: torch.Tensor) -> None:
    returned, sent = described(value)

    assert (returned.kind, returned.shape) == ("tensor", (2, 3))
    assert sent["result"].tolist() == [[2.0] * 3] * 2
    assert sent["result"].is_contiguous()
    assert not sent["result"].requires_grad


def test_what_is_sent_is_a_copy() -> None:
    x = torch.ones(3)
    _, sent = described(x)

    x.zero_()

    assert sent["result"].tolist() == [1.0] * 3


def test_room_is_shared_by_all_tensors_of_a_run() -> None:
    parcel = Parcel(100)

    first, second = (describe(torch.ones(20), name, parcel) for name in ("first", "second"))

    assert (first.key, second.key) == ("first", "")


@pytest.mark.parametrize(
    ("value", "returned"),
    [
        (None, Returned("none", type="None")),
        (3, Returned("number", type="int", number=3.0)),
        (True, Returned("number", type="bool", number=1.0)),
        (0.5, Returned("number", type="float", number=0.5)),
        (Fraction(1, 4), Returned("number", type="fractions.Fraction", number=0.25)),
        (np.float32(0.5), Returned("number", type="numpy.float32", number=0.5)),
        (np.array(0.5, np.float32), Returned("number", type="numpy.ndarray", number=0.5)),
        (np.array([0.5]), Returned("other", type="numpy.ndarray")),
        (np.array("0.5"), Returned("other", type="numpy.ndarray")),
        ("text", Returned("other", type="str")),
        ({"a": 1}, Returned("other", type="dict")),
        (np.ones(3), Returned("other", type="numpy.ndarray")),
        (1 + 2j, Returned("other", type="complex")),
        ((), Returned("sequence", type="tuple")),
    ],
)
def test_what_is_no_tensor_is_described_by_its_type(value: Any, returned: Returned) -> None:
    assert described(value) == (returned, {})


def test_a_tuple_is_described_item_by_item() -> None:
    returned, sent = described((torch.ones(2), 0.5, [torch.zeros(1)]))

    assert (returned.kind, returned.type) == ("sequence", "tuple")
    assert [item.kind for item in returned.items] == ["tensor", "number", "sequence"]
    assert set(sent) == {"result.0"}  # what a list inside the tuple holds is not looked at


def test_a_named_tuple_is_a_tuple() -> None:
    returned, _ = described(namedtuple("Output", "context weights")(torch.ones(1), torch.ones(1)))

    assert (returned.type, len(returned.items)) == ("tuple", 2)


def test_a_long_list_is_cut() -> None:
    returned, _ = described([1] * 1000)

    assert (len(returned.items), returned.length) == (MAX_ITEMS, 1000)


def test_a_list_that_holds_itself_is_described_to_an_end() -> None:
    endless: list[Any] = []
    endless.append(endless)

    returned, _ = described(endless)

    assert returned.items == (Returned("sequence", type="list", further=1),)


def test_a_long_type_name_is_cut() -> None:
    returned, _ = described(type("x" * 1000, (), {})())

    assert len(returned.type) == 80


def test_results_that_are_alike_are_sent_as_one() -> None:
    results = [kept((torch.full((2, 3), float(n)), "more"), ROOM) for n in range(4)]

    assert together(results, ROOM).tolist() == [[[float(n)] * 3] * 2 for n in range(4)]


def test_several_numbers_are_kept_as_one_row() -> None:
    pairs = [(torch.tensor(float(n), requires_grad=True), n + 0.5) for n in range(3)]

    rows = together([kept(each, ROOM) for each in pairs], ROOM)

    assert rows.tolist() == [[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]]


def test_what_is_kept_does_not_change_with_the_result() -> None:
    result = torch.zeros(2)
    before = kept(result, ROOM)
    result += 1

    assert together([before, kept(result, ROOM)], ROOM).tolist() == [[0.0, 0.0], [1.0, 1.0]]


@pytest.mark.parametrize(
    "results",
    [
        pytest.param([torch.ones(2), torch.ones(3)], id="shapes"),
        pytest.param([torch.ones(2), torch.ones(2, dtype=torch.float64)], id="types"),
        pytest.param([torch.ones(2), None], id="nothing"),
        pytest.param([1.0, 1.0], id="numbers"),
        pytest.param([torch.ones(2).to_sparse()] * 2, id="sparse"),
        pytest.param([torch.ones(1).expand(1 << 40)] * 2, id="a terabyte of one number"),
        pytest.param([torch.ones(ROOM // 8)] * 4, id="more together than there is room"),
    ],
)
def test_results_that_cannot_be_one_stay_several(results: list[Any]) -> None:
    assert isinstance(together([kept(each, ROOM) for each in results], ROOM), tuple)
