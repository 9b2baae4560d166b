"""Minus infinity in shares is told, and a triangle of exponentials; none that is filled into scores."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues import late_masks
from grader.diagnosis.clues.late_masks import filled_late, kept_above
from tests.judge.hand_made import class_doing

from .conftest import Looked

HELPERS = """
NEVER = float("-inf")
def fill(scores, mask):
    return scores.masked_fill(mask, -torch.inf)
def fill_clone(scores, mask):
    out = scores.clone()
    out[mask] = float("-inf")
    return out
def shares_of(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
def attend(s, m):
"""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return fill(torch.softmax(s, dim=-1), m)", "fill(torch.softmax(s, dim=-1), m)"),
        ("w = torch.softmax(s, -1)\nw = fill_clone(w, m)\nreturn w", "fill_clone(w, m)"),
        ("w = s.softmax(-1)\nreturn torch.where(m, -torch.inf, w)", "torch.where(m, -torch.inf, w)"),
        ("w = s.softmax(-1)\nreturn torch.where(~m, w, NEVER)", "torch.where(~m, w, NEVER)"),
        ("w = s.softmax(-1)\nw[m] = -math.inf\nreturn w", "w[m] = -math.inf"),
        ("w = s.softmax(-1)\nw[..., m] = NEVER\nreturn w", "w[..., m] = NEVER"),
        ("w = drop(s.softmax(-1))\nw.masked_fill_(m, value=NEVER)\nreturn w", "w.masked_fill_(m, value=NEVER)"),
        ("w = s.softmax(-1)\nb = torch.full((5, 5), -torch.inf).triu(1)\nw += b\nreturn w", "w += b"),
        ("w = s.softmax(-1)\nb = torch.full((5, 5), NEVER).triu(1)\nreturn w + b", "w + b"),
        # Of scores, or of what softmax is taken of once more.
        ("return torch.softmax(fill(s, m), -1)", ""),
        ("w = s\nw[m] = NEVER\nreturn w.softmax(-1)", ""),
        ("w = s.softmax(-1)\nw[m] = NEVER\nreturn w.softmax(-1)", ""),
        ("return shares_of(s.softmax(-1), m)", ""),
        ("w = s.softmax(-1)\nw[m] = 0\nreturn w", ""),
        ("w = s.softmax(-1)\nw = s + 1\nw[m] = -torch.inf\nreturn w", ""),
    ],
)  # fmt: skip
def test_minus_infinity_is_told_where_it_is_filled_into_shares(body: str, code: str) -> None:
    source = HELPERS + "".join(f"    {line}\n" for line in body.split("\n"))

    found = filled_late(ast.parse(source), "attend")

    said = f"`{code}` fills in minus infinity only after softmax: mask the scores, before softmax"
    assert (found and found[0]) == (said if code else None)
    assert found is None or source.split("\n")[found[1] - 1].strip().removeprefix("return ").endswith(code)


def test_twice_as_many_functions_take_no_more_than_twice_the_work(looked: Looked) -> None:
    def look(functions: int) -> None:
        one_after_the_other = "".join(
            f"def f{n}(x, m):\n    return f{n + 1}(x.masked_fill(m, -torch.inf), m)\n" for n in range(functions)
        )
        assert filled_late(ast.parse(one_after_the_other), "f0") is None

    assert looked(late_masks, lambda: look(80)) < 2.5 * looked(late_masks, lambda: look(40))


@pytest.mark.parametrize(
    ("statement", "is_told"),
    [
        ("e = x.exp().triu()", True),
        ("e = torch.triu(torch.exp(x))", True),
        ("e = torch.exp(x)\n        e = e.triu()", True),
        ("e = torch.exp(x)\n        e = e.triu(0)", True),
        ("e = torch.triu(torch.exp(x), diagonal=0)", True),
        ("e = torch.exp(x)\n        e = e.triu(1)", False),
        ("e = torch.triu(torch.exp(x), diagonal=1)", False),
        ("e = torch.triu(torch.exp(x), -1)", False),
        ("e = torch.triu(torch.exp(x), d)", False),
        ("e = x.exp() * torch.ones_like(x).triu()", False),
        ("m = (x.exp() > 0).triu()", False),
        ("x = x.masked_fill(x.exp().triu() > 0, 0)", False),
        ("e = x.triu()", False),
    ],
)
def test_a_triangle_of_exponentials_is_no_mask(statement: str, is_told: bool) -> None:
    told = kept_above(class_doing(statement), "A")

    assert (told is not None) == is_told
    assert told is None or told[0].endswith("the future, and makes the past 0: `tril` keeps the past")
