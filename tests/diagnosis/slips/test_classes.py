"""How a class has to be written is told at its line, and only where nothing else can be meant."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.slips.classes import of_class
from grader.model.observation import Fault

ABSENT = 'Module [A] is missing the required "forward" function'
CLASS = """
class A(nn.Module):
    def __init__(self, d):
        super().__init__()
        {init}

    {method}
"""


def told(message: str, *, init: str = "pass", method: str = "pass", type_: str = "TypeError") -> object:
    return of_class(Fault("exception", type_, message), ast.parse(CLASS.format(init=init, method=method)), "A")


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("def call(self, x): return x", "call"),
        ("def attention(self, x): return x", "attention"),
        ("def call(self, x): return x\n    def split(self, x): return x", "call"),
        ("def split(self, x): return x\n    def join(self, x): return x", ""),
        ("def _call(self, x): return x", ""),
        ("def call(self): return 1", ""),
        ("def call(self, x):\n        def forward(x): return x", ""),
        ("pass", ""),
    ],
)
def test_a_method_that_was_to_be_forward_is_told(method: str, name: str) -> None:
    found = told(ABSENT, method=method, type_="NotImplementedError")

    assert found == ((f"`{name}` has to be called `forward`", 7) if name else None)
    of_another = ABSENT.replace("[A]", "[ModuleList]")
    assert told(of_another, method=method, type_="NotImplementedError") is None


@pytest.mark.parametrize(
    ("init", "code"),
    [
        ("return self.heads", "return self.heads"),
        ("return None", ""),
        ("return", ""),
        ("def inner(): return 1", ""),
        ("self.f = lambda x: x", ""),
    ],
)
def test_what_init_hands_back_is_told_at_its_line(init: str, code: str) -> None:
    found = told("__init__() should return None, not 'ModuleList'", init=init)

    said = f"`__init__` makes the module and hands nothing back: take out `{code}`"
    assert found == ((said, 5) if code else None)


@pytest.mark.parametrize(
    ("bases", "attribute", "is_told"),
    [("", "register_buffer", True), ("nn.Module", "register_buffer", False), ("", "mask", False)],
)
def test_a_class_that_is_no_module_is_told_at_its_line(bases: str, attribute: str, is_told: bool) -> None:
    fault = Fault("exception", "AttributeError", f"'A' object has no attribute '{attribute}'")

    found = of_class(fault, ast.parse(f"import torch\n\nclass A({bases}):\n    pass\n"), "A")

    said = "derive the class from nn.Module: `class A(nn.Module):`, with `super().__init__()` first in `__init__`"
    assert found == ((said, 3) if is_told else None)


@pytest.mark.parametrize(
    ("method", "message", "is_told"),
    [
        ("def attend(q, k): return q", "A.attend() takes 2 positional arguments but 3 were given", True),
        ("def attend(q): return q", "A.attend() takes 1 positional argument but 2 were given", True),
        ("def attend(self, q): return q", "A.attend() takes 2 positional arguments but 3 were given", False),
        ("def attend(q, k): return q", "A.attend() takes 2 positional arguments but 4 were given", False),
        ("@f\n    def attend(q, k): return q", "A.attend() takes 2 positional arguments but 3 were given", False),
        ("def attend(q, k): return q", "A.other() takes 2 positional arguments but 3 were given", False),
    ],
)
def test_a_method_without_self_is_told_at_its_line(method: str, message: str, is_told: bool) -> None:
    found = told(message, method=method)

    assert found == (("`attend` has to take `self` first: `def attend(self, …)`", 7) if is_told else None)
