"""Operations are counted as they reach the dispatcher, however they were spelt."""

from __future__ import annotations

import _thread
import itertools
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest
import torch
from torch import Tensor

from grader.model.observation import LEFT_TORCH, OF_GIVEN, WRITTEN_OUT
from grader.worker import operations
from grader.worker.operations import Counting

A, B = torch.randn(3, 4, 5), torch.randn(3, 5, 4)
# What comes of weights that are learnt.
LEARNT = torch.randn(3, 4, 5, requires_grad=True) * 1.0


@pytest.fixture(autouse=True)
def a_worker_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a worker, for so long as a test of this module takes."""
    monkeypatch.setattr(Tensor, "__new__", Tensor.__new__)
    for module, name in itertools.product(operations.BEGUN_IN, operations.BEGINNING):
        if begin := getattr(module, name, None):
            monkeypatch.setattr(module, name, begin)
    operations.make_ready()


def counts(compute: Callable[[], object], *given: Tensor) -> dict[str, int]:
    with Counting(given) as counting:
        compute()
    return dict(counting.counts)


@pytest.mark.parametrize(
    "compute",
    [
        lambda: A @ B,
        lambda: torch.matmul(A, B),
        lambda: torch.bmm(A, B),
        lambda: torch.einsum("bij,bjk->bik", A, B),
    ],
)
def test_a_product_is_one_product_however_it_is_spelt(compute: Callable[[], Tensor]) -> None:
    assert counts(compute)["bmm"] == 1


@pytest.mark.parametrize("width", [2, 8, 64])
def test_a_fused_attention_is_two_products_whatever_a_device_makes_of_it(width: int) -> None:
    heads = torch.randn(2, 4, 6, width)
    fused = torch.backends.cuda.flash_sdp_enabled()

    assert counts(lambda: torch.nn.functional.scaled_dot_product_attention(heads, heads, heads))["bmm"] == 2
    assert torch.backends.cuda.flash_sdp_enabled() is fused is True


def test_a_fused_attention_is_taken_apart_also_where_the_only_way_to_do_so_was_switched_off() -> None:
    heads = torch.randn(2, 4, 6, 8)
    torch.backends.cuda.enable_math_sdp(False)
    try:
        made = counts(lambda: torch.nn.functional.scaled_dot_product_attention(heads, heads, heads))
        is_left = not torch.backends.cuda.math_sdp_enabled()
    finally:
        torch.backends.cuda.enable_math_sdp(True)

    assert (made["bmm"], is_left) == (2, True)


def test_a_loop_over_heads_is_as_many_products() -> None:
    assert counts(lambda: [A[i] @ B[i] for i in range(3)])["mm"] == 3


def in_threads(*computations: Callable[[], object]) -> None:
    threads = [threading.Thread(target=each) for each in computations]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


class Computing(threading.Thread):
    def run(self) -> None:
        A[0] @ B[0]


def in_a_thread_of_its_own_class() -> None:
    thread = Computing()
    thread.start()
    thread.join()


def in_a_pool() -> None:
    with ThreadPoolExecutor() as pool:
        list(pool.map(torch.mm, A, B))


def test_what_threads_compute_is_counted_too() -> None:
    assert counts(lambda: in_threads(*[lambda: A[0] @ B[0]] * 3))["mm"] == 3
    assert counts(in_a_pool)["mm"] == 3
    assert counts(in_a_thread_of_its_own_class)["mm"] == 1
    assert counts(lambda: in_threads(lambda: in_threads(lambda: torch.softmax(A, -1))))["_softmax"] == 1
    assert counts(lambda: in_threads(A.tolist))[LEFT_TORCH] == A.numel()


def test_threads_that_were_begun_before_the_call_are_counted_too() -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(torch.mm, A[0], B[0]).result()

        assert counts(lambda: list(pool.map(torch.mm, A, B)))["mm"] == 3


def test_a_thread_is_counted_once_whatever_begins_it() -> None:
    operations.make_ready()  # a second time
    computed = threading.Event()

    assert counts(lambda: in_threads(lambda: A[0] @ B[0]))["mm"] == 1
    assert (
        counts(lambda: (_thread.start_new_thread(lambda: (A[0] @ B[0], computed.set()), ()), computed.wait()))["mm"]
        == 1
    )


def test_what_a_thread_computes_behind_the_call_is_not_counted() -> None:
    begin = threading.Event()
    thread = threading.Thread(target=lambda: (begin.wait(), A[0] @ B[0]))
    with Counting() as counting:
        thread.start()
    begin.set()
    thread.join()

    assert counting.counts == {}


@pytest.mark.parametrize(
    "compute",
    [
        lambda: (A[:, :, None] * B.mT[:, None]).sum(-1),
        lambda: torch.sum(A.unsqueeze(2) * B.mT.unsqueeze(1), dim=3),
        lambda: (A[..., None] * B[:, None]).sum(2),
        lambda: torch.mean(A[:, :, None] * B.mT[:, None], -1) * 5,
        lambda: (A[:, :, None] * B.mT[:, None] / 2).sum(-1),
        lambda: (A[:, :, None] * B.mT[:, None]).transpose(1, 2).contiguous().to(torch.float64).sum(-1),
        lambda: torch.addcmul(torch.zeros(()), A[:, :, None], B.mT[:, None]).sum(-1),
        lambda: (A[:, :, None].expand(3, 4, 4, 5) * B.mT[:, None].expand(3, 4, 4, 5)).sum(-1),
        lambda: (A[:, :, None].requires_grad_() * B.mT[:, None]).sum(-1),
        lambda: (LEARNT[:, :1] * LEARNT).sum(-1),  # one row after the other
        lambda: (LEARNT.repeat(1, 4, 1) * LEARNT.repeat_interleave(4, 1)).sum(-1),
        lambda: LEARNT.flatten()[0] * LEARNT.flatten()[1],  # one number of many
    ],
)
def test_a_product_that_is_written_out_is_one_too(compute: Callable[[], Tensor]) -> None:
    assert counts(compute)[WRITTEN_OUT] == 1


@pytest.mark.parametrize(
    "compute",
    [
        lambda: (weights := torch.exp(A * 0.5)) / weights.sum(-1, keepdim=True),  # softmax of what is scaled
        lambda: (A * torch.tensor(0.5)).sum(-1),
        lambda: (shares := A.exp() * (B.mT > 0)) / shares.sum(-1, keepdim=True),  # masked, and normalised again
        lambda: (A * torch.ones(4, 5).tril()).sum(-1),  # the mask is for all of a batch
        lambda: (A.square()).sum(),
        lambda: (LEARNT * (A > 0).float()).sum(-1),
        lambda: (LEARNT * torch.tensor(2.0, requires_grad=True)).sum(-1),  # a temperature that is learnt
        lambda: LEARNT.flatten()[0] * 0.5 + LEARNT.flatten()[1] * torch.tensor(2.0),
        lambda: A.to_sparse() * 2,
        lambda: (A[:, :, None] * B.mT[:, None], A.sum(-1)),
    ],
)
def test_what_is_multiplied_and_what_is_summed_for_another_reason_is_no_product(compute: Callable[[], object]) -> None:
    assert WRITTEN_OUT not in counts(compute)


def test_rows_taken_from_columns_and_squared_are_a_product_of_what_is_given() -> None:
    def distances() -> object:
        return (A[:, :, None] - B.mT[:, None]).square().sum(-1)

    assert counts(distances, A, B)[WRITTEN_OUT] == 1
    assert WRITTEN_OUT not in counts(distances)  # as positions are taken from one another


def row_by_row(some: Tensor) -> Tensor:
    """The same, written into the rows of zeros."""
    zeros = torch.zeros(some.shape)
    for number in range(some.shape[1]):
        zeros[:, number][..., :5] = some[:, number]
    return zeros


@pytest.mark.parametrize(
    ("compute", "products"),
    [
        (lambda: A @ B, 1),
        (lambda: (A + 1).softmax(-1).transpose(1, 2).contiguous() @ torch.stack([*B]).mT, 1),
        (lambda: (A[:, :, None] * B.mT[:, None]).sum(-1), 1),
        (lambda: A @ torch.randn(5, 2), 0),
        (lambda: torch.from_numpy(A.numpy()) @ torch.tensor(B.tolist()), 0),
        (lambda: torch.func.vmap(torch.mm)(A, B), 1),
        (lambda: row_by_row(A) @ B, 1),
        (lambda: torch.mul(A, 2, out=torch.empty(3, 4, 5)[:]) @ B, 1),
    ],
)
def test_a_product_of_what_is_given_is_told_from_one_with_something_else(
    compute: Callable[[], object], products: int
) -> None:
    assert counts(compute, A, B).get(OF_GIVEN, 0) == products


@pytest.mark.parametrize(
    "leave",
    [
        lambda: A.tolist(),
        lambda: A.numpy(),
        lambda: numpy.array(A),
        lambda: numpy.asarray(A),
        lambda: numpy.from_dlpack(A),
        lambda: A.untyped_storage(),
        lambda: A.data_ptr(),
        lambda: [number.item() for number in A.flatten().unbind()],
        lambda: [float(number) for number in A.flatten().unbind()],
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_numbers_that_leave_torch_are_counted(leave: Callable[[], object]) -> None:
    assert counts(leave)[LEFT_TORCH] == A.numel()
    assert LEFT_TORCH not in counts(lambda: (A @ B).sum())


def test_softmax_is_seen_and_one_written_by_hand_is_not() -> None:
    own = counts(lambda: torch.softmax(A, -1))
    by_hand = counts(lambda: A.exp() / A.exp().sum(-1, keepdim=True))

    assert own["_softmax"] == 1
    assert "_softmax" not in by_hand
    assert by_hand["exp"] == 2


def test_in_place_operations_have_names_of_their_own() -> None:
    assert counts(lambda: A.clone().add_(1)) == {"clone": 1, "add_": 1}


def test_nothing_is_counted_outside() -> None:
    with Counting() as counting:
        pass
    torch.softmax(A, -1)

    assert counting.counts == {}


def test_the_backward_pass_inside_is_counted_too() -> None:
    x = A.clone().requires_grad_()

    assert counts(lambda: (x @ B).sum().backward())["bmm"] >= 2


class Derived(Tensor):
    """As `torch.nn.attention.bias.CausalBias` is."""


@pytest.mark.parametrize("make", [lambda: Derived(4, 5), lambda: Derived([1.0, 2.0]), lambda: Derived(A)])
def test_a_tensor_of_a_derived_class_can_be_made_while_it_is_counted(make: Callable[[], Tensor]) -> None:
    made: list[Tensor] = []
    seen = counts(lambda: (made.append(make()), A @ B))

    assert isinstance(made[0], Derived)
    assert made[0].shape == make().shape
    assert seen["bmm"] == 1
    assert isinstance(Tensor([1.0]), Tensor)


@pytest.mark.long
def test_counting_does_not_import_torchs_compiler() -> None:
    code = (
        "import sys, torch; from grader.worker.operations import Counting\n"
        "with Counting() as counting: torch.ones(2) + 1\n"
        "assert counting.counts, 'nothing counted'\n"
        "print('torch._dynamo' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


@pytest.mark.long
@pytest.mark.parametrize("is_reentrant", [True, False])
def test_what_imports_torchs_compiler_may_do_so_while_it_is_counted(is_reentrant: bool) -> None:
    code = (
        "import sys, torch; from torch.utils.checkpoint import checkpoint\n"
        "from grader.worker.operations import Counting\n"
        "some = torch.rand(3, 4, requires_grad=True)\n"
        f"with Counting() as counting: checkpoint(lambda a: a @ a.T, some, use_reentrant={is_reentrant})\n"
        "print(counting.counts['mm'], 'torch._dynamo' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.stdout == "1 True\n", done.stderr
