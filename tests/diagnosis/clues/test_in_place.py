"""What writes into the caller's tensor is quoted, with what makes a new one."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.in_place import written_into


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "return s.masked_fill_(m, 0)",
            "`s.masked_fill_(m, 0)` writes into the caller's `s`: `s.masked_fill`, without",
        ),
        ("s /= d\n    return s", "`s /= d` writes into the caller's `s`: `s = s / d` makes a new tensor"),
        ("s *= d + 1\n    return s", "`s *= d + 1` writes into the caller's `s`: `s = s * (d + 1)` makes a new tensor"),
        ("s[m] = 0\n    return s", "`s[m] = 0` writes into the caller's `s`: work on a copy, such as `s.clone()`"),
        ("s[..., m] = 0\n    return s", "`s[..., m] = 0` writes into the caller's `s`: work on a copy"),
        ("s = s.mul_(2)\n    return s", "`s.mul_(2)` writes into the caller's `s`: `s.mul`, without"),
        ("return s.sub_(d).exp_()", "`s.sub_(d)` writes into the caller's `s`: `s.sub`, without"),
        ("s = s.clone()\n    s[m] = 0\n    return s", ""),
        ("t = s\n    t[m] = 0\n    s[m] = 0\n    return t", ""),
        ("s = s / d\n    return s.masked_fill_(m, 0)", ""),
        ("return s.fill_(0)", ""),
        ("d *= 2\n    s[m] = 0\n    return s", ""),
        ("return s.masked_fill(m, 0)", ""),
    ],
)
def test_what_writes_into_an_argument_is_told(body: str, said: str) -> None:
    found = written_into(ast.parse(f"def f(s, m, d):\n    {body}\n"), "f")

    assert (found is not None) == bool(said)
    assert found is None or (found[0].startswith(said) and found[1] == 2)


def test_what_a_function_that_is_called_writes_into_is_told_unless_there_are_two() -> None:
    called = "def g(s, d):\n    s /= d\n    return s\n\n\ndef h(s):\n    return s{}(2)\n\n\n"
    asked = "def f(s, m, d):\n    return h(g(s, d))\n"

    one = written_into(ast.parse(called.format(".mul") + asked), "f")

    assert one is not None
    assert one[1] == 2
    assert written_into(ast.parse(called.format(".mul_") + asked), "f") is None
