"""Where outputs cannot tell two mistakes of axes apart, the source does, and says nothing where it is not certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis import evidence
from grader.diagnosis.clues.axes import names_another_axis, turns_scores, turns_weights

EITHER = [frozenset({"softmax-wrong-axis"}), frozenset({"weights-transposed"})]
SHARES = "def shares(x):\n    e = exp(x @ x.T)\n    return e / e.sum(dim=-1, keepdim=True)\n\n"
COLUMNS = "def shares(x):\n    return (x @ x.T).softmax(dim=0)\n\n"


def named(source: str) -> list[str]:
    return [found.id for found in evidence.certain(EITHER, source, "f")]


@pytest.mark.parametrize(
    "body",
    [
        "w = softmax(x @ x.T, dim=0)\n    return w @ x",
        "e = torch.exp(x @ x.T)\n    w = e / e.sum(dim=-1)\n    return w @ x",
        "e = torch.exp(x @ x.T)\n    total = torch.sum(e, 1)\n    return (e / total) @ x",
        "return (x @ x.T).softmax(0) @ x",
        "w = torch.softmax(attention_scores(x), 0)\n    return w @ x",
        "return softmax(x.matmul(x.transpose(0, 1)), 0) @ x",
        "s = stack([x @ r for r in x])\n    w = softmax(s, dim=0)\n    return stack([r @ x for r in w])",
        "w = (x @ x.T).softmax(0)\n    c = zeros(3, 2)\n    for i in range(3):\n        c[i] = w[i] @ x\n    return c",
    ],
)
def test_softmax_along_the_other_axis_is_said_by_its_axis_or_by_a_sum_that_is_not_kept(body: str) -> None:
    assert named(f"def f(x):\n    {body}\n") == ["softmax-wrong-axis"]


def test_an_axis_is_read_in_a_function_that_is_made_use_of() -> None:
    assert named(COLUMNS + "def f(x):\n    return shares(x) @ x\n") == ["softmax-wrong-axis"]
    assert named(COLUMNS + "def f(x):\n    return softmax(x @ x.T, -1).T @ x\n") == ["weights-transposed"]


ROWS = (
    "def norm(r):\n    e = exp(r)\n    return e / e.sum(-1)\n\n"
    "def shares(x):\n    return stack([norm(r) for r in x @ x.T])\n\n"
)
BLEND = "def blend(w, x):\n    return (w.unsqueeze(1) * x).sum(dim=0)\n\n"


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    w = softmax(x @ x.T, dim=1)\n    return w @ x\n",
        "def f(x):\n    w = softmax(x @ x.T, dim=1)\n    return (x.T @ w).T\n",
        ROWS + "def f(x):\n    w = shares(x)\n    return w @ x\n",
        BLEND
        + "def f(x):\n    w = softmax(x @ x.T, dim=-1)\n    return stack([blend(w[:, i], x) for i in range(3)])\n",
        "def f(x):\n    w = softmax(x @ x.T, dim=-1)\n    return stack([w[:, i] @ x for i in range(3)])\n",
        "def f(x):\n    s = x @ x.T\n    w = stack([r.exp() / r.exp().sum(-1) for r in s])\n    return w @ x\n",
    ],
)
def test_right_softmax_is_not_accused_whatever_else_is_summed_or_taken_by_rows(source: str) -> None:
    assert "softmax-wrong-axis" not in named(source)


def test_a_sum_that_normalises_nothing_has_no_axis_of_softmaxs() -> None:
    blend = "def blend(w, x):\n    return (w.unsqueeze(-1) * x).sum(dim=0)\n\n"
    turned = "def f(x):\n    w = softmax(x @ x.T, dim=-1)\n    return blend(w.T, x)\n"

    assert named(blend + turned) == ["weights-transposed"]


@pytest.mark.parametrize(
    "body",
    [
        "w = softmax(x @ x.T, dim=-1)\n    return w.T @ x",
        "w = softmax(x @ x.T, dim=-1).t()\n    return w @ x",
        "w = (x @ x.T).softmax(-1)\n    return torch.matmul(torch.transpose(w, 0, 1), x)",
        "w = (x @ x.T).softmax(-1)\n    return torch.einsum('ij,id->jd', w, x)",
        "return shares(x).permute(1, 0) @ x",
        "s = stack([x @ r for r in x])\n    w = softmax(s, -1)\n    return w.T @ x",
        "w = (x @ x.T).softmax(-1)\n    return stack([c @ x for c in w.T])",
    ],
)
def test_weights_on_their_side_are_said_by_what_is_turned_after_softmax(body: str) -> None:
    assert named(SHARES + f"def f(x):\n    {body}\n") == ["weights-transposed"]


@pytest.mark.parametrize(
    "body",
    [
        "w = x @ x.T\n    for i in range(3):\n        w[:, i] = softmax(w[:, i], -1)\n    return w @ x",
        "w = softmax(x @ x.T, dim=-1)\n    return (x.T @ w.T).T",
        "w = stack([c.softmax(0) for c in (x @ x.T).T], dim=1)\n    return w @ x",
        "s = x @ x.T\n    w = stack([r.softmax(0) for r in s])\n    return stack([w[:, i] @ x for i in range(3)])",
        "n = lambda r: softmax(r, 0)\n    w = stack([n(r) for r in x @ x.T])\n    return stack([c @ x for c in w.T])",
        "w = stack(list(map(shares, x @ x.T)))\n    return w @ x",
        "w = softmax(x @ x.T, dim=0)\n    return w.T @ x",
        "w = softmax(x @ x.T, dim=-1)\n    return einsum('ij,jd->id', w, x)",
        "return x",
    ],
)
def test_nothing_is_said_where_neither_is_certain(body: str) -> None:
    assert named(f"def f(x):\n    {body}\n") == []


def test_a_sum_that_is_kept_beside_its_row_is_along_no_other_axis() -> None:
    tree = ast.parse(SHARES)

    assert not names_another_axis(tree, "shares")
    assert not turns_weights(tree, "shares")


def test_a_sum_that_is_given_its_axis_back_is_along_no_other_axis() -> None:
    body = (
        "e = torch.exp(x @ x.T)\n    total = e.sum(dim=1)\n    total = total.unsqueeze(1)\n    return (e / total) @ x"
    )

    assert "softmax-wrong-axis" not in named(f"def f(x):\n    {body}\n")


def test_the_second_of_two_axes_is_the_last() -> None:
    fits = [frozenset({"softmax-wrong-axis", "scale-missing"}), frozenset({"scale-no-sqrt"})]
    source = "def f(x):\n    return softmax(x @ x.T, dim=1) @ x\n"

    flat, deep = (evidence.certain(fits, source, "f", is_flat=is_flat) for is_flat in (True, False))

    assert [found.id for found in flat] == ["scale-no-sqrt"]
    assert [found.id for found in deep] == ["scale-missing", "softmax-wrong-axis"]


@pytest.mark.parametrize(
    ("body", "is_certain"),
    [
        ("w = softmax(k @ q.T, dim=-1)\n        return w.T @ v", False),
        ("w = softmax(k @ q.T, dim=1)\n        return einsum('ji,jd->id', w, v)", False),
        ("w = softmax(k @ q.T, dim=0)\n        return w.T @ v", True),
        ("w = softmax((q @ k.T).flip(0), dim=-1)\n        return w @ v", True),
        ("w = softmax(q @ k.mT, dim=2)\n        return (w @ v).transpose(1, 2)", True),
        ("w = softmax(q @ k.mT, dim=2)\n        c = w @ v\n        return c.transpose(1, 2)", True),
        ("w = softmax(k @ q.mT, dim=-1)\n        return (w.mT @ v).transpose(1, 2)", False),
    ],
)
def test_weights_that_are_turned_are_not_called_softmax_along_the_other_axis(body: str, is_certain: bool) -> None:
    source = f"class A(nn.Module):\n    def forward(self, q, k, v):\n        {body}\n"

    found = evidence.certain([EITHER[0]], source, "A", is_flat=True)

    assert [each.id for each in found] == (["softmax-wrong-axis"] if is_certain else [])


TURNED = "    w = softmax(q @ k.T, dim={})\n    return {} @ v\n"


@pytest.mark.parametrize(
    ("mistake", "axis", "weights", "is_certain"),
    [
        ("query-key-swapped", 0, "w.T", False),
        ("query-key-swapped", 0, "w", True),
        ("query-key-swapped", -1, "w.T", True),
        ("weights-transposed", 0, "w", False),
        ("weights-transposed", -1, "w.T", True),
    ],
)
def test_of_three_mistakes_of_axes_none_is_certain_that_the_other_two_may_be(
    mistake: str, axis: int, weights: str, is_certain: bool
) -> None:
    source = "def f(q, k, v):\n" + TURNED.format(axis, weights)

    found = evidence.certain([frozenset({mistake})], source, "f", is_flat=True)

    assert bool(found) is is_certain


def test_weights_are_turned_in_a_method_too() -> None:
    source = """
