"""A division by what a case makes 0 is told with its divisor, and only where that is certain."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.zeros import divided_by_zero, is_divided_by_zero


@pytest.mark.parametrize(
    ("body", "code", "divisor"),
    [
        ("return w * k / (1 - p)", "w * k / (1 - p)", "1 - p"),
        ("w /= 1 - p\n    return w", "w /= 1 - p", "1 - p"),
        ("q = 1.0 - p\n    return w.div(q)", "w.div(q)", "q"),
        ("return torch.div(w, -p + 1)", "torch.div(w, -p + 1)", "-p + 1"),
        ("return w / p", "", ""),
        ("return w / n", "", ""),
        ("p = p / 2\n    return w / (1 - p)", "", ""),
        ("q = 1 - p\n    q = q + 1\n    return w / q", "", ""),
        ("return w / (1 - p[0])", "", ""),
        ("if t and p > 0:\n        return w / (1 - p)", "w / (1 - p)", "1 - p"),
        ("if not t or p == 0:\n        return w\n    return w / (1 - p)", "w / (1 - p)", "1 - p"),
        ("with torch.no_grad():\n        w = w * k\n    return w / (1 - p) if t else w", "w / (1 - p)", "1 - p"),
        ("for row in k:\n        w = w * row\n    return w / (1 - p)", "w / (1 - p)", "1 - p"),
        ("s = 1 / (1 - p) if p < 1 else math.inf\n    return k * w * s", "", ""),
        ("if p == 1:\n        s = math.inf\n    else:\n        s = 1 / (1 - p)\n    return k * w * s", "", ""),
        ("if p == 1:\n        return k * bad(w)\n    return w / (1 - p)", "", ""),
        ("if k.all():\n        return w\n    return w / (1 - p)", "", ""),
        ("try:\n        s = 1 / (1 - p)\n    except ZeroDivisionError:\n        s = bad\n    return w * s", "", ""),
        ("s = p < 1 and w / (1 - p)\n    return w", "", ""),
        ("s = lambda p: w / (1 - p)\n    return s(p / 2)", "", ""),
        ("s = [w / (1 - p) for p in k]\n    return s", "", ""),
        (f"s = 1{'0' * 400}\n    return w / (s - p)", "", ""),
    ],
)
def test_a_division_by_zero_is_found(body: str, code: str, divisor: str) -> None:
    found = divided_by_zero(ast.parse(f"def f(w, p, t):\n    {body}\n"), "f", {"p": 1.0, "t": True})

    said = f"`{code}` divides by `{divisor}`, which is 0 in this case, and that gives infinity or NaN: "
    said += "see to that case before you divide"
    line = 2 + body[: body.find(code)].count("\n")
    assert found == ((said, line) if code else None)


def test_of_an_argument_as_it_is_no_more_is_told_than_that_it_is_zero() -> None:
    found = divided_by_zero(ast.parse("def f(w, p):\n    return w / p\n"), "f", {"p": 0.0})
    other = divided_by_zero(ast.parse("def f(w, p):\n    p = 1 - p\n    return w / p\n"), "f", {"p": 1.0})

    said = "`w / p` divides by `p`, which is 0 in this case, and that gives infinity or NaN"
    assert found == (said, 2)
    assert is_divided_by_zero([said])
    assert other == (f"{said}: see to that case before you divide", 3)
