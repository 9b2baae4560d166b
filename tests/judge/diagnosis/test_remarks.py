"""What the source says of NaN and of floats is quoted, with its line."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis import remarks


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
    found = remarks.infinite_product(ast.parse(source), "f")

    assert (found.code if found else "") == product


def test_products_without_end_are_looked_through_once() -> None:
    chain = "x = " + " * ".join(["a"] * 900) + "\n"
    tree = ast.parse("def f(s):\n" + f"    {chain}" * 30 + "    return s * -torch.inf\n")

    assert remarks.infinite_product(tree, "f") == remarks.Quoted("s * -torch.inf", 32)


@pytest.mark.parametrize(
    ("source", "quotient"),
    [
        (
            "class A:\n    def __init__(self, d_out, num_heads):\n        self.d = d_out / num_heads\n",
            "d_out / num_heads",
        ),
        ("def f(x, w):\n    return x.view(2, x.shape[-1] / w.num_heads)\n", "x.shape[-1] / w.num_heads"),
        ("def f(s, keys):\n    return s / keys.shape[-1] ** 0.5\n", ""),
        ("def f(d_out, num_heads):\n    return d_out // num_heads\n", ""),
        ("def f(d_out, scores, heads):\n    mean = scores / heads\n    width = d_out / heads\n", ""),
    ],
)
def test_a_width_divided_into_a_float_is_found(source: str, quotient: str) -> None:
    found = remarks.divided_by_heads(ast.parse(source))

    assert (found.code if found else "") == quotient


def test_what_is_quoted_is_found_in_its_line() -> None:
    source = "class A:\n    def __init__(self, d_out, num_heads):\n        self.width = d_out / num_heads\n"

    assert remarks.divided_by_heads(ast.parse(source)) == remarks.Quoted("d_out / num_heads", 3)
