"""Whether dropout works on what softmax gives is read where it is called, in whatever function."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.dropout import (
    at_a_rate_of_its_own,
    decided,
    dropped_joined,
    drops_weights,
    drops_weights_alone,
    never_dropped,
    rescaled,
    second_that_drops,
    survivors,
)
from grader.diagnosis.places.statements import statements_of


@pytest.mark.parametrize(
    ("body", "is_of_weights"),
    [
        ("w = softmax(s)\n    w = self.drop(w)\n    return softmax(w) @ v", True),
        ("return self.drop(s.softmax(-1)).softmax(-1) @ v", True),
        ("return self.drop(torch.softmax(hide(s), dim=-1)) @ v", True),
        ("return self.drop(s).softmax(-1) @ v", False),
        ("return torch.softmax(self.drop(s), dim=-1) @ v", False),
        ("s = self.drop(s)\n    return s.softmax(-1) @ v", False),
        ("return self.drop(s) @ v", False),
        ("return s.softmax(-1) @ v", False),
    ],
)
def test_dropout_of_weights_is_told_from_that_of_scores(body: str, is_of_weights: bool) -> None:
    assert drops_weights(ast.parse(f"def f(self, s, v):\n    {body}\n"), "f") is is_of_weights


@pytest.mark.parametrize(("helping", "is_of_weights"), [("drop(s.softmax(-1))", True), ("drop(s)", False)])
def test_dropout_that_is_handed_on_works_where_it_is_called(helping: str, is_of_weights: bool) -> None:
    source = f"def g(s, drop):\n    return {helping}\n\ndef f(s):\n    return softmax(g(s, self.drop))\n"

    assert drops_weights(ast.parse(source), "f") is is_of_weights


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("w = self.drop(self.drop(w))\n    return w @ v", "self.drop(self.drop(w))"),
        ("w = self.drop(w)\n    w = F.dropout(w, self.p)\n    return w @ v", "F.dropout(w, self.p)"),
        ("w = self.drop(w)\n    return w @ v", ""),
        ("return self.drop(self.drop(self.drop(w)))", ""),
    ],
)
def test_the_second_of_two_dropouts_is_the_one_that_is_called_last(body: str, code: str) -> None:
    call = second_that_drops(ast.parse(f"def f(self, w, v):\n    {body}\n"), "f")

    assert (ast.unparse(call) if call is not None else "") == code


@pytest.mark.parametrize(
    ("body", "is_alone"),
    [
        ("w = s.softmax(-1)\n    return self.drop(w) @ v", True),
        ("w = torch.softmax(s, dim=-1)\n    w = self.drop(w)\n    return w @ v", True),
        ("return F.dropout(s.softmax(-1), self.p) @ v", True),
        ("w = s.softmax(-1)\n    return self.drop(w @ v)", False),
        ("w = self.drop(s.softmax(-1))\n    return self.drop(w @ v)", False),
        ("w = s.softmax(-1)\n    return self.drop(w) @ self.drop(v)", False),
        ("return s.softmax(-1) @ self.drop(v)", False),
        ("w = self.drop(s.softmax(-1))\n    return w @ v * torch.bernoulli(v)", False),
        ("return s.softmax(-1) @ v", False),
    ],
)
def test_dropout_of_weights_and_of_nothing_else_is_known(body: str, is_alone: bool) -> None:
    assert drops_weights_alone(ast.parse(f"def f(self, s, v):\n    {body}\n"), "f") is is_alone


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("u = torch.rand(w.shape)\n    keep = u < p\n    return w * keep / (1 - p)", 3),
        ("keep = torch.rand(w.shape) < p\n    return w * keep / (1 - p)", 2),
        ("keep = torch.bernoulli(torch.full_like(w, p))\n    return w * keep", 2),
        ("keep = torch.rand_like(w).sub(p).clamp(min=0).ceil()\n    return w * keep", 2),
        ("u = torch.rand(w.shape)\n    keep = u.lt(p)\n    return w * keep / (1 - p)", 3),
        ("u = w.sum()\n    return F.dropout(w, 1 - p)", 3),
    ],
)
def test_what_is_dropped_is_decided_where_a_draw_is_compared(body: str, line: int) -> None:
    found = decided(statements_of(ast.parse(f"def f(w, p):\n    {body}\n"), "f"))

    assert found is not None
    assert found.line == line


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("keep = torch.rand(w.shape) < p\n    left = w * keep\n    return left / p", 4),
        ("keep = torch.rand(w.shape) < p\n    left = w * keep\n    left /= p\n    return left", 4),
        ("keep = torch.rand(w.shape) < p\n    left = (w * keep).div(p)\n    return left", 3),
        ("keep = torch.rand(w.shape) < p\n    left = w * keep\n    return left * (1 - p)", 4),
        ("factor = 1 / p\n    keep = torch.rand(w.shape) < p\n    left = w * keep\n    return left * factor", 0),
    ],
)
def test_what_is_left_is_scaled_where_it_is_divided_behind_the_draw(body: str, line: int) -> None:
    found = rescaled(statements_of(ast.parse(f"def f(w, p):\n    {body}\n"), "f"))

    assert (found.line if found is not None else 0) == line


@pytest.mark.parametrize(
    ("call", "is_own"),
    [
        ("F.dropout(w, 0.1, self.training)", True),
        ("nn.functional.dropout(w, p=0.5, training=self.training)", True),
        ("F.dropout(w, training=self.training)", True),
        ("F.dropout(w, 0.0, self.training)", False),  # which drops nothing
        ("F.dropout(w, 0.1, training=False)", False),
        ("self.drop(F.dropout(w, 0.1, self.training))", False),  # handed the same rate it would drop twice
        ("F.dropout(w, self.p, self.training) @ F.dropout(v, 0.1, self.training)", False),
        ("F.dropout(w, self.p, self.training)", False),
        ("F.dropout(w, p=p)", False),
        ("F.dropout(w, **kept)", False),
        ("F.dropout(*both)", False),
        ("self.dropout(w)", False),
    ],
)
def test_dropout_at_a_rate_of_its_own_is_found(call: str, is_own: bool) -> None:
    init = "    def __init__(self, p):\n        self.drop = nn.Dropout(p)\n"
    tree = ast.parse(f"class A:\n{init}    def forward(self, w, p):\n        return {call}\n")

    assert (at_a_rate_of_its_own(tree, "A") is not None) is is_own


def test_dropout_beside_heads_that_may_drop_themselves_is_at_no_rate_of_its_own() -> None:
    init = "    def __init__(self, p):\n        self.heads = nn.ModuleList(CausalAttention(4, p) for _ in range(2))\n"
    tree = ast.parse(f"class A:\n{init}    def forward(self, w):\n        return F.dropout(w, 0.1, self.training)\n")

    assert at_a_rate_of_its_own(tree, "A") is None


def test_what_is_left_as_it_was_is_kept_where_dropout_is_called_and_not_where_its_result_is_read() -> None:
    source = "def f(self, w, v):\n    dropped = self.drop(w) / 2\n    return dropped @ v\n"

    found = survivors(statements_of(ast.parse(source), "f"))

    assert found is not None
    assert found.line == 2


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("return self.drop(torch.cat([h(x) for h in self.heads], -1))", 5),
        ("joined = torch.cat([h(x) for h in self.heads], -1)\n        return F.dropout(joined, 0.1, self.training)", 6),
        ("y = sum(h(x) for h in self.heads)\n        return self.drop(y)", 6),
        (
            "y = []\n        for h in self.heads:\n            y.append(h(x))\n        z = y[0] + y[1]\n"
            "        return self.drop(z)",
            9,
        ),
        ("return torch.cat([h(self.drop(x)) for h in self.heads], -1)", 0),
        ("x = self.drop(x.view(-1, self.num_heads))\n        return torch.cat([h(x) for h in self.heads], -1)", 0),
        ("q = self.split_heads(x)\n        w = q @ q.mT\n        return self.drop(w) @ q", 0),
        ("q = x.view(2, self.heads, -1)\n        w = q @ q.mT\n        return self.drop(w) @ q", 0),
        ("y = self.heads[0](x) + self.heads[1](x)\n        return self.drop(y)", 6),
        ("return self.drop(x)", 0),
        ("w = torch.cat([h(x).softmax(-1) for h in self.heads])\n        return self.drop(w)", 0),
        ("return torch.cat([h(x) for h in self.heads], -1)", 0),
    ],
)
def test_what_heads_of_another_file_gave_is_dropped_where_that_is_called(body: str, line: int) -> None:
    init = "    def __init__(self, p):\n        self.drop = nn.Dropout(p)\n"
    found = dropped_joined(ast.parse(f"class A:\n{init}    def forward(self, x):\n        {body}\n"), "A")

    assert (found.lineno if found is not None else 0) == line


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (
            "self.heads = nn.ModuleList(\n            CausalAttention(d, 0.0)\n            for _ in range(2))",
            4,
        ),
        ("rate = 0.0\n        self.heads = nn.ModuleList(CausalAttention(d, n, rate) for _ in range(2))", 3),
        ("new = partial(CausalAttention, d, n, 0)\n        self.heads = nn.ModuleList(new() for _ in range(2))", 3),
        ("n = 4\n        self.heads = nn.ModuleList(CausalAttention(d, n, p) for _ in range(0, 2))", 4),
    ],
)
def test_what_is_never_dropped_is_decided_where_a_head_is_given_no_share(made: str, line: int) -> None:
    forward = "    def forward(self, x):\n        return torch.cat([h(x) for h in self.heads], -1)\n"
    init = f"    def __init__(self, d, p):\n        {made}\n"

    found = never_dropped(statements_of(ast.parse(f"class A:\n{init}{forward}"), "A"))

    assert found is not None
    assert found.line == line
