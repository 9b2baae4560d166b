"""A layer behind the heads is told of where it is made and not called, or called and not made."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.output_layer import output_layer

MADE = "class A(nn.Module):\n    def __init__(self):\n        {}\n    def forward(self, x):\n        return {}\n"


@pytest.mark.parametrize(
    ("made", "returned", "told", "line"),
    [
        ("self.out_proj = nn.Linear(4, 4)", "x", "`__init__` makes `self.out_proj`, and the joined heads", 0),
        ("pass", "self.out_proj(x)", "`self.out_proj` is called here, and `__init__` does not make it", 5),
        ("self.out_proj = nn.Linear(4, 4)", "self.out_proj(x)", "", 0),
        ("self.out_proj = nn.Linear(4, 4)", "self.proj(x)", "", 0),
        ("self.add_module('out_proj', nn.Linear(4, 4))", "self.out_proj(x)", "", 0),
        ("self.d_out = d_out", "x", "", 0),
        ("self.output_dim = 4", "x.view(self.output_dim)", "", 0),
        ("self.out_proj = nn.Parameter(w)", "x", "", 0),
        ("self.output_dim, self.out_proj = 4, nn.Linear(4, 4)", "self.out_proj(x)", "", 0),
        ("self.d_out, self.out_proj = 4, Projection(4)", "self.out_proj(x)", "", 0),
        ("self.out_proj = nn.Linear(4, 4)", "F.linear(x, self.out_proj.weight)", "", 0),
        ("self.out_proj = nn.Linear(4, 4); self.last = self.out_proj", "self.last(x)", "", 0),
        ("self.d_out = 4", "self.out_proj(x)", "`self.out_proj` is called here", 5),
        ("self.d_out = 4; self.out_proj = nn.Linear(4, 4)", "x.view(self.d_out)", "`__init__` makes `self.out", 0),
        ("self.proj: nn.Linear = nn.Linear(4, 4)", "x", "`__init__` makes `self.proj`, and the joined heads", 0),
        ("pass", "x", "", 0),
    ],
)
def test_an_output_layer_is_either_not_made_or_not_called(made: str, returned: str, told: str, line: int) -> None:
    found = output_layer(ast.parse(MADE.format(made, returned)), "A")

    assert (found is not None) == bool(told)
    assert found is None or (found[0].startswith(told), found[1]) == (True, line)


@pytest.mark.parametrize(
    ("method", "is_told"),
    [
        ("def forward(self, x):\n        self.output = x.flatten(2)\n        return self.output", False),
        ("def forward(self, x):\n        self.output = x\n        return self.output(x)", False),
        ("def forward(self, x):\n        return x @ self.output", False),
        ("def output(self, x):\n        return x\n    def forward(self, x):\n        return self.output(x)", False),
        ("output = nn.Flatten(2)\n    def forward(self, x):\n        return self.output(x)", False),
        ("def forward(self, x):\n        return self.output(x)", True),
    ],
)
def test_what_is_kept_under_a_name_is_no_layer_that_is_called(method: str, is_told: bool) -> None:
    tree = ast.parse(f"class A(nn.Module):\n    def __init__(self):\n        pass\n    {method}\n")

    assert (output_layer(tree, "A") is not None) == is_told


def test_of_a_class_that_may_have_its_layer_from_another_nothing_is_said() -> None:
    tree = ast.parse(MADE.format("pass", "self.out_proj(x)").replace("nn.Module", "Base"))

    assert output_layer(tree, "A") is None
