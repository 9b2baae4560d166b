"""A result with a name that nothing reads is told, and the line that passes it by or takes its name."""

from __future__ import annotations

import ast
import re

import pytest

from grader.diagnosis.clues.unused import passed_by, unused
from tests.judge.hand_made import class_doing


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("shifted = x - x.max()\n        e = torch.exp(x)", 12),
        ("shifted = x - x.max()\n        e = torch.exp(shifted)", 0),
        ("shifted = x - x.max()\n        e = torch.exp(y)", 0),
        ("x.add_(1)\n        e = torch.exp(x)", 0),
        ("n = len(x)\n        e = torch.exp(x)\n        for i in range(n):\n            e[i, i + 1:] = 0", 0),
        ("n = len(x)\n        e = torch.exp(x)", 0),  # many write sizes down, and need none
        ("n = x.shape[-1]\n        e = torch.exp(x)", 0),
        ("b, n = x.size(0), 1\n        n = x.size(1)\n        e = torch.exp(x)", 0),
        ("n = len(x)\n        e = torch.exp(x)\n        if n > 1:\n            e = e / n", 0),
    ],
)
def test_the_line_that_passes_a_result_by_is_told(body: str, line: int) -> None:
    found = passed_by(class_doing(f"{body}\n        x = e / e.sum()"), "A")

    said = "nothing is done with what `shifted = x - x.max()` makes: go on with `shifted`"
    assert found == ((said, line) if line else None)


def test_a_tensor_of_a_size_alone_is_not_what_the_next_line_was_to_read() -> None:
    source = "def f(n):\n    {} = torch.{}(n, n)\n    mask = torch.zeros(n, n)\n    return mask\n"

    assert passed_by(ast.parse(source.format("everywhere", "ones")), "f") is None
    assert passed_by(ast.parse(source.format("mine", "triu")), "f") is not None


@pytest.mark.parametrize(
    ("word", "body", "code", "name", "line"),
    [
        ("softmax", "w = torch.softmax(s, -1)\n        return s @ v", "w = torch.softmax(s, -1)", "w", 0),
        (
            "softmax",
            "w = torch.softmax(s, -1)\n        d = self.dropout(w)\n        return s @ v",
            "w = torch.softmax(s, -1)",
            "d",
            0,
        ),
        (" / |div|mul", "t = s / 2**0.5\n        return torch.softmax(s, -1)", "t = s / 2 ** 0.5", "t", 0),
        ("dropout", "d = self.dropout(w)\n        return w @ v", "d = self.dropout(w)", "d", 0),
        ("softmax", "w = torch.softmax(s, -1)\n        w = self.dropout(w)\n        return w @ v", "", "", 0),
        (
            "softmax",
            "w = torch.softmax(s, -1)\n        if self.p:\n            w = self.dropout(s)\n        return w @ v",
            "",
            "",
            0,
        ),
        ("softmax", "w = torch.softmax(s, -1)\n        return w @ v", "", "", 0),
        ("softmax", "w = torch.softmax(s, -1)\n        w = w @ v\n        return w", "", "", 0),
        ("softmax", "w = torch.softmax(s, -1)\n        print(w, w.shape)\n        return s", "", "", 0),
        ("softmax", "w = torch.softmax(s, -1)\n        for row in w:\n            s = s + row", "", "", 0),
        ("softmax", "w = torch.softmax(s, -1)\n        if w.sum() > 1:\n            return s", "", "", 0),
        (" / |div|mul", "t = s.div_(2)\n        return torch.softmax(s, -1)", "", "", 0),
        (" / |div|mul", "t = (s @ v).mul_(2)\n        return torch.softmax(s, -1)", "", "", 0),
        (" / |div|mul", "t = torch.div(s, 2, out=s)\n        return torch.softmax(s, -1)", "", "", 0),
        ("dropout", "d = F.dropout(w, 0.5, inplace=True)\n        return w @ v", "", "", 0),
        (
            "softmax",
            "w = torch.softmax(s, -1)\n        w = self.dropout(s)\n        return w @ v",
            "w = torch.softmax(s, -1)",
            "w",
            12,
        ),
        (
            " / |div|mul",
            "t = s / 8\n        m = hide(t)\n        m = hide(s)\n        return torch.softmax(m, -1)",
            "t = s / 8",
            "m",
            13,
        ),
        (
            "out_proj",
            "o: Tensor = self.out_proj(c)\n        o = c\n        return o",
            "o: Tensor = self.out_proj(c)",
            "o",
            12,
        ),
        (
            "masked_fill",
            "m = s.masked_fill(f, -torch.inf)\n        w = m.softmax(-1)\n        w = s.softmax(-1)\n        return w",
            "m = s.masked_fill(f, -torch.inf)",
            "w",
            13,
        ),
    ],
)
def test_a_result_is_told_of_which_nothing_comes_and_the_line_where_something_else_takes_its_name(
    word: str, body: str, code: str, name: str, line: int
) -> None:
    found = unused(class_doing(body), "A", re.compile(word))

    said = f"nothing is done with what `{code}` makes: go on with `{name}`"
    assert (found.told() if found is not None else None) == ((said, line) if name else None)


@pytest.mark.timeout(20)  # a minute where each is followed from each
def test_each_of_very_many_results_is_followed_once() -> None:
    chain = [f"w{number} = torch.softmax(w{number - 1}, -1)" for number in range(1, 900)]
    body = "w0 = s\n        " + "\n        ".join([*chain, "return s @ v + w899"])

    assert unused(class_doing(body), "A", re.compile("softmax")) is None
