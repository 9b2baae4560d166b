"""One vector that is drawn for all trials is told, and none that is drawn anew for each."""

# ruff: noqa: E501 - a source and what is said of it read best side by side

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.draws import (
    drawn_alike,
    drawn_evenly,
    drawn_once,
    drawn_without,
    seeded,
    summed_over_trials,
)

LOOP = "for _ in range(n):\n        k = torch.randn(d, generator=g)\n        out.append(q @ k)\n    return out"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("q = torch.randn(d, generator=g)\n    " + LOOP, "torch.randn(d, generator=g)"),
        ("q = torch.randn(d, generator=g)\n    k = torch.randn(n, d, generator=g)\n    return k @ q", "torch.randn(d, generator=g)"),
        ("q = torch.randn((1, d), generator=g)\n    k = torch.randn(n, d, generator=g)\n    return k @ q.T", "torch.randn((1, d), generator=g)"),
        ("q = torch.randn(n, d, generator=g)\n    k = torch.randn(n, d, generator=g)\n    return (q * k).sum(-1)", ""),
        ("q = torch.randn(n, d, generator=g)\n    " + LOOP, ""),
        ("return [torch.randn(d, generator=g) @ torch.randn(d, generator=g) for _ in range(n)]", ""),
        ("q = torch.randn(d, generator=g)\n    k = torch.randn(d, generator=g)\n    return q @ k", ""),
    ],
)  # fmt: skip
def test_a_vector_that_is_drawn_once_is_found(body: str, code: str) -> None:
    found = drawn_once(ast.parse(f"def f(d, n, g):\n    {body}\n"), "f", "d")

    said = f"`{code}` draws one vector for all trials: each of them needs a new one"
    assert found == ((said, 2) if code else None)


def test_vectors_that_are_drawn_for_no_number_of_trials_are_found() -> None:
    body = "q = torch.randn(d, generator=g)\n    k = torch.randn(d, generator=g)\n    return (q @ k).var()"
    tree, counting = (ast.parse(f"def f(d, n, g):\n    {each}\n") for each in (body, f"print(n)\n    {body}"))

    found = drawn_once(tree, "f", "d", "n")

    assert found == ("`torch.randn(d, generator=g)` draws one vector for all trials: each of them needs a new one", 2)
    assert drawn_once(tree, "f", "d") is None
    assert drawn_once(counting, "f", "d", "n") is None


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return (q * k).sum(-1)", "k = q", 3),
        ("q = torch.randn(n, d, generator=g)\n    k = q.clone()\n    return torch.einsum('nd,nd->n', q, k)", "k = q.clone()", 3),
        ("q = k = torch.randn(n, d, generator=g)\n    return (q * k).sum(-1)", "q = k = torch.randn(n, d, generator=g)", 2),
        ("q = torch.randn(n, d, generator=g)\n    k = torch.randn(n, d, generator=g)\n    return (q * k).sum(-1)", "", 0),
        ("both = torch.randn(2, n, d, generator=g)\n    all = both\n    q, k = all\n    return (q * k).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    q = q.normal_(generator=g)\n    return (q * k).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q.clone()\n    k.normal_(generator=g)\n    return (q * k).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q * 2\n    return (q * k).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return [q[i] @ k[i] for i in range(n)]", "k = q", 3),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return torch.dot(q[0], k[0])", "k = q", 3),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return torch.sum(q * k, dim=-1)", "k = q", 3),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return q @ k.T", "", 0),
        # two parts of what was drawn, or one put in the place of the other
        ("q = torch.randn(2, n, d, generator=g)\n    k = q\n    return (q[0] * k[1]).sum(-1)", "", 0),
        ("q = torch.randn(n, 2 * d, generator=g)\n    k = q\n    return (q[:, :d] * k[:, d:]).sum(-1)", "", 0),
        ("q = torch.randn(2, n, d, generator=g)\n    k = q\n    return torch.einsum('nd,nd->n', q[0], k[1])", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return (q * k.roll(1, 0)).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return [q[i] @ k[i - 1] for i in range(n)]", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return torch.stack([q, k.flip(0)]).prod(0).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return torch.sub(q, k)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return torch.einsum('id,jd->ij', q, k)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q.clone()\n    k[1:] = q[:-1]\n    return (q * k).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q.clone()\n    k.copy_(q.flip(0))\n    return (q * k).sum(-1)", "", 0),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return [a @ b for a, b in zip(q, k)]", "k = q", 3),
        ("q = torch.randn(n, d, generator=g)\n    k = q\n    return q.mul(k).sum(-1)", "k = q", 3),
    ],
)  # fmt: skip
def test_a_vector_that_gets_two_names_is_found(body: str, code: str, line: int) -> None:
    found = drawn_alike(ast.parse(f"def f(d, n, g):\n    {body}\n"), "f")

    said = f"`{code}` makes both vectors one and the same: draw each of them by itself"
    assert found == ((said, line) if code else None)


@pytest.mark.parametrize(
    ("drawn", "summed", "is_told"),
    [
        ("n, d", "(q * k).sum(0)", True),
        ("n, d", "(q * k).sum(dim=0)", True),
        ("n, d", "torch.sum(q * k, dim=0)", True),
        ("n, d", "(q * k).sum(-1)", False),
        ("n, d", "(q * k).sum()", False),
        ("d, n", "(q * k).sum(0)", False),
        ("n, d", "(q * 2).sum(0)", False),
    ],
)
def test_products_that_are_added_up_over_the_trials_are_told(drawn: str, summed: str, is_told: bool) -> None:
    draws = "".join(f"    {name} = torch.randn({drawn}, generator=g)\n" for name in "qk")

    found = summed_over_trials(ast.parse(f"def f(d, n, g):\n{draws}    return {summed}\n"), "f", "d")

    said = f"`{summed}` adds up over the trials: a dot product is the sum of one trial's products, along the last axis"
    assert found == ((said, 4) if is_told else None)


