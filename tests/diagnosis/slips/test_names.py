"""A name that is not defined is told as what it was meant for, where that is certain."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from grader.diagnosis.slips.names import of_mistake, unknown_name, without_a_value
from grader.model.observation import Fault, Frame
from grader.model.pack import Definition

ASKED = {"A": Definition("A", "(d, p, bias=False)", ("d", "p", "bias"), is_class=True)}
CLASS = """
class A(nn.Module):
    def __init__(self, {arguments}):
        self.drop = nn.Dropout(p)

    def forward(self, x):
        {used}

    def attend(self, x):
        return x
"""
NOTHING = ast.parse("")
SIGNATURE = "the signature lacks `p`: it is to be `__init__(self, d, p, bias=False)`"


def undefined(name: str, line: int) -> Fault:
    return Fault("exception", "NameError", f"name '{name}' is not defined", (Frame("a.py", line, "f"),))


@pytest.mark.parametrize(
    ("arguments", "line", "is_told"),
    [
        ("d, bias=False", 4, True),
        ("d", 4, True),
        # in another function, or where it takes another name's place or any argument
        ("d, bias=False", 7, False),
        ("d, rate, bias=False", 4, False),
        ("d, **others", 4, False),
        ("*given", 4, False),
    ],
)
def test_an_argument_that_the_signature_lacks_is_told_there(arguments: str, line: int, is_told: bool) -> None:
    tree = ast.parse(CLASS.format(arguments=arguments, used="return x"))

    assert unknown_name(undefined("p", line), tree, "A", ASKED) == ((SIGNATURE, 3) if is_told else None)
    assert unknown_name(undefined("q", line), tree, "A", ASKED) is None
    assert unknown_name(undefined("p", line), tree, "A", {}) is None


def test_a_method_that_is_called_without_self_is_told() -> None:
    tree = ast.parse(CLASS.format(arguments="d, p, bias", used="return attend(x)"))

    found = unknown_name(undefined("attend", 7), tree, "A", ASKED)

    assert found == ("`attend` is a method of this class: call it as `self.attend(…)`", 0)
    assert unknown_name(undefined("attention", 7), tree, "A", ASKED) is None
    assert unknown_name(undefined("attend", 7), tree, "B", ASKED) is None


@pytest.mark.parametrize(
    ("registered", "is_told"),
    [
        ("self.register_buffer(mask, torch.ones(d, d))", True),
        ("self.register_buffer(mask, torch.ones(d, d), False)", True),
        ("self.register_buffer('mask', mask)", False),
        ("self.register_buffer(mask)", False),
        ("self.keep(mask, torch.ones(d, d))", False),
    ],
)
def test_a_buffers_name_without_quotes_is_told(registered: str, is_told: bool) -> None:
    tree = ast.parse(f"class A:\n    def __init__(self, d, p, bias):\n        {registered}\n")

    found = unknown_name(undefined("mask", 3), tree, "A", ASKED)

    assert found == (('the name is a string, so it stands in quotes: `"mask"`', 0) if is_told else None)


def test_of_another_error_nothing_is_told() -> None:
    tree = ast.parse(CLASS.format(arguments="d", used="return x"))

    assert unknown_name(Fault("exception", "TypeError", "name 'p' is not defined"), tree, "A", ASKED) is None
    assert unknown_name(undefined("p", 4), ast.parse(""), "A", ASKED) is None


@pytest.mark.parametrize("used", ["self.mask = x", "x = [self.mask for _ in x]"])
def test_a_function_is_told_to_have_no_self(used: str) -> None:
    source = f"def f(x):\n    {used}\n    return x\n"
    said = "`f` is a function, and so has no `self`: leave it out"

    assert unknown_name(undefined("self", 2), ast.parse(source), "f", ASKED) == (said, 0)
    assert unknown_name(undefined("self", 3), ast.parse(f"x = 1\n{source}"), "f", ASKED) == (said, 0)
    with_class = ast.parse(f"{source}class A:\n    pass\n")  # whose method it may be meant for
    assert unknown_name(undefined("self", 2), with_class, "f", ASKED) is None


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("d_k", True), ("num_tokens", True), ("mask", True), ("inputs", False), ("query_2", False)],
)
def test_what_no_notebook_need_have_is_told_to_have_no_value(name: str, is_told: bool) -> None:
    said = f"`{name}` is no argument of this function and is given no value in it: make it first"

    assert without_a_value(undefined(name, 1), NOTHING) == (said if is_told else "")
    assert without_a_value(replace(undefined(name, 1), type="TypeError"), NOTHING) == ""


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("d_k", True), ("num_tokens", True), ("mask", True), ("inputs", False), ("query_2", False)],
)
def test_a_name_that_no_function_gives_a_value_is_told_unless_it_is_a_notebooks(name: str, is_told: bool) -> None:
    said = f"`{name}` is no argument of this function and is given no value in it: make it first"

    assert without_a_value(undefined(name, 1), NOTHING) == (said if is_told else "")
    assert without_a_value(replace(undefined(name, 1), type="TypeError"), NOTHING) == ""


@pytest.mark.parametrize(
    ("arguments", "made", "is_told"),
    [
        ("self, x", "inputs @ self.W", True),
        ("self, x", "inputs @ x", False),
        ("self, x, y", "inputs @ self.W", False),
        ("self", "inputs @ self.W", False),
    ],
)
def test_a_name_in_place_of_the_only_argument_is_told_with_that(arguments: str, made: str, is_told: bool) -> None:
    tree = ast.parse(f"class A(nn.Module):\n    def forward({arguments}):\n        return {made}\n")

    said = "`inputs` is read here, and the argument is called `x`: give both one name"
    assert without_a_value(undefined("inputs", 3), tree) == (said if is_told else "")


FORWARD = """
class A(nn.Module):
    def forward(self, x):
        {first}
        {second}
        return scaled @ x

