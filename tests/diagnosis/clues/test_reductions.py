"""A number for each row that meets the columns is told, and none that has kept its axis or has only one."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.reductions import averaged, met_by_columns, not_summed, too_many_at_once


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
    tree = ast.parse(f"def f(query, inputs):\n    other[i] = query\n    {statement}\n    return res\n")

    assert too_many_at_once(tree, message, 3) == ((said, 3) if said else None)
