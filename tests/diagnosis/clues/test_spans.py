"""What a function leaves out, holds for in one size alone, or never reads is told; what is meant so is not."""
# ruff: noqa: E501 - a line and what is said of it read best side by side

from __future__ import annotations

import ast
import time

import pytest

from grader.diagnosis.clues.spans import left_out, of_one_size, returned_in_a_loop, unread


def function(body: str) -> ast.Module:
    return ast.parse(f"def f(x, w):\n    n = len(x)\n    {body}\n")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("for i in range(len(x) - 1):\n        y[i] = x[i] @ w", "`range(len(x) - 1)` leaves out the last one: write `range(len(x))`"),
        ("for i in range(0, n - 1):\n        y[i] = x[i]", "`range(0, n - 1)` leaves out the last one: write `range(n)`"),
        ("for i in range(1, n):\n        y += w[i] * x[i]", "`range(1, n)` leaves out the first one: write `range(n)`"),
        ("return [x[i] @ w for i in range(x.shape[0] - 1)]", "`range(x.shape[0] - 1)` leaves out the last one: write `range(x.shape[0])`"),
        ("return w[:-1] @ x", "`w[:-1]` leaves out the last one: write `w`"),
        ("return x[:, :-1] @ w", "`x[:, :-1]` leaves out the last one: write `x`"),
        ("for i in range(n):\n        for j in range(i + 1, n - 1):\n            m[i, j] = 1", "`range(i + 1, n - 1)` leaves out the last one: write `range(i + 1, n)`"),
        ("return x[:, :-1] - x[:, 1:]", ""),
        ("return x[1:] @ w", "`x[1:]` leaves out the first one: write `x`"),
        ("for i in range(n - 1):\n        m[i, i + 1:] = True", ""),
        ("for i in range(n - 1):\n        m[i, i:] = True", ""),
        ("y = x[0]\n    for i in range(1, n):\n        y = y + x[i]", ""),
        ("for i in range(n - 1):\n        y[i] = x[i]\n    y[n - 1] = x[n - 1]", ""),
        ("for i in range(n - 1):\n        y = y @ w", ""),
        ("for i in range(n):\n        y[i] = x[i]", ""),
        ("for i in range(n // 2 - 1):\n        y[i] = x[i]", ""),
        ("return x[1:] - x[:-1]", ""),
        ("later = x[1:]\n    return x @ w", ""),
        ("return y[:-1]", ""),
        ("return x[:-1] + x[-1]", ""),
    ],
)  # fmt: skip
def test_the_last_or_the_first_that_is_left_out_is_told(body: str, said: str) -> None:
    found = left_out(function(body), "f")

    assert (found[0] if found else "") == said


@pytest.mark.parametrize(
    ("body", "told", "there", "code"),
    [
        ("y = torch.zeros(6)", {6}, {5}, "torch.zeros(6)"),
        ("y = torch.zeros((6, n))", {6, 3}, set(), "torch.zeros((6, n))"),
        ("for i in range(6):\n        y[i] = x[i]", {6}, set(), "range(6)"),
        ("return x.view(6, -1)", {6}, set(), "x.view(6, -1)"),
        ("y = torch.zeros(6)", {6}, {6}, ""),
        ("y = torch.zeros(6)", {5}, set(), ""),
        ("return x.transpose(4, 5)", {4}, set(), ""),
        ("y = torch.zeros(3)", {3}, set(), ""),
    ],
)
def test_a_size_that_is_written_down_is_told_where_it_does_not_fit(
    body: str, told: set[int], there: set[int], code: str
) -> None:
    found = of_one_size(function(body), "f", told, there)

    assert bool(found) == bool(code)
    assert found is None or found[0].startswith(f"`{code}` is for {max(told)} alone")


def test_a_function_of_the_files_own_is_given_a_size_too() -> None:
    tree = ast.parse("def mask(n):\n    return n\ndef f(x):\n    return x + mask(6)\n")

    assert of_one_size(tree, "f", {6}) is not None


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def f(x, w):\n    return x", "w"),
        ("def f(x, w):\n    return x @ w", ""),
        ("def f(x, generator):\n    return x", ""),
        ("def f(x, *w):\n    return 1", ""),
        ("class f:\n    def forward(self, x):\n        return 1", ""),
    ],
)
def test_an_argument_that_nothing_reads_is_found(source: str, name: str) -> None:
    assert unread(ast.parse(source), "f") == name


def test_a_long_source_is_walked_once() -> None:
    source = "def f(x):\n" + "    y = x[:, 1:]\n    z = x[:, 0]\n" * 3000 + "    return y\n"

    started = time.process_time()

    assert left_out(ast.parse(source), "f") is None
    assert time.process_time() - started < 3.0


@pytest.mark.parametrize(
    ("body", "line", "due"),
    [
        ("for x in xs:\n        y = x\n        return y", 4, "put together what all turns give"),
        ("for x in xs:\n        return x @ q", 3, "put together what all turns give"),
        ("for x in xs:\n        y = y + x\n        return y", 4, "move it to the left"),
        ("for x in xs:\n        y = 0\n        y += x\n        return y", 5, "move it to the left"),
        ("for x in xs:\n        ys.append(x)\n        return torch.stack(ys)", 4, "move it to the left"),
        (
            "for x in xs:\n        ys.append(x @ q)\n        y = torch.stack(ys)\n        return y",
            5,
            "move it to the left",
        ),
        (
            "for i, x in enumerate(xs):\n        ys[i] = x @ q\n        return torch.cat(ys[: i + 1])",
            4,
            "move it to the left",
        ),
        ("for x in xs:\n        n += 1\n        return torch.cat([y, x * n])", 4, "move it to the left"),
        ("for x in xs:\n        y = torch.cat([y, x])\n        return f(y, x)", 4, "move it to the left"),
        (
            "for x in xs:\n        ys.append(x @ q)\n        z = torch.stack(ys)\n        y = z * 2\n        return y",
            6,
            "move it to the left",
        ),
        (
            "for i, x in enumerate(xs):\n        ys[i].copy_(x)\n        return torch.cat([*ys, x])",
            4,
            "move it to the left",
        ),
        (
            "for x in xs:\n        k = x @ q\n        y = torch.softmax(k, -1)\n        return y @ x",
            5,
            "put together what all turns give",
        ),
        (
            "for x in xs:\n        y = torch.stack([x @ k for k in ks])\n        return y",
            4,
            "put together what all turns give",
        ),
        (
            "for x in xs:\n        y = torch.zeros(n)\n        for j in ks:\n            y[j] = x @ j\n        return f(y, x)",
            6,
            "put together what all turns give",
        ),
        ("while True:\n        return 1", 3, "move it to the left"),
        ("for x in xs:\n        if x:\n            return x\n    return 0", 0, ""),
        ("for x in xs:\n        pass\n    return 0", 0, ""),
        ("return [x for x in xs]", 0, ""),
    ],
)
def test_a_return_that_ends_a_loop_in_its_first_turn_is_found(body: str, line: int, due: str) -> None:
    tree = ast.parse(f"def f(xs):\n    {body}\n")

    said, found = returned_in_a_loop(tree, "f") or ("", 0)

    assert found == line
    assert due in said
    assert returned_in_a_loop(tree, "g") is None
