"""The shapes told of an error are those of the tensors that the failing expression names, and nothing runs for it."""

from __future__ import annotations

import ast
import linecache
import sys
import types
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

from grader.wire.observations import MOST_SHAPES
from grader.worker.faults import of_exception

FILE = "ex01_dot_product_scores.py"


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    linecache.cache.pop(FILE, None)


def told(source: str, **given: Any) -> dict[str, tuple[int, ...]]:
    """The shapes that are told of the exception that calling `f` raises."""
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    made = types.ModuleType("exercises.ex01_dot_product_scores")
    made.__dict__.update(torch=torch, nn=nn, **given)
    exec(compile(source, FILE, "exec"), made.__dict__)
    with pytest.raises(Exception) as caught:
        made.f()
    return dict(of_exception(caught.value, (FILE,), action=0).shapes)


A, B = torch.zeros(2, 3), torch.zeros(4, 5)
# What a comprehension gave its variable is gone by the time that its error is told, from Python 3.12 on.
GIVEN = {"k": (2, 3)} if sys.version_info < (3, 12) else {}


@pytest.mark.parametrize(
    ("source", "shapes"),
    [
        ("def f():\n    return a @ b\n", {"a": (2, 3), "b": (4, 5)}),
        ("def f():\n    total = b.sum() + (a @ b.T).sum()\n", {"a": (2, 3), "b.T": (5, 4)}),
        ("def f():\n    return a @ b.transpose(0, 1)\n", {"a": (2, 3), "b.transpose(0, 1)": (5, 4)}),
        ("def f():\n    return a @ b.transpose(0, 2)\n", {"b": (4, 5)}),
        ("def f():\n    return (a.mT @ a).view(2)\n", {"a.mT @ a": (3, 3)}),
        (
            "def f():\n    return (a.T @ a @ a.T).transpose(0, 1).view(-1)\n",
            {"(a.T @ a @ a.T).transpose(0, 1)": (2, 3)},
        ),
        ("def f():\n    return (a.sum() * b).view(7)\n", {"a": (2, 3), "b": (4, 5)}),
        ("def f():\n    return a @ a[0].unsqueeze(0) @ b[:, :2]\n", {"a": (2, 3), "a[0]": (3,)}),
        (
            "def f():\n    x = a[None]\n    return torch.cat([\n        x,\n        b,\n    ])\n",
            {"x": (1, 2, 3), "b": (4, 5)},
        ),
        ("def f():\n    größe = b\n    return 'ä' and a @ größe\n", {"a": (2, 3), "größe": (4, 5)}),
        ("def f():\n    return a.view(7, 7)\n", {"a": (2, 3)}),
        ("def f():\n    x = a.clone()\n    x += b\n", {"x": (2, 3), "b": (4, 5)}),
        ("def f():\n    k = b\n    return torch.stack([k.sum(0) for k in [a]]) @ b\n", {"b": (4, 5)}),
        ("def f():\n    deep = torch.zeros([1] * 9)\n    return (deep, a)[1] @ a\n", {"a": (2, 3)}),
        ("def f():\n    raise ValueError('no')\n", {}),
        ("def f():\n    n = 2\n    return a @ b[:n, :n]\n", {"a": (2, 3), "b[:n, :n]": (2, 2)}),
        ("def f():\n    n = 2\n    return a @ b[:n, :n - 1]\n", {"a": (2, 3), "b[:n, :n - 1]": (2, 1)}),
        ("def f():\n    return a @ b[..., None, -1]\n", {"a": (2, 3), "b[..., None, -1]": (4, 1)}),
        (
            "def f():\n    return a[0] @ b[:a.shape[0], 1:a.size(1)]\n",
            {"a[0]": (3,), "b[:a.shape[0], 1:a.size(1)]": (2, 2)},
        ),
        ("def f():\n    return a @ b[:int(2)]\n", {"a": (2, 3)}),
        ("def f():\n    return a @ b[b > 1]\n", {"a": (2, 3)}),
        ("def f():\n    return a[:, :, 0]\n", {"a": (2, 3)}),
        ("def f():\n    a[:, 0] = b\n", {"a": (2, 3)}),
    ],
)
def test_of_a_failing_expression_and_of_no_other(source: str, shapes: dict[str, tuple[int, ...]]) -> None:
    assert told(source, a=A, b=B) == shapes


