"""Scores that are scaled by one number for all widths are told, and no others."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues import factors
from grader.diagnosis.clues.factors import by_a_number

from .conftest import Looked


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("s = q @ k.T / 2\n    return s", 2),
        ("s = q @ k.T\n    s /= 1.4142\n    return s", 3),
        ("return q @ k.T / 2**0.5", 2),
        ("return q @ k.T / math.sqrt(64)", 2),
        ("return q @ k.T / k.shape[-1] ** 0.5", 0),
        ("half = k.shape[-1] / 2\n    return q @ k.T / math.sqrt(k.shape[-1])", 0),
        ("return q @ k.T * 2", 0),
        ("n = k.shape[-1]\n    values = v / 2\n    return q @ k.T * pow(n, -0.5) @ values", 0),
        ("values = v / 2\n    return q @ k.T / 2", 3),
        ("return q @ k.T / d", 0),
        ("return 0.7071 * (q @ k.T)", 2),
        ("s = q @ k.T\n    s *= 0.125\n    return s", 3),
        ("return q @ k.T / WIDTH ** 0.5", 2),
        ("return torch.matmul(q, k.T) * FACTOR", 2),
        ("scale = 1 / math.sqrt(2)\n    return torch.matmul(q, k.T) * scale", 3),
        ("d_k = 2\n    return torch.matmul(q, k.T) / math.sqrt(d_k)", 3),
        ("return torch.matmul(q, k.T).div(math.sqrt(2))", 2),
        ("return torch.div(q @ k.T, 8)", 2),
        ("return (q * 0.5) @ k.T", 2),
        ("d_k = 2\n    d_k = k.shape[-1]\n    return torch.matmul(q, k.T) / d_k ** 0.5", 0),
        ("return q @ k.T / WIDTH + k.shape[-1].sqrt()", 0),
        ("s = q @ k.T\n    s = s.masked_fill(m, -torch.inf)\n    return s * FACTOR", 4),
        ("return q @ k.T + 0.5 * mask", 0),
        ("n = k.shape[-1]\n    return q @ k.T / (n / 2) ** e", 0),
        ("half = k.shape[-1] / 2\n    return q @ k.T / half", 0),
        ("half = self.head_dim / 2\n    return q @ k.T / half", 0),
        ("return q @ k.T / self.scale", 0),
        ("n, WIDTH = k.shape\n    return q @ k.T / WIDTH", 0),
        ("if (WIDTH := k.shape[-1]): pass\n    return q @ k.T / WIDTH", 0),
        ("for WIDTH in k.shape: pass\n    return q @ k.T / WIDTH", 0),
        ("scale = 2.0\n    if b: scale, e = k.shape\n    return q @ k.T / scale", 0),
        ("scale = k.shape[-1]\n    if b: scale = 2.0\n    return q @ k.T / scale", 0),
        ("scale = 4.0\n    if b: scale = 2.0\n    return q @ k.T / scale", 4),
        ("return q @ k.T / 2.0 / math.isqrt(k.shape[-1])", 0),
        ("s = q @ k.T / 1.0\n    return s.exp() / 1.0", 0),
    ],
)
def test_a_division_by_one_number_for_all_widths_is_told(body: str, line: int) -> None:
    found = by_a_number(ast.parse(f"WIDTH = 64\nFACTOR = WIDTH ** -0.5\ndef f(q, k):\n    {body}\n"), "f")

    assert (found[1] - 2 if found else 0) == line


def test_a_number_that_a_module_keeps_is_told_where_it_scales() -> None:
    module = "class M(nn.Module):\n    def __init__(self, d):\n        self.scale = 1 / 8\n"
    module += "    def forward(self, q, k):\n        return torch.softmax(q @ k.mT * self.scale, -1)\n"

    found = by_a_number(ast.parse(module), "M")

    assert found is not None
    assert found[1] == 5
    assert "`q @ k.mT * self.scale` scales by the same number" in found[0]
    assert by_a_number(ast.parse(module.replace("1 / 8", "d ** -0.5")), "M") is None
    other = "class N(nn.Module):\n    def __init__(self, d):\n        self.scale, self.d = d, d\n"
    assert by_a_number(ast.parse(module + other), "M") is None
    assert by_a_number(ast.parse(module.replace("1 / 8", "d")), "M") is None


def test_twice_as_many_divisions_take_no_more_than_twice_the_work(looked: Looked) -> None:
    def look(divisions: int) -> None:
        body = "".join(f"    a{n} = K + a{n - 1} + a{n - 1}\n    s = s / (a{n} + x)\n" for n in range(1, divisions))
        assert by_a_number(ast.parse(f"K = 1\ndef f(q, k, a0, x):\n    s = q @ k.T\n{body}    return s\n"), "f") is None

    assert looked(factors, lambda: look(200)) < 2.5 * looked(factors, lambda: look(100))
