"""The checks of the thirteen exercises as a teacher would write them in plain torch: import, call, compare.

What the grader is compared with does these, each tool in its own form. Every step of the rubrics is here, on inputs of
the same sizes, from a seed, against the reference in float64. There is no sandbox, no diagnosis and no partial credit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from benchmarks.peers.loading import TOLERANCE, Both, called, close, made

SEED = 7
WEIGHTS = ("W_query", "W_key", "W_value")
Shapes = Sequence[tuple[int, ...]]


@dataclass(frozen=True)
class Check:
    """One check. exercise: as ex01. perform: raises whatever shows that a solution is not right."""

    name: str
    exercise: str
    perform: Callable[[Both], None]


CHECKS: list[Check] = []


def run(check: Check, both: Both) -> None:
    """Do a check. Raises AssertionError, or whatever a student's code raises."""
    torch.manual_seed(SEED)
    check.perform(both)


def each(values: Sequence[Any], exercise: str = "") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a check of a function for each of its arguments; a tuple is several. exercise: else an argument says it."""

    def entered(function: Callable[..., None]) -> Callable[..., None]:
        for value in values:
            arguments = value if isinstance(value, tuple) and function.__code__.co_argcount != 2 else (value,)
            name = f"{function.__name__}[{', '.join(map(str, arguments))}]"
            check = Check(name, exercise or value[:4], lambda both, given=arguments: function(both, *given))
            CHECKS.append(check)
        return function

    return entered


# step: module, function, shapes of its arguments for each case
FUNCTIONS: dict[str, tuple[str, str, list[Shapes]]] = {
    "ex01.query": ("ex01_dot_product_scores", "attention_scores_for_query",
                   [[(3,), (6, 3)], [(2,), (6, 2)], [(7,), (5, 7)], [(11,), (3, 11)]]),
    "ex01.all": ("ex01_dot_product_scores", "attention_scores", [[(6, 3)], [(5, 7)], [(9, 2)]]),
    "ex02.softmax": ("ex02_softmax_weights", "softmax", [[(6,)], [(6,)], [(6,)], [(9,)]]),
    "ex02.weights": ("ex02_softmax_weights", "attention_weights", [[(6, 6)], [(5, 5)], [(9, 9)]]),
    "ex03.context": ("ex03_context_vectors", "context_vector", [[(6,), (6, 3)], [(5,), (5, 7)], [(3,), (3, 11)]]),
    "ex03.contexts": ("ex03_context_vectors", "context_vectors", [[(6, 3)], [(5, 7)], [(9, 2)]]),
    "ex04.project": ("ex04_qkv_projections", "project",
                     [[(t, i), (i, o), (i, o), (i, o)] for t, i, o in ((6, 3, 2), (5, 6, 4), (4, 3, 7), (5, 4, 4))]),
    "ex04.score": ("ex04_qkv_projections", "attention_score", [[(2,), (2,)], [(6,), (6,)]]),
    "ex04.context": ("ex04_qkv_projections", "context_vector_for_query",
                     [[(k,), (t, k), (t, v)] for k, t, v in ((2, 6, 2), (2, 6, 6), (4, 5, 3), (3, 8, 6))]),
    "ex05.scaled": ("ex05_scaled_scores", "scaled_scores", [[(6, 2), (6, 2)], [(5, 4), (5, 4)], [(3, 7), (3, 7)]]),
    "ex05.attention": ("ex05_scaled_scores", "scaled_dot_product_attention",
                       [[(t, k), (t, k), (t, v)] for t, k, v in ((6, 2, 2), (6, 2, 6), (5, 4, 3), (6, 2, 8))]),
}  # fmt: skip
V1, V2 = "ex06_self_attention_v1.SelfAttention_v1", "ex07_self_attention_v2.SelfAttention_v2"
CAUSAL, WRAPPER = "ex10_causal_attention.CausalAttention", "ex11_multi_head_wrapper.MultiHeadAttentionWrapper"
MULTI, SPLIT = "ex12_multi_head_attention.MultiHeadAttention", "ex13_wrapper_vs_split.SplitHeadAttention"
# class: arguments of its constructor and the shape of its input, for each case
CLASSES: dict[str, list[tuple[tuple[Any, ...], tuple[int, ...]]]] = {
    V1: [((3, 2), (6, 3)), ((3, 2), (6, 3)), ((6, 4), (5, 6)), ((3, 7), (4, 3))],
    V2: [((3, 2), (6, 3)), ((6, 4), (5, 6)), ((3, 7), (4, 3)), ((6, 4, True), (5, 6))],
    CAUSAL: [((3, 2, 6, 0.0), (2, 6, 3)), ((6, 4, 5, 0.0), (3, 5, 6)), ((3, 7, 6, 0.0), (2, 6, 3)),
             ((6, 4, 8, 0.0), (3, 5, 6)), ((6, 4, 8, 0.0), (3, 1, 6)), ((6, 4, 5, 0.0, True), (3, 5, 6))],
    WRAPPER: [((6, 4, 5, 0.0, 3), (2, 5, 6)), ((3, 2, 6, 0.0, 5), (4, 6, 3)), ((6, 4, 8, 0.0, 3), (2, 5, 6))],
    MULTI: [((7, 12, 5, 0.0, 3), (2, 5, 7)), ((3, 10, 6, 0.0, 2), (4, 6, 3)), ((7, 12, 9, 0.0, 3), (2, 5, 7)),
            ((7, 12, 9, 0.0, 3), (2, 1, 7)), ((7, 12, 5, 0.0, 3, True), (2, 5, 7))],
    SPLIT: [((6, 4, 5, 0.0, 3), (2, 5, 6)), ((3, 7, 6, 0.0, 2), (4, 6, 3)), ((6, 4, 8, 0.0, 3), (2, 5, 6)),
            ((6, 4, 8, 0.0, 3), (2, 1, 6)), ((6, 4, 5, 0.0, 3, True), (2, 5, 6))],
}  # fmt: skip


@each(FUNCTIONS)
def function(both: Both, step: str) -> None:
    module, name, cases = FUNCTIONS[step]
    for shapes in cases:
        called(*both(f"{module}.{name}"), *[torch.randn(shape) for shape in shapes], tolerance=4 * TOLERANCE)


@each([1e4, -1e4, 1.0], "ex02")
def softmax_is_stable(both: Both, height: float) -> None:
    called(*both("ex02_softmax_weights.softmax"), torch.randn(6) + height, tolerance=1e-3)


@each([()], "ex02")
def rows_sum_to_one(both: Both) -> None:
    mine, _ = both("ex02_softmax_weights.attention_weights")
    close(mine(torch.randn(9, 9)).sum(-1), torch.ones(9, dtype=torch.float64))


@each([8.0, 2.0, 0.5, 5.0], "ex02")
def sharpened(both: Both, factor: float) -> None:
    called(*both("ex02_softmax_weights.sharpened_weights"), torch.randn(6), factor, tolerance=20 * TOLERANCE)


@each([16, 36], "ex05")
def variance(both: Both, dim: int) -> None:
    mine, _ = both("ex05_scaled_scores.dot_product_variance")
    before, after = mine(dim, 2000, torch.Generator().manual_seed(1))
    assert abs(float(before) / dim - 1) < 0.25
    assert abs(float(after) - 1) < 0.25


@each(CLASSES)
def outputs(both: Both, path: str) -> None:
    for arguments, shape in CLASSES[path]:
        mine, right = made(both, path, arguments)
        x = torch.randn(shape)
        close(mine(x), right.double()(x.double()), 8 * TOLERANCE)


@each(CLASSES)
def parameters(both: Both, path: str) -> None:
    arguments, _ = CLASSES[path][-1]
    mine, right = (each(*arguments) for each in both(path))
    shapes = [{name: tuple(value.shape) for name, value in module.named_parameters()} for module in (mine, right)]
    assert shapes[0] == shapes[1]


@each([V1, CAUSAL, WRAPPER, MULTI, SPLIT])
def gradients(both: Both, path: str) -> None:
    arguments, shape = CLASSES[path][1]
    mine, right = made(both, path, arguments)
    x = torch.randn(shape)
    mine(x).square().sum().backward()
    right.double()(x.double()).square().sum().backward()
    expected = dict(right.named_parameters())
    for name, value in mine.named_parameters():
        close(value.grad, expected[name].grad, 40 * TOLERANCE)


@each([CAUSAL, MULTI])
def causality(both: Both, path: str) -> None:
    arguments, shape = CLASSES[path][0]
    mine, _ = made(both, path, arguments)
    x = torch.randn(shape)
    changed = x.clone()
    changed[:, 3:] = torch.randn_like(changed[:, 3:])
    assert torch.allclose(mine(x)[:, :3], mine(changed)[:, :3])
    assert not torch.allclose(mine(x)[:, 3:], mine(changed)[:, 3:])


@each([CAUSAL, WRAPPER, MULTI, SPLIT])
def state(both: Both, path: str) -> None:
    arguments, shape = CLASSES[path][0]
    (kind, _), x = both(path), torch.randn(shape)
    one, other = kind(*arguments), kind(*arguments)
    other.load_state_dict(one.state_dict())
    assert torch.equal(one(x), other(x))
    assert next(one.double().parameters()).dtype == torch.float64


@each([CAUSAL, WRAPPER, MULTI, SPLIT])
def dropout(both: Both, path: str) -> None:
    heads = () if path == CAUSAL else (2,)
    mine, _ = made(both, path, (9, 14, 7, 0.4, *heads))
    x = torch.randn(3, 7, 9)
    mine.eval()
    assert torch.equal(mine(x), mine(x))
    still = mine(x)
    mine.train()
    assert not torch.equal(mine(x), mine(x))
    mean = mine(x.repeat(400, 1, 1)).unflatten(0, (400, 3)).mean(0)
    assert float((mean - still).detach().abs().max()) < 0.35 * float(still.detach().abs().max())


@each([6, 9, 1], "ex08")
def mask(both: Both, size: int) -> None:
    mine, right = both("ex08_causal_mask.causal_mask")
    assert torch.equal(mine(size), right(size))


@each([(6, 6), (4, 4), (2, 3, 5, 5)], "ex08")
def masked(both: Both, shape: tuple[int, ...]) -> None:
    mine, right = both("ex08_causal_mask.mask_scores")
    scores, mask = torch.randn(shape), torch.rand(shape[-2:]) < 0.4
    before = scores.clone()
    got = mine(scores, mask)
    assert torch.equal(before, scores)
    close(got.masked_fill(got < -1e8, -torch.inf), right(scores.double(), mask))


@each([(6, 6), (6, 6), (8, 8), (3, 5, 5), (2, 3, 6, 6)], "ex08")
def causal_weights(both: Both, shape: tuple[int, ...]) -> None:
    called(*both("ex08_causal_mask.causal_attention_weights"), torch.randn(shape) * 3, 4, tolerance=20 * TOLERANCE)


@each([((16, 24), 0.3), ((4, 8, 12), 0.6)], "ex09")
def dropped_weights(both: Both, shape: tuple[int, ...], rate: float) -> None:
    mine, _ = both("ex09_attention_dropout.dropout_weights")
    weights = torch.rand(shape) * 0.9 + 0.1
    drawn = torch.stack([mine(weights, rate, True) for _ in range(8)])
    kept = drawn != 0
    assert torch.allclose(drawn[kept], (weights / (1 - rate)).expand_as(drawn)[kept])
    assert abs(float(kept.double().mean()) - (1 - rate)) < 0.05
    for other, training in ((0.0, True), (0.5, False)):
        assert torch.equal(mine(weights, other, training), weights)
    assert torch.equal(mine(weights, 1.0, True), torch.zeros(shape))
    one, two = (mine(weights, 0.5, True, torch.Generator().manual_seed(3)) for _ in range(2))
    assert torch.equal(one, two)


@each([()], "ex12")
def indivisible(both: Both) -> None:
    mine, _ = both(MULTI)
    for arguments in ((7, 13, 5, 0.0, 3), (7, 12, 5, 0.0, 5)):
        try:
            mine(*arguments)
        except (AssertionError, ValueError):
            continue
        raise AssertionError(f"{arguments} was not refused")


class Calls(TorchFunctionMode):
    """Counts what is called of torch; a dispatch mode would see more and take two seconds to import."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen[getattr(func, "__name__", "")] += 1
        return func(*args, **(kwargs or {}))

    @property
    def products(self) -> int:
        names = ("matmul", "__matmul__", "__rmatmul__", "mm", "bmm", "linear", "einsum", "scaled_dot_product_attention")
        return sum(self.seen[name] for name in names)


