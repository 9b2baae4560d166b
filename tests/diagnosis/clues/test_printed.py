"""What is printed is told as a result that is not handed back, only where it is one."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.printed import printed, uncalled


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("def f(x):\n    y = x + 1\n    print(y)\n", 3),
        ("def f(x):\n    print(\n        'y',\n        x + 1,\n    )\n", 2),
        ("def f(x):\n    print('here')\n    return print(x)\n", 3),
        ("def f(x):\n    if x:\n        return x\n    else:\n        print(x)\n", 5),
        ("def g(x):\n    print(x)\n\ndef f(x):\n    return g(x)\n", 2),
        ("class f:\n    def g(self, x):\n        print(x)\n\n    def forward(self, x):\n        return self.g(x)\n", 3),
        # what is printed there is no result
        ("def f(x):\n    y = x + 1\n    print('made')\n", 0),
        ("def f(x):\n    y = x + 1\n    print(f'made {y}')\n", 0),
        ("def f(x):\n    y = x + 1\n    print('shape', y.shape, y.size())\n", 0),
        ("class f:\n    def __init__(self, d):\n        print(d)\n\n    def forward(self, x):\n        x = x + 1\n", 0),
        ("def g(x):\n    print(x)\n\ndef f(x):\n    g(x)\n    y = x + 1\n", 0),
        ("def f(x):\n    def g(y):\n        return print(y)\n\n    y = x + 1\n", 0),
        ("def f(x):\n    for row in x:\n        print(row)\n", 0),
        ("def f(x):\n    y = x + 1\n    if f.is_loud:\n        print(y)\n", 0),
    ],
)
def test_what_is_printed_is_told_where_it_is_the_result(source: str, line: int) -> None:
    found = printed(ast.parse(source), "f")

    assert (found[1] if found else 0) == line


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return (x > 0).bool", ".bool"),
        ("y = x.softmax\n    return y", ".softmax"),
        ("y = x.softmax\n    y = y(-1)\n    return y", ""),
        ("return x.softmax(-1)", ""),
        # another branch gives what is no method, or which of two it was is not known
        ("if len(x): return x.contiguous\n    return x.T", ".contiguous"),
        ("if len(x): return x.bool\n    y = x.shape\n    return y", ".bool"),
        ("return x.T", ""),
        ("return self.weight", ""),
        ("if len(x): return x.bool\n    return x.contiguous", ""),
        ("if len(x): return x.bool\n    return x.max(-1).values", ".bool"),
        ("return torch.exp", ""),
    ],
)
def test_a_method_that_is_handed_back_and_not_called_is_told(body: str, code: str) -> None:
    tree = ast.parse(f"def f(x):\n    {body}\n")

    found = uncalled(tree, "f", "returned a builtin_function_or_method; expected a tensor of shape (6, 6)")

    assert found == ((f"`{code}` is a method: call it, `{code}()`", 2) if code else None)
    assert uncalled(tree, "f", "returned a list of 3 tensors; expected a tensor of shape (6, 6)") is None