def shares(scores):
    return scores.softmax(-1)

def looked_at(scores):
    print(scores)
"""


@pytest.mark.parametrize(
    "statement", ["x / 2 ** 0.5", "torch.softmax(x, dim=-1)", "torch.ones(2, 2)", "shares(x)", "x.transpose(1, 2)"]
)
def test_a_name_is_told_to_be_that_of_the_result_above_which_nobody_keeps(statement: str) -> None:
    tree = ast.parse(FORWARD.format(first="y = x", second=statement))
    said = f"`{statement}` gives a new tensor that nothing keeps: was it to be `scaled`?"

    assert unknown_name(undefined("scaled", 6), tree, "A", ASKED) == (said, 5)


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ("x / 2", "y = x", "scaled"),  # which stands before another line
        ("y = x", "print(x)", "scaled"),
        ("y = x", "x.add_(1)", "scaled"),
        ("y = x", "looked_at(x)", "scaled"),
        ("y = x", "x / 2", "inputs"),
        ("y = x", "x / 2", "d"),
        ("y = x", "x / 2", "math"),
        ("y = x", "x / 2", "tocrh"),
        ("y = x", "x / 2", "prnt"),
        ("y = x", "x / 2", "SIZE"),
        ("shares = x", "x / 2", "share"),
    ],
)
def test_a_name_that_may_be_anothers_is_not_that_of_a_result(first: str, second: str, name: str) -> None:
    tree = ast.parse(FORWARD.format(first=first, second=second))

    assert unknown_name(undefined(name, 6), tree, "A", ASKED) is None


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ("weights_of(x)", True),
        ("weights_of(scores=x)", True),
        ("weights_of @ x", False),  # a result that nobody keeps
        ("weights_of(x, dim=-1)", False),
        ("weights_of(x, -1)", False),
        ("weights_of(**x)", False),
    ],
)
def test_what_another_exercise_asks_for_is_told_with_the_import(code: str, is_told: bool) -> None:
    asked = {
        "weights_of": Definition("weights_of", "(scores)", ("scores",), is_class=False, exercise="ex02_softmax"),
        "attend": Definition("attend", "(x)", ("x",), is_class=False, exercise="ex03_context"),
    }
    source = f"def attend(x):\n    return {code}\n"
    told = (
        "it belongs to ex02: to use yours, write `from exercises.ex02_softmax import weights_of` at the top of the file"
    )

    fault = undefined("weights_of", 2)
    assert unknown_name(fault, ast.parse(source), "attend", asked) == ((told, 0) if is_told else None)
    assert unknown_name(fault, ast.parse(f"{source}\ndef weights_of(x): ..."), "attend", asked) is None
    assert (
        unknown_name(fault, ast.parse(f"{source}\nclass A:\n    def f(self): self.weights_of = 1"), "attend", asked)
        is None
    )
    of_one = {name: replace(each, exercise="ex02_softmax") for name, each in asked.items()}
    assert unknown_name(fault, ast.parse(source), "attend", of_one) is None


def test_what_another_exercise_asks_for_and_torch_has_too_may_be_torchs() -> None:
    asked = {"softmax": Definition("softmax", "(scores)", ("scores",), is_class=False, exercise="ex02_softmax")}
    tree = ast.parse("def attend(x):\n    return softmax(x)\n")  # of all rows, where exercise 2's takes one

    assert unknown_name(undefined("softmax", 2), tree, "attend", asked) is None


@pytest.mark.parametrize(
    ("source", "kind", "message", "said"),
    [
        (
            "def f(x):\n    return torch.sofmax(x)\n",
            "AttributeError",
            "module 'torch' has no attribute 'sofmax'",
            "`sofmax` is misspelt, it is called `softmax`",
        ),
        (
            "import torch\ndef f(x):\n    return troch.softmax(x)\n",
            "NameError",
            "name 'troch' is not defined",
            "`troch` is misspelt, it is called `torch`",
        ),
        (
            "class f:\n    def foward(self, x):\n        return x\n",
            "NotImplementedError",
            "",
            "`foward` is misspelt, it is called `forward`",
        ),
        (
            "class f:\n    def _init_(self, x):\n        pass\n",
            "TypeError",
            "f() takes no arguments",
            "`_init_` is misspelt, it is called `__init__`",
        ),
        # a variable that nobody made, perhaps
        ("def f(x, v):\n    return softmaxed @ v\n", "NameError", "name 'softmaxed' is not defined", ""),
        # what the source does not have may be made of a test's inputs
        ("def f(x):\n    raise error(x)\n", "AttributeError", "module 'torch' has no attribute 'sofmax'", ""),
    ],
)
def test_what_is_misspelt_is_quoted_with_what_is_meant(source: str, kind: str, message: str, said: str) -> None:
    fault = Fault("exception", kind, message)

    assert of_mistake("api-misspelt", fault, ast.parse(source), "f") == said
    assert of_mistake("scale-missing", fault, ast.parse(source), "f") == ""


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (
            "    def forward(self, x):\n        return x / n\n",
            "`n` is an argument of `__init__`: keep it there as `self.n`",
        ),
        ("    @staticmethod\n    def forward(x):\n        return x / n\n", "`n` is no argument of this function"),
    ],
)
def test_an_argument_of_init_is_to_be_kept_where_there_is_a_self(method: str, said: str) -> None:
    tree = ast.parse(f"class A:\n    def __init__(self, n):\n        pass\n\n{method}")

    assert without_a_value(undefined("n", 6 + ("static" in method)), tree).startswith(said)