CLASS = """
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.W = nn.Linear(3, 4)
        self.register_buffer("mask", torch.ones(5, 5))
        self.plain = torch.ones(7)

    def __getattr__(self, name):
        if name == "asked":
            raise SystemExit("something of the solution's was run")
        return super().__getattr__(name)

    def forward(self, x):
        return {}

head = Head()
def f():
    return head(torch.zeros(6, 2))
"""


@pytest.mark.parametrize(
    ("computed", "shapes"),
    [
        ("[k @ a for k in [a]]", GIVEN | {"a": (2, 3)}),
        ("[\n        k\n        @ a\n        for k in [a]\n    ]", GIVEN | {"a": (2, 3)}),
        ("{a @ k for k, _ in [(a, b)]}", {"a": (2, 3)} | GIVEN),
        ("{i: k @ a for i, k in enumerate([a])}", GIVEN | {"a": (2, 3)}),
        ("[[k @ a for _ in b] for k in [a]]", GIVEN | {"a": (2, 3)}),
        ("[0 for k in [a] for _ in [k @ a]]", GIVEN | {"a": (2, 3)}),
        ("[0 for k in [a] if k @ a]", GIVEN | {"a": (2, 3)}),
        # what a comprehension begins with lies outside it, and a generator or a function has variables of its own
        ("[k for k in [k @ a]]", {"k": (4, 5), "a": (2, 3)}),
        ("[0 for _ in [k @ a for _ in b]]", {"k": (4, 5), "a": (2, 3)}),
        ("list(k @ a for k in [a])", {"k": (2, 3), "a": (2, 3)}),
        ("[(lambda: k @ a)() for k in [a]]", {"k": (2, 3), "a": (2, 3)}),
    ],
)
@pytest.mark.parametrize("before", ["k = b", "global k"])
def test_a_variable_of_a_comprehension_is_not_taken_for_one_around_it(
    computed: str, before: str, shapes: dict[str, tuple[int, ...]]
) -> None:
    assert told(f"def f():\n    {before}\n    return {computed}\n", a=A, b=B, k=B) == shapes


@pytest.mark.parametrize(
    ("computed", "shapes"),
    [
        ("self.W(x)", {"self.W.weight": (4, 3), "x": (6, 2)}),
        ("x @ self.mask", {"x": (6, 2), "self.mask": (5, 5)}),
        ("x @ self.plain", {"x": (6, 2), "self.plain": (7,)}),
        ("x.view(7 if True else self.asked)", {"x": (6, 2)}),
    ],
)
def test_of_what_a_module_holds_without_asking_it(computed: str, shapes: dict[str, tuple[int, ...]]) -> None:
    assert told(CLASS.format(computed)) == shapes


def test_of_a_tensor_of_the_solutions_own_kind_nothing_is_told() -> None:
    own = "class Own(torch.Tensor):\n    @property\n    def shape(self): raise SystemExit\n"

    called = "def f():\n    own = torch.zeros(9).as_subclass(Own)\n    return own @ a\n"

    assert told(own + called, a=A) == {"a": (2, 3)}


@pytest.mark.parametrize(
    "own",
    [
        "class Own:\n    def __getattribute__(self, name): raise SystemExit\n",
        "class Own:\n    __class__ = property(lambda self: 1 / 0)\n",
        "class Own:\n    @property\n    def __dict__(self): raise SystemExit\n",
        "class Own(nn.Module):\n    @property\n    def __dict__(self): raise SystemExit\n",
        "class Own:\n    pass\nimport ast\nast.parse = 3\n",
    ],
)
def test_what_a_hostile_solution_makes_of_a_look_is_no_error(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ast.parse", ast.parse)  # to be put back
    called = "own = Own.__new__(Own)\ndef f():\n    return (a @ a, own.it)\n"

    assert told(own + called, a=A) in ({}, {"a": (2, 3)})


def test_of_many_only_the_first_are_told() -> None:
    names = [f"t{number}" for number in range(20)]

    found = told(f"def f():\n    return torch.cat([{', '.join(names)}, b])\n", b=B, **dict.fromkeys(names, A))

    assert list(found) == names[:MOST_SHAPES]


def test_where_the_source_cannot_be_read_none_are_told() -> None:
    def gone() -> None:
        linecache.cache.pop(FILE)

    assert told("def f():\n    gone()\n    return a @ b\n", a=A, b=B, gone=gone) == {}