class A(nn.Module):
    def attend(self, q, k, v):
        return softmax(q @ k.T, dim=-1).T @ v

    def forward(self, x):
        return self.attend(self.W_key(x), self.W_query(x), self.W_value(x))
"""
    tree = ast.parse(source)

    assert turns_weights(tree, "A")
    assert evidence.certain([frozenset({"softmax-wrong-axis"})], source, "A", is_flat=True) == ()


def test_a_layer_of_softmax_is_softmax_by_any_name() -> None:
    layer = (
        "class f:\n    def __init__(self):\n        self.g = nn.Softmax(dim=-1)\n\n    def forward(self, q, k, v):\n"
    )

    assert named(f"{layer}        w = self.g(k @ q.mT)\n        return w.mT @ v\n") == ["weights-transposed"]
    assert named(f"{layer.replace('-1', '0')}        w = self.g(k @ q.mT)\n        return w @ v\n") == [
        "softmax-wrong-axis"
    ]


@pytest.mark.parametrize(
    ("masked", "turned"),
    [
        ("s.mT.masked_fill(mask, -inf)", True),
        ("torch.transpose(s, -2, -1)", True),
        ("(s / 2).transpose(1, 2)", True),
        ("(q @ k.mT).masked_fill(mask, -inf).transpose(1, 2)", True),
        ("s.masked_fill(mask.T, -inf)", False),
        ("s.masked_fill(mask, -inf)", False),
    ],
)
def test_scores_are_turned_where_they_are_themselves(masked: str, turned: bool) -> None:
    scores = "q = x @ W_q\n    k = x @ W_k\n    s = q @ k.mT"
    source = f"def f(x):\n    {scores}\n    m = {masked}\n    return softmax(m, -1) @ x\n"

    assert turns_scores(ast.parse(source), "f") is turned


@pytest.mark.parametrize(("given", "is_certain"), [("s", True), ("(q @ k.T)", False)])
def test_scores_that_are_given_and_turned_before_softmax_and_behind_are_softmax_along_the_other_axis(
    given: str, is_certain: bool
) -> None:
    source = f"def f(s, q, k):\n    return softmax({given}.T, dim=1).T\n"

    found = evidence.certain([frozenset({"softmax-wrong-axis"})], source, "f", is_flat=True)

    assert [(each.id, each.line) for each in found] == ([("softmax-wrong-axis", 2)] if is_certain else [])
