"""A number for each row that meets the columns is told, and none that has kept its axis or has only one."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.reductions import (
    adds_up_itself,
    averaged,
    met_by_columns,
    not_summed,
    summed_along,
    too_many_at_once,
)
from tests.judge.hand_made import FUNCTION, function


@pytest.mark.parametrize(
    ("body", "code", "line"),
    [
        ("e = torch.exp(s - s.max(dim=-1).values)\n    return e / e.sum(-1, keepdim=True)", "s.max(dim=-1).values", 2),
        ("e = torch.exp(s)\n    return e / e.sum(dim=-1)", "e.sum(dim=-1)", 3),
        ("n = s.sum(dim=-1)\n    print(s, n)\n    return s / n", "s.sum(dim=-1)", 2),
        (
            "top = s.max(dim=1)[0]\n    e = (s - top).exp()\n    return e / e.sum(-1, keepdim=True)",
            "s.max(dim=1)[0]",
            2,
        ),
        ("return torch.exp(s) / torch.sum(torch.exp(s), dim=1)", "torch.sum(torch.exp(s), dim=1)", 2),
        ("e = torch.exp(s @ s.T)\n    return e / e.sum(-1)", "e.sum(-1)", 3),
        ("t = s @ s.mT\n    return t / t.sum(-1)", "t.sum(-1)", 3),
        ("t = s @ s[0]\n    return t / t.sum(-1)", "", 0),
        ("e = torch.exp(s - s.amax(-1))\n    return e / e.sum(-1, keepdim=True)", "s.amax(-1)", 2),
        ("return torch.stack([row - row.max(dim=-1).values for row in s])", "", 0),
        ("s = s[0]\n    return s - s.amax(-1)", "", 0),
        ("for s in s:\n        t = s - s.amax(-1)\n    return t", "", 0),
        ("return torch.exp(s) / torch.exp(s).sum(dim=0)", "", 0),
        ("return torch.exp(s) / torch.exp(s).sum(dim=-1, keepdim=True)", "", 0),
        ("return torch.exp(s) / torch.exp(s).sum(-1, True)", "", 0),
        ("return torch.exp(s) / torch.exp(s).sum(-1)[:, None]", "", 0),
        ("return torch.exp(s - s.max())", "", 0),
        ("top = s.amax(-1)\n    top = top.unsqueeze(-1)\n    return s - top", "", 0),
        ("return (s.mT - s.amax(-1)).mT", "", 0),
        ("if s.ndim == 1:\n        return s - s.amax(-1)\n    return s - s.amax(-1, True)", "", 0),
        ("s = s.mT\n    return s - s.amax(-1)", "", 0),
        ("top = s.amax(-1)\n    top.unsqueeze_(-1)\n    return s - top", "", 0),
        ("s.t_()\n    return s - s.amax(-1)", "", 0),
    ],
)
def test_a_number_for_each_row_that_meets_the_columns_is_found(body: str, code: str, line: int) -> None:
    found = met_by_columns(ast.parse(f"def f(s):\n    {body}\n"), "f", ["s"])

    said = f"`{code}` is one number for each row, but meets the columns: keep its axis, by `keepdim=True`"
    assert found == ((said, line) if code else None)
    assert met_by_columns(ast.parse(f"def f(s):\n    {body}\n"), "f", []) is None


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ("(q * k).mean(-1)", True),
        ("torch.mean(q * k, dim=-1)", True),
        ("(q * k[i]).mean()", True),
        ("(q * q).mean()", False),  # a variance
        ("q.mean()", False),
        ("(q * k).sum()", False),
        ("(q * k).mean(-1) * q.shape[-1]", False),
        ("len(q) * torch.mean(q * k)", False),
    ],
)
def test_a_mean_of_products_is_found(code: str, is_told: bool) -> None:
    found = averaged(ast.parse(f"def f(q, k, i):\n    return {code}\n"), "f")

    assert found == ((f"`{code}` takes the mean of the products, where their sum is due", 2) if is_told else None)


def test_a_mean_of_products_is_found_also_behind_a_name() -> None:
    found = averaged(ast.parse("def f(w, x):\n    each = w[:, None] * x\n    return each.mean(dim=0)\n"), "f")

    assert found is not None
    assert found == ("`each.mean(dim=0)` takes the mean of the products, where their sum is due", 3)


def test_a_mean_that_is_multiplied_by_a_width_behind_a_name_is_a_sum() -> None:
    body = "m = (q * k).mean()\n    return m * len(q) + 1"

    assert averaged(ast.parse(f"def f(q, k):\n    {body}\n"), "f") is None


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("return q * k", 2),
        ("s = q * k\n    return s", 2),
        ("s = q * k\n    return s.sum()", 0),
        ("if len(q) == 1:\n        return q * k\n    return (q * k).sum() + 1", 0),
        ("return q * k / 2", 0),
        ("return q * 2", 0),
    ],
)
def test_products_that_nobody_adds_up_are_found(body: str, line: int) -> None:
    found = not_summed(ast.parse(f"def f(q, k):\n    {body}\n"), "f")

    assert (found[1] if found else 0) == line


@pytest.mark.parametrize(
    ("statement", "message", "said"),
    [
        (
            "res[i] = x * query",
            "expand(torch.FloatTensor{[3]}, size=[]): the number of sizes provided (0) must be greater",
            "`res[i]` has room for one number, and `x * query` gives 3: a dot product is the sum of such products",
        ),
        (
            "res[i] += x * query",
            "output with shape [] doesn't match the broadcast shape [3]",
            "`res[i]` has room for one number, and `x * query` gives 3: a dot product is the sum of such products",
        ),
        (
            "res[i, j] = inputs[i]",
            "expand(torch.FloatTensor{[7]}, size=[]): the number of sizes provided (0) must be greater",
            "`res[i, j]` has room for one number, and `inputs[i]` gives 7",
        ),
        ("res[i] = x * query", "The expanded size of the tensor (3) must match the existing size (4)", ""),
        ("res = x.expand(())", "expand(torch.FloatTensor{[7]}, size=[]): the number of sizes provided (0)", ""),
    ],
)
def test_several_numbers_for_one_place_are_told_in_the_line_that_failed(
    statement: str, message: str, said: str
) -> None:
    loop = "for i, x in enumerate(inputs): "
    tree = ast.parse(f"def f(query, inputs):\n    other[i] = query\n    {loop}{statement}\n    return res\n")

    found = too_many_at_once(tree, message, 3, {"query": ["d"], "inputs": ["T", "d"]})

    assert found == ((said, 3) if said else None)


@pytest.mark.parametrize(
    ("body", "is_product"),
    [
        ("for i, x in enumerate(inputs): res[i] = x * query", True),
        ("for i in range(5): res[i] = inputs[i] * query", True),
        ("for i in range(5): res[i, 0] = inputs[i] * inputs[0]", True),
        ("for i in range(5): res[i] = query.exp() * inv", False),
        ("for x in inputs: x = x.sum(); res[0] = x * query", False),
        ("for i in range(5): res[i] = query * inv", False),
        ("for i in range(5): res[i] = weights[i] * inputs[i]", False),
        ("for i in range(5): res[i] = inputs * query", False),
        ("for i in range(5): res[i] = inputs[:, 0] * weights", False),
        ("for i in range(5): res[i] = query * query.max()", False),
        ("query = query / 2; res[0] = inputs[0] * query", False),
    ],
)
def test_a_product_is_told_to_be_summed_where_both_factors_are_vectors_of_what_was_given(
    body: str, is_product: bool
) -> None:
    message = "expand(torch.FloatTensor{[3]}, size=[]): the number of sizes provided (0) must be greater"
    tree = ast.parse(f"def f(query, inputs, weights):\n    {body}\n")

    found = too_many_at_once(tree, message, 2, {"query": ["d"], "inputs": ["T", "d"], "weights": ["T"]})

    assert found is not None and ("a dot product is" in found[0]) is is_product


@pytest.mark.parametrize(
    ("body", "code", "due", "line"),
    [
        ("return torch.exp(s) / torch.sum(s)", "torch.sum(s)", "torch.exp(s)", 2),
        ("return s.exp() / s.sum(-1, keepdim=True)", "s.sum(-1, keepdim=True)", "s.exp()", 2),
        ("e = torch.exp(s)\n    total = s.sum(-1, True)\n    return e / total", "s.sum(-1, True)", "torch.exp(s)", 3),
        ("return torch.exp(s) / torch.sum(torch.exp(s))", "", "", 0),
        ("e = torch.exp(s)\n    return e / e.sum()", "", "", 0),
        ("s = torch.exp(s)\n    return s / s.sum()", "", "", 0),
        ("t = s\n    e = torch.exp(t)\n    t = e\n    return e / t.sum()", "", "", 0),
        ("return torch.exp(s) / torch.sum(v)", "", "", 0),
        # what is an exponential already, of which another one is taken
        ("e = torch.exp(s)\n    return torch.exp(e) / e.sum(-1, keepdim=True)", "", "", 0),
        ("e = (s - s.max()).exp()\n    total = e.sum()\n    return e.exp() / total", "", "", 0),
        ("e = torch.exp(s)\n    f = e\n    return torch.exp(f) / f.sum()", "", "", 0),
        ("e = torch.exp(s) * 1.0\n    return torch.exp(e) / e.sum()", "", "", 0),
        ("if v:\n        e = torch.exp(s)\n    return torch.exp(e) / e.sum()", "", "", 0),
        ("e = torch.softmax(s, -1)\n    return torch.exp(e) / e.sum()", "", "", 0),
        ("t = s - s.max()\n    return torch.exp(t) / t.sum()", "t.sum()", "torch.exp(t)", 3),
        ("return s.relu() / s.sum()", "", "", 0),
        ("return math.e ** s / sum(s)", "sum(s)", "math.e ** s", 2),
        ("return torch.exp(s) / sum(s)", "sum(s)", "torch.exp(s)", 2),
        ("return math.e ** s / sum(math.e ** s)", "", "", 0),
        ("return 2 ** s / sum(s)", "", "", 0),
    ],
)
def test_exponentials_that_are_divided_by_the_sum_of_something_else_are_found(
    body: str, code: str, due: str, line: int
) -> None:
    name = "t" if "(t)" in due else "s"

    found = adds_up_itself(ast.parse(f"def f(s, v):\n    {body}\n"), "f")

    assert found == ((f"`{code}` adds up `{name}` itself: divide by the sum of `{due}`", line) if code else None)


@pytest.mark.parametrize("given", ["torch.exp(s)", "torch.softmax(s, dim=-1)", "raised(s)", "torch.e ** s"])
def test_exponentials_of_exponentials_that_another_function_gives_are_not_said_to_be_of_scores(given: str) -> None:
    helpers = "def raised(t):\n    return t.exp()\n\ndef shares(e):\n    return torch.exp(e) / e.sum()\n\n"

    assert adds_up_itself(ast.parse(f"{helpers}def f(s):\n    return shares({given})\n"), "f") is None
    assert adds_up_itself(ast.parse(f"{helpers}def f(s):\n    return shares(s)\n"), "f") is not None


@pytest.mark.parametrize(
    ("line", "code", "due"),
    [
        ("return x / x.sum(0)", "x.sum(0)", "x.sum(dim=-1, keepdim=True)"),
        ("return x / torch.sum(x, dim=-2)", "torch.sum(x, dim=-2)", "torch.sum(x, dim=-1, keepdim=True)"),
        ("return x / x.sum(-1, keepdim=True)", "", ""),
        ("return x / x.sum()", "", ""),
        ("return x.softmax(0) / x.sum(0)", "", ""),
        ("return x.sum(0) / x.sum(-2)", "", ""),
        ("e = x.exp()\n    total = e.sum(0)\n    return e / total", "e.sum(0)", "e.sum(dim=-1, keepdim=True)"),
        ("e = x.exp()\n    e /= e.sum(0)\n    return e", "e.sum(0)", "e.sum(dim=-1, keepdim=True)"),
        ("return x.exp() / x.exp().sum(0)", "x.exp().sum(0)", "x.exp().sum(dim=-1, keepdim=True)"),
        ("e = x.exp()\n    return (e / torch.einsum('ij->j', e) * x).sum(-2)", "", ""),
        ("return (x.unsqueeze(-1) / 2).sum(dim=-2)", "", ""),
        ("return x / x.exp().sum(0)", "", ""),
        ("return x.T / x.sum(0)", "", ""),
        ("return x / x.sum(0)[:, None]", "", ""),
        ("total = x.sum(0)\n    total = x.cumsum(0)[-1]\n    return x / total", "", ""),
    ],
)
def test_shares_that_are_made_by_hand_are_told_along_which_axis_they_are_added_up(
    line: str, code: str, due: str
) -> None:
    found = summed_along(ast.parse(function(line)), FUNCTION, is_flat=True)

    told = f"`{code}` adds up over the queries, so a column sums to 1; each row has to: write `{due}`"
    assert (found[0] if found is not None else "") == (told if code else "")


def test_the_first_axis_is_the_queries_where_no_batch_stands_before_it() -> None:
    tree = ast.parse("class A:\n    def forward(self, x):\n        return x / x.sum(0)")

    assert summed_along(tree, "A", is_flat=False) is None
