"""How a class has to be written is told at its line, and only where nothing else can be meant."""

from __future__ import annotations

import ast
import sys

import pytest

from grader.diagnosis import evidence
from grader.diagnosis.slips.classes import of_class
from grader.model.observation import Fault

ABSENT = 'Module [A] is missing the required "forward" function'
MODULE = "class A(Module):\n    def {}(self, d):\n        {}\n        self.w = d\n"
NO_SUPER = Fault("exception", "AttributeError", "cannot assign parameters before Module.__init__() call")
SUPER_FIRST = "`__init__` has to begin with `super().__init__()`"
# A soft hyphen within a format.
SOFT = ast.parse("f\"{'\u00ad'}\"")
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


@pytest.mark.parametrize(("name", "line"), [("_init_", 2), ("__int__", 2), ("init", 2), ("setup", 0), ("__init__", 0)])
def test_a_method_that_was_to_be_init_is_found(name: str, line: int) -> None:
    fault = Fault("exception", "TypeError", "A.__init__() takes 1 positional argument but 2 were given")

    said = of_class(fault, ast.parse(MODULE.format(name, "pass")), "A")

    assert said == ((f"`{name}` has to be called `__init__`", 2) if line else None)


@pytest.mark.parametrize(
    ("forward", "name"),
    [
        ("def forward(x): return self.W_query(x)", "forward"),
        ("def forward(self, x): return self.W_query(x)", ""),
        ("def forward(this, x): return this.W_query(x)", ""),
        ("def forward(*, self): return self.W_query(x)", ""),
        ("def forward(*args): return self.W_query(x)", ""),
        ("def forward(both): self, x = both; return self.W_query(x)", ""),
    ],
)
def test_a_method_that_speaks_of_self_and_does_not_take_it_is_told_with_its_line(forward: str, name: str) -> None:
    tree = ast.parse(f"class A:\n    def __init__(self): pass\n    {forward}\n")
    said = f"`{name}` has to take `self` first: `def {name}(self, …)`"

    for fault in (Fault("signature", names=("forward",)), Fault("exception", "TypeError", "too many")):
        assert of_class(fault, tree, "A") == ((said, 3) if name else None)
    assert of_class(Fault("exception", "ValueError", "no"), tree, "A") is None


def test_a_method_that_was_to_be_forward_is_found() -> None:
    fault = Fault("exception", "NotImplementedError", f"Module [A] is {evidence.NO_FORWARD}")

    said = of_class(fault, ast.parse(MODULE.format("foward", "pass")), "A")

    assert said == ("`foward` has to be called `forward`", 2)


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("d = d + 1", 2),
        ("super().__init__", 3),
        ("super.__init__()", 3),
        ("super(A).__init__()", 3),
        ("super().__init__()", 0),
        ("super(A, self).__init__()", 0),
        ("Module.__init__(self)", 0),
    ],
)
def test_an_init_that_does_not_call_its_parents_is_found(first: str, line: int) -> None:
    said = of_class(NO_SUPER, ast.parse(MODULE.format("__init__", first)), "A")

    assert said == ((SUPER_FIRST, line) if line else None)


def test_which_of_two_classes_does_not_call_its_parents_is_not_guessed() -> None:
    two = MODULE.format("__init__", "pass")

    assert of_class(NO_SUPER, ast.parse(two + two.replace("class A", "class B")), "A") is None


def test_a_class_without_a_parent_is_not_blamed_and_a_late_call_is() -> None:
    config = "class Config:\n    def __init__(self, d):\n        self.d = d\n\n"
    late = "class A(nn.Module):\n    def __init__(self):\n        self.w = Linear(1, 2)\n        super().__init__()\n"

    assert of_class(NO_SUPER, ast.parse(config + late), "A") == (SUPER_FIRST, 8)


def test_a_function_that_is_written_as_a_method_is_found_with_its_class() -> None:
    tree = ast.parse(MODULE.format("scores", "pass"))

    said = of_class(Fault("missing", names=("A",)), tree, "scores")

    assert said == ("`scores` is a method of the class `A`, but it has to be a function of its own", 1)
    assert of_class(Fault("missing", names=("A",)), tree, "weights") is None
    assert of_class(Fault("missing"), ast.parse(MODULE.format("A", "pass")), "A") is None


@pytest.mark.parametrize(
    ("head", "outer"),
    [
        ("def f(x):", "f"),
        ("if __name__ == '__main__':", "if __name__ == '__main__'"),
        # Which Python reads and, before 3.12, cannot write; since then in either kind of quotes.
        ("if f\"{'\u00ad'}\":", f"if {ast.unparse(SOFT)}" if sys.version_info >= (3, 12) else "if"),
    ],
)
@pytest.mark.parametrize("definition", ["def scores(x): pass", "class scores: pass"])
def test_a_definition_inside_of_another_or_below_a_condition_is_found(head: str, outer: str, definition: str) -> None:
    tree = ast.parse(f"{head}\n    y = 1\n    {definition}\n")

    said = of_class(Fault("missing"), tree, "scores")

    assert said == (f"`scores` stands inside of `{outer}`: move it one level to the left", 3)
    assert of_class(Fault("missing"), tree, "weights") is None


def test_a_forward_inside_of_init_is_told() -> None:
    inside = "        def forward(self, x):\n            return x\n"
    source = f"class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n{inside}"
    fault = Fault("exception", "NotImplementedError", f"Module [A] is {evidence.NO_FORWARD}")

    assert of_class(fault, ast.parse(source), "A") == (
        "`forward` stands inside of `__init__`: move it one level to the left",
        4,
    )
