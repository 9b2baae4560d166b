"""What a definition calls, and what it has from other exercises, is read as Python would resolve it, or left out."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.source.called import called, imported
from grader.model.pack import Pack

IMPORT = "from ex02_softmax_weights import softmax"


def brought(pack: Pack, source: str) -> list[tuple[str, str, str]]:
    return list(imported(ast.parse(source), {each.id: each for each in pack.exercises}))


def test_calls_are_followed_through_the_modules_own_functions_and_classes_also_in_circles() -> None:
    tree = ast.parse("def a(x): return b(x)\ndef b(x): return a(C()(x))\nclass C:\n def f(self): return torch.exp(1)\n")

    assert called(tree, "a") == {"a", "b", "C", "torch.exp"}
    assert called(tree, "C") == {"torch.exp"}
    assert called(tree, "elsewhere") == set()


def test_an_import_tells_which_exercise_a_name_comes_from(pack: Pack) -> None:
    assert brought(pack, f"{IMPORT} as soft") == [("soft", "ex02_softmax_weights", "softmax")]
    assert ("ex02.softmax", "ex02_softmax_weights", "softmax") in brought(pack, "import ex02_softmax_weights as ex02")
    assert brought(pack, "import torch") == []


@pytest.mark.parametrize(
    "other",
    ["softmax = torch.softmax", "def softmax(x): return x", "def f(softmax): return softmax(1)", "from x import *"],
)
def test_a_name_that_may_mean_something_else_is_left_out(pack: Pack, other: str) -> None:
    assert brought(pack, f"{IMPORT}\n{other}") == []


STAR = "from exercises.ex02_softmax_weights import *"


def test_the_only_star_import_tells_which_exercise_a_name_comes_from(pack: Pack) -> None:
    assert ("softmax", "ex02_softmax_weights", "softmax") in brought(pack, STAR)
    assert "softmax" not in {here for here, *_ in brought(pack, f"{STAR}\ndef softmax(x): return x")}
    assert brought(pack, f"from torch import *\n{STAR}") == []
    assert brought(pack, f"def f():\n    {STAR}") == []
