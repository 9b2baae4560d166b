"""A mask that leaves a row nothing to see is told with its NaN, and a number near 0 with what it does not hide."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.as_written import as_written
from grader.diagnosis.clues.unseeing import askew, begun_askew, infinite_product, rows_askew, unseeing
from grader.diagnosis.evidence import Mistake

CLASS = """
class A(nn.Module):
    def __init__(self, n):
        everywhere = torch.ones(n, n)
        self.register_buffer("mask", {})

    def forward(self, s):
        s = s.masked_fill({}, {})
        return s.softmax(-1)
"""
USED = "self.mask.bool()"


@pytest.mark.parametrize(
    ("made", "used", "rows", "due"),
    [
        ("torch.triu(everywhere, diagonal=-1)", USED, "first 2 rows", "torch.triu(everywhere, diagonal=1)"),
        ("torch.triu(torch.ones(n, n))", USED, "first row no token", "torch.triu(torch.ones(n, n), diagonal=1)"),
        ("torch.triu(everywhere, -2)", USED, "first 3 rows", "torch.triu(everywhere, diagonal=1)"),
        ("everywhere.triu()", USED, "first row no token", "everywhere.triu(diagonal=1)"),
        ("torch.tril(everywhere, -1)", "self.mask == 0", "first row no token", "torch.tril(everywhere)"),
        ("torch.triu(everywhere, diagonal=1)", USED, "", ""),
        ("torch.tril(everywhere)", "self.mask == 0", "", ""),
        ("torch.tril(everywhere, -1)", USED, "", ""),
        ("torch.triu(everywhere)", "self.mask == 0", "", ""),
        ("torch.triu(other)", USED, "", ""),
    ],
)
def test_rows_that_see_nothing_are_told(made: str, used: str, rows: str, due: str) -> None:
    found = unseeing(ast.parse(CLASS.format(made, used, "-torch.inf")), "A")

    assert (found is not None) is bool(due)
    if found is not None:
        assert rows in found[0]
        assert found[0].endswith(f"write `{due}`")
        assert found[1] == 5


@pytest.mark.parametrize(
    ("turns", "due"),
    [
        ("range(i + 2, n)", "range(i + 1, n)"),
        ("range(i, n)", "range(i + 1, n)"),
        ("range(i)", "range(i + 1)"),
        ("range(0, i - 1)", "range(0, i + 1)"),
        ("range(i + 1, n)", ""),
        ("range(i + 1)", ""),
        ("range(n)", ""),
        ("range(k + 2, n)", ""),
    ],
)
@pytest.mark.parametrize("cell", ["m[i, j]", "m[i][j]"])
def test_columns_that_begin_or_end_at_another_token_than_the_next_are_told(turns: str, due: str, cell: str) -> None:
    lines = ["def f(n):", "    for i in range(n):", f"        for j in {turns}:", f"            {cell} = True"]

    found = begun_askew(ast.parse("\n".join(lines)), "f")

    assert (found or ("", 0))[1] == (3 if due else 0)
    assert found is None or f"`{turns}` should be `{due}`" in found[0]
    assert begun_askew(ast.parse("\n".join(lines).replace(f"{cell} = True", f"{cell} = s[i, j]")), "f") is None


@pytest.mark.parametrize(
    ("mask", "number", "is_told"),
    [
        ("m", "-torch.inf", True),
        ("m", "float('-inf')", True),
        ("m", "-1e9", True),
        ("self.m", "1", True),
        ("m", "s[i, j] / 2", False),
    ],
)
def test_a_loop_that_writes_a_number_of_any_kind_is_one_over_a_mask(mask: str, number: str, is_told: bool) -> None:
    lines = [
        "def f(n):",
        "    for i in range(n):",
        "        for j in range(i, n):",
        f"            {mask}[i, j] = {number}",
    ]

    assert (begun_askew(ast.parse("\n".join(lines)), "f") is not None) is is_told


@pytest.mark.parametrize(
    ("turns", "inside", "behind"),
    [
        # another column than the loop's, or another row
        ("range(i - 1, n - 1)", "    m[i, j + 1] = True", "return m"),
        ("range(i, n)", "    m[j, i] = True", "return m"),
        # what another line makes of the diagonal counts as well
        ("range(i)", "    m[i, j] = True\n        m[i, i] = True", "return m"),
        ("range(i)", "    m[i, j] = True\n            m[j, i] = True", "return m"),
        ("range(i)", "    m[i, j] = True", "m.fill_diagonal_(True)\n    return m"),
        ("range(i)", "    m[i, j] = True", "for k in range(n):\n        m[k, k] = True\n    return m"),
        ("range(i)", "    m[i, j] = True", "m[range(n), range(n)] = True\n    return m"),
        ("range(i)", "    m[i, j] = True", "return m + torch.eye(n)"),
        # of a mask that is turned round the columns are rows
        ("range(i + 2, n)", "    m[i, j] = True", "return m.T"),
        ("range(i + 2, n)", "    m[i, j] = True", "m = m.transpose(0, 1)\n    return m"),
        ("range(i + 2, n)", "    m[i, j] = True", "return torch.flip(m, (0, 1))"),
    ],
)
def test_nothing_is_told_of_turns_where_others_may_be_due(turns: str, inside: str, behind: str) -> None:
    source = f"def f(n):\n    for i in range(n):\n        for j in {turns}:\n        {inside}\n    {behind}\n"

    assert begun_askew(ast.parse(source), "f") is None


@pytest.mark.parametrize(
    ("row", "due"),
    [
        ("[False] * i + [True] * (n - i)", "[False] * (i + 1) + [True] * (n - i - 1)"),
        ("(n - i) * [True]", ""),
        ("[0.0] * i + [float('-inf')] * (n - i)", "[0.0] * (i + 1) + [float('-inf')] * (n - i - 1)"),
        ("[1] * (i + 2) + [0] * (n - i - 2)", "[1] * (i + 1) + [0] * (n - i - 1)"),
        ("[False] * i + [True] * rest", "[False] * (i + 1) + [True] * (rest - 1)"),
        ("[False] * (i + 1) + [True] * (n - i - 1)", ""),
        ("[True] * (n - i) + [False] * i", ""),
        ("[False] * k + [True] * (n - k)", ""),
        ("[False] * i + [i] * (n - i)", ""),
    ],
)
@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(n):\n    rows = []\n    for i in range(n):\n        rows.append({})\n    return torch.tensor(rows)", 4),
        ("def f(n):\n    return torch.tensor(\n        [{} for i in range(n)]\n    )", 3),
    ],
)
def test_rows_that_are_made_of_too_few_or_too_many_are_told_what_is_due(
    source: str, line: int, row: str, due: str
) -> None:
    found = rows_askew(ast.parse(source.format(row)), "f")

    assert (found or ("", 0))[1] == (line if due else 0)
    assert found is None or f"`{row}` should be `{due}`" in found[0]
    assert rows_askew(ast.parse(source.format(row).replace("range(n)", "range(1, n + 1)")), "f") is None
    assert rows_askew(ast.parse(source.format(row).replace("torch.tensor", "turned") + ".T"), "f") is None


def test_nothing_is_told_of_rows_where_a_large_number_stands_for_infinity() -> None:
    assert unseeing(ast.parse(CLASS.format("torch.triu(everywhere)", USED, "-1e9")), "A") is None


@pytest.mark.parametrize(
    ("filled", "told"),
    [
        ("float('-1e-9')", "`float('-1e-9')` is all but 0, which hides nothing: `-torch.inf` does"),
        ("-1e-9", "`-1e-9` is all but 0, which hides nothing: `-torch.inf` does"),
        ("0.0", ""),
        ("float('-inf')", ""),
    ],
)
def test_a_number_near_zero_is_told(filled: str, told: str) -> None:
    tree = ast.parse(CLASS.format("torch.triu(everywhere, diagonal=1)", USED, filled))

    assert as_written([Mistake("mask-zero-fill", 7)], tree, "A", None) == (
        (Mistake("mask-zero-fill", 8 if told else 7, told),),
        [],
    )


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("s[m] = 1e-9", "1e-9"),
        ("s = torch.where(m, s, 1e-9)", "1e-9"),
        ("s = torch.where(m, s, torch.tensor(-1e-6))", "-1e-6"),
        ("s = torch.where(m, torch.full_like(s, 1e-8), s)", "1e-8"),
        ("s = s.masked_fill(mask=m, value=1e-9)", "1e-9"),
        ("s = s.masked_fill(m, 0.0) + 1e-9", ""),
        ("s = torch.where(m > 1e-9, 0.0, s)", ""),
        ("s = torch.where(m, 0.0, s * 0.05)", ""),
        ("s[m] = s[m] * 0.01", ""),
    ],
)
def test_a_number_near_zero_is_told_only_where_it_is_what_is_filled_in(statement: str, number: str) -> None:
    tree = ast.parse(f"def f(s, m):\n    {statement}\n    return s.softmax(-1)\n")
    (found,), _ = as_written([Mistake("mask-zero-fill", 2)], tree, "f", None)

    assert found.said == (f"`{number}` is all but 0, which hides nothing: `-torch.inf` does" if number else "")


@pytest.mark.parametrize(
    ("used", "due"),
    [
        ("self.mask[:n, -n:]", "self.mask[:n, :n]"),
        ("self.mask[..., -n:, :n].bool()", "self.mask[..., :n, :n]"),
        ("self.causal_mask.bool()[:s.shape[1], -s.shape[1]:]", "self.causal_mask.bool()[:s.shape[1], :s.shape[1]]"),
        ("self.mask[:n, :n]", ""),
        ("self.mask[-n:, -n:]", ""),
        ("self.mask[:n, -1:]", ""),
        ("self.heads[:n, -n:]", ""),
    ],
)
def test_rows_and_columns_of_a_mask_that_are_taken_from_two_ends_are_told(used: str, due: str) -> None:
    found = askew(ast.parse(CLASS.format("torch.triu(everywhere, 1)", used, "-torch.inf")), "A")

    code = used.removesuffix(".bool()")
    told = f"`{code}` takes rows from one end of the mask and columns from the other: `{due}` takes both from the start"
    assert found == ((told, 8) if due else None)


@pytest.mark.parametrize(
    ("source", "product"),
    [
        ("def f(s, m):\n    s = s + 1\n    return s + m * -torch.inf\n", "m * -torch.inf"),
        ("def f(s, m):\n    return s + m.float() * float('-inf')\n", "m.float() * float('-inf')"),
        ("def f(s, m):\n    return s + -math.inf * m\n", "-math.inf * m"),
        ("def hide(s, m):\n    return s + m * -torch.inf\n\ndef f(s, m):\n    return hide(s, m)\n", "m * -torch.inf"),
        ("def f(s, m):\n    m *= -torch.inf\n    return s + m\n", "m *= -torch.inf"),
        ("from math import inf\ndef f(s, m):\n    return s + (-inf) * m\n", "-inf * m"),
        (
            "def f(s, m):\n    return s + triu(torch.ones(3, 3), 1) * -torch.inf\n",
            "triu(torch.ones(3, 3), 1) * -torch.inf",
        ),
        ("def g(s, m):\n    return s + m * -torch.inf\n\ndef f(s, m):\n    return s\n", ""),
        # no 0 is multiplied here
        ("def f(s, m):\n    return s.masked_fill(m, -torch.inf) * 2\n", ""),
        ("def f(s, m):\n    return s + m * -1e9\n", ""),
        ("def f(s, m):\n    return s + torch.triu(torch.ones(3, 3) * -torch.inf, 1)\n", ""),
        ("def f(s, m):\n    return s.masked_fill(m, -1 * torch.inf)\n", ""),
    ],
)
def test_a_product_with_infinity_is_found(source: str, product: str) -> None:
    found = infinite_product(ast.parse(source), "f")

    assert (ast.unparse(found) if found else "") == product


def test_products_without_end_are_looked_through_once() -> None:
    chain = "x = " + " * ".join(["a"] * 900) + "\n"
    tree = ast.parse("def f(s):\n" + f"    {chain}" * 30 + "    return s * -torch.inf\n")

    found = infinite_product(tree, "f")
    assert found is not None
    assert (ast.unparse(found), found.lineno) == ("s * -torch.inf", 32)