BOTH = """
class A:
    def __init__(self):
        self.start()

    def start(self):
        torch.manual_seed(1)

    def forward(self, x):
        {}
        return self.blend(x)

    def blend(self, x):
        return x
"""


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(x):\n    torch.manual_seed(123)\n    return x * rand(3)\n", 2),
        ("def f(x):\n    return x * rand(3, generator=Generator().manual_seed(0))\n", 2),
        ("def g():\n    torch.manual_seed(123)\n\ndef f(x):\n    g()\n    return x * rand(3)\n", 2),
        ("class f:\n    def forward(self, x):\n        seed = torch.manual_seed(1)\n        return x * rand(3)\n", 3),
        # once for all calls, or another in each
        ("class f:\n    def __init__(self):\n        torch.manual_seed(1)\n", 0),
        ("torch.manual_seed(123)\n\ndef f(x):\n    return x * rand(3)\n", 0),
        ("def f(x, seed):\n    torch.manual_seed(seed)\n    return x * rand(3)\n", 0),
    ],
)
def test_random_numbers_that_begin_anew_in_each_call_are_found(source: str, line: int) -> None:
    found = seeded(ast.parse(source), "f")

    assert (found.lineno if found else 0) == line


@pytest.mark.parametrize(
    ("source", "draw"),
    [
        ("def f(w, g):\n    return w * (torch.rand(2, 3) > 0.5)\n", "torch.rand(2, 3)"),
        ("def f(w, g):\n    a = torch.rand(2, generator=g)\n    return a * torch.rand_like(w)\n", "torch.rand_like(w)"),
        ("def f(w, g):\n    return w * draw(w)\n\ndef draw(w):\n    return randn(2)\n", "randn(2)"),
        ("def f(w, g):\n    return F.dropout(w, 0.5)\n", "F.dropout(w, 0.5)"),
        ("def f(w, g):\n    return w.new_empty(3).bernoulli_(0.5)\n", "w.new_empty(3).bernoulli_(0.5)"),
        ("def f(w, g):\n    return torch.rand(2, generator=None)\n", "torch.rand(2, generator=None)"),
        ("def f(w, g):\n    torch.manual_seed(0)\n    return torch.rand(2, generator=g)\n", ""),
        # a function of the file's own, whatever it is called
        ("def f(w, g):\n    def rand(n):\n        return w.new(n).uniform_(generator=g)\n    return rand(2)\n", ""),
        ("def f(w, g):\n    return sample(w)\n\ndef sample(w):\n    return w.new(2).normal_()\n", "w.new(2).normal_()"),
        # what takes it under another name, or as another function's argument
        ("def f(w, g):\n    own = g\n    return torch.rand(2, generator=own)\n", ""),
        ("def f(w, g):\n    return draw(g)\n\ndef draw(rng):\n    return torch.rand(2, generator=rng)\n", ""),
        ("def f(w, g):\n    kw = {'generator': g}\n    return torch.rand(2, **kw)\n", ""),
        ("def f(w, g):\n    return w\n\ndef other():\n    return torch.rand(2)\n", ""),
        # where there is none it cannot be taken
        ("def f(w, g):\n    if g is None:\n        return torch.rand(2)\n    return randn(2)\n", "randn(2)"),
        ("def f(w, g):\n    if g is not None:\n        return randn(2)\n    return torch.rand(2)\n", "randn(2)"),
        ("def f(w, g):\n    if not g:\n        a = rand(2)\n    else:\n        a = randn(2)\n", "randn(2)"),
        ("def f(w, g):\n    return randn(2) if g else rand(2)\n", "randn(2)"),
        ("def f(w, g):\n    return rand(2) if None is g or len(w) else randn(2)\n", "rand(2)"),
        ("def f(w, g):\n    if g is None:\n        return rand(2)\n    return rand(2, generator=g)\n", ""),
    ],
)
def test_a_draw_without_the_generator_is_found(source: str, draw: str) -> None:
    found = drawn_without(ast.parse(source), "f", "g")

    assert (ast.unparse(found) if found else "") == draw


@pytest.mark.parametrize(
    ("line", "quoted"),
    [("torch.manual_seed(3)", "torch.manual_seed(3)"), ("np.random.seed(0)", ""), ("g.manual_seed(n)", "")],
)
def test_only_torchs_own_beginning_makes_draws_begin_anew(line: str, quoted: str) -> None:
    found = seeded(ast.parse(f"def f(w, g, n):\n    {line}\n    return w\n"), "f")

    assert (ast.unparse(found) if found else "") == quoted


@pytest.mark.parametrize(("line", "found"), [("pass", 0), ("self.start()", 7), ("torch.manual_seed(2)", 10)])
def test_what_only_makes_an_object_is_in_no_call(line: str, found: int) -> None:
    seeding = seeded(ast.parse(BOTH.format(line)), "A")

    assert (seeding.lineno if seeding else 0) == found


@pytest.mark.parametrize(
    ("drawn", "code"),
    [
        ("torch.rand(n, d)", "torch.rand(n, d)"),
        ("torch.rand_like(x)", "torch.rand_like(x)"),
        ("torch.randn(n, d)", ""),
        # of which normal numbers can be made, or may be
        ("torch.rand(n, d) + torch.randn(n, d)", ""),
        ("x.normal_()", ""),
        ("x.sum()", ""),
    ],
)
def test_draws_between_0_and_1_are_found_where_there_are_no_others(drawn: str, code: str) -> None:
    found = drawn_evenly(ast.parse(f"def f(x, n, d):\n    return {drawn}\n"), "f")

    assert (ast.unparse(found) if found else "") == code
