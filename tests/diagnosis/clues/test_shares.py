"""Shares that do not sum to 1 are told what to divide by, or where a factor belongs, and right ones nothing."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.shares import by_the_largest, to_a_power


def function(*lines: str) -> ast.Module:
    return ast.parse("def f(s, factor):\n" + "".join(f"    {line}\n" for line in lines))


@pytest.mark.parametrize(
    ("lines", "code", "due", "line"),
    [
        (["e = torch.exp(s)", "return e / e.max()"], "e / e.max()", "e.sum()", 3),
        (["e = s.exp()", "m = max(e)", "return e / m"], "e / m", "sum(e)", 4),
        (["return torch.exp(s) / torch.max(torch.exp(s))"], "torch.exp(s) / torch.max(torch.exp(s))",
         "torch.sum(torch.exp(s))", 2),
        (["e = torch.exp(s - s.max())", "return e / e.amax(-1, keepdim=True)"], "e / e.amax(-1, keepdim=True)",
         "e.sum(-1, keepdim=True)", 3),
        (["e = torch.exp(s)", "return e / e.max(dim=1, keepdim=True).values"],
         "e / e.max(dim=1, keepdim=True).values", "e.sum(dim=1, keepdim=True)", 3),
        (["e = torch.exp(s)", "return e / torch.max(e, dim=1, keepdim=True)[0]"],
         "e / torch.max(e, dim=1, keepdim=True)[0]", "torch.sum(e, dim=1, keepdim=True)", 3),
    ],
)  # fmt: skip
def test_exponentials_over_the_largest_of_them_are_told_their_sum(
    lines: list[str], code: str, due: str, line: int
) -> None:
    said, at = by_the_largest(function(*lines), "f") or ("", 0)

    assert said.startswith(f"`{code}` makes the largest weight 1") and said.endswith(f"`{due}`")
    assert at == line


@pytest.mark.parametrize(
    "lines",
    [
        ["e = torch.exp(s)", "return e / e.sum()"],
        ["e = torch.exp(s)", "e = e / e.max()", "return e / e.sum()"],
        ["e = torch.exp(s)", "return e / s.max()"],
        ["return s / s.max()"],
        ["e = torch.exp(s / s.max())", "return e / len(e)"],
        ["e = torch.exp(s)", "return e / torch.max(e, torch.tensor(1e-9))"],
        ["e = torch.exp(s)", "e = e / e.amax(-1, keepdim=True)", "return F.normalize(e, p=1, dim=-1)"],
        ["e = torch.exp(s)", "w = e / e.max()", "total = 0", "for each in w:", "    total += each", "return w / total"],
    ],
)
def test_nothing_is_told_of_other_quotients(lines: list[str]) -> None:
    assert by_the_largest(function(*lines), "f") is None


@pytest.mark.parametrize(
    ("lines", "code", "line"),
    [
        (["return softmax(s) ** factor"], "softmax(s) ** factor", 2),
        (["w = torch.softmax(s, -1)", "return w.pow(factor)"], "w.pow(factor)", 3),
        (["w = s.softmax(-1)", "p = torch.pow(w, factor)", "return p"], "torch.pow(w, factor)", 3),
        (["w = softmax(s) ** factor", "return w / w.sum()"], "", 0),
        (["return softmax(s) ** 2"], "", 0),
        (["return softmax(s ** factor)"], "", 0),
        (["return s ** factor"], "", 0),
    ],
)
def test_weights_raised_to_a_power_are_told_where_the_factor_belongs(lines: list[str], code: str, line: int) -> None:
    said, at = to_a_power(function(*lines), "f", {"factor"}) or ("", 0)

    assert (f"`{code}` " in said and "multiply the scores by `factor`" in said, at) == (bool(code), line)
    assert to_a_power(function(*lines), "f", {}) is None