@each([MULTI, SPLIT])
def kernels(both: Both, path: str) -> None:
    kind, _ = both(path)
    counts = set()
    for heads in (2, 4, 8):
        module = kind(8, 16, 5, 0.0, heads)
        with Calls() as calls:
            module(torch.randn(2, 5, 8))
        counts.add(calls.products)
    assert len(counts) == 1


@each([()], "ex02")
def softmax_by_hand(both: Both) -> None:
    mine, _ = both("ex02_softmax_weights.softmax")
    with Calls() as calls:
        mine(torch.randn(9))
    assert not {"softmax", "log_softmax", "softmin"} & {*calls.seen}


def copied(both: Both, copy: str, source: tuple[str, tuple[Any, ...]], target: tuple[str, tuple[Any, ...]]) -> None:
    """Copy one module's weights into the other, which then computes the same."""
    one, other = (both(path)[0](*arguments) for path, arguments in (source, target))
    both(copy)[0](one, other)
    x = torch.randn(2, 5, 6) if "wrapper" in source[0] else torch.randn(5, 6)
    close(other(x), one(x).double(), 40 * TOLERANCE)


@each([()], "ex07")
def copy_weights(both: Both) -> None:
    copied(both, "ex07_self_attention_v2.copy_weights", (V2, (6, 4)), (V1, (6, 4)))


@each([False, True], "ex13")
def copy_heads(both: Both, bias: bool) -> None:
    heads = "ex13_wrapper_vs_split.copy_heads"
    copied(both, heads, (WRAPPER, (6, 4, 5, 0.0, 3, bias)), (SPLIT, (6, 4, 5, 0.0, 3, bias)))
    copied(both, heads, (WRAPPER, (6, 4, 5, 0.0, 3)), (MULTI, (6, 12, 5, 0.0, 3)))
