"""A known mistake that raises is made right, and what is wrong beside it stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from grader.diagnosis.changes.corrections import corrected, of_widths, projecting_values, turning_heads
from grader.diagnosis.changes.pieces import Repairs, repaired
from grader.diagnosis.evidence import Mistake
from grader.diagnosis.source.tree import parsed
from grader.model.case import Case
from grader.model.check import Question
from grader.model.observation import Fault
from grader.model.pack import CaseTemplate, Definition, Exercise, Step

WEIGHTS = Fault("weights", message="`out_proj.weight` has shape (7, 12); expected (12, 12)")
INIT = """class A(nn.Module):
    def __init__(self, d_in, d_out, dropout, num_heads):
        super().__init__()
        self.W_query = nn.Linear({query})
        self.W_value = nn.Linear({value})
        self.out_proj = nn.Linear({out})

"""
RIGHT = {"query": "d_in, d_out", "value": "d_in, d_out, bias=False", "out": "d_out, d_out"}


def lines(source: str, way: Repairs) -> list[str]:
    """What stands in the lines that are changed."""
    pairs = zip(repaired(source, way).splitlines(), source.splitlines(), strict=True)
    return [new.strip() for new, old in pairs if new != old]


def module(*body: str, **layers: str) -> str:
    forward = "".join(f"        {line}\n" for line in body)
    return f"{INIT.format(**{**RIGHT, **layers})}    def forward(self, x):\n{forward}"


def asked(sizes: Mapping[str, int], shapes: Mapping[str, tuple[int, int]]) -> Question:
    signature = ("d_in", "d_out", "dropout", "num_heads")
    definitions = {"A": Definition("A", f"({', '.join(signature)})", signature, is_class=True)}
    step = Step("ex90.output", "ex90_heads", "", 1, of="A", check="output")
    exercise = Exercise("ex90_heads", "", "", (step,), {}, {}, definitions)
    template = CaseTemplate("random", construct={"dropout": 0.0, **sizes})
    weights = {f"{name}.weight": np.zeros(shape) for name, shape in shapes.items()}
    return Question(exercise, step, Case(template, "public", weights=weights))


def test_heads_are_turned_wherever_they_are_parted_and_not_turned_already() -> None:
    source = module(
        "q = x.view(2, 3, self.n, -1)",
        "k = x.unflatten(-1, (self.n, 4))",
        "v = x.view(2, 3, self.n, -1).transpose(1, 2)",
        "return (q + k + v).reshape(2, 3, -1)",
    )

    told = lines(source, turning_heads(parsed(source), "A"))

    assert told == ["q = x.view(2, 3, self.n, -1).transpose(1, 2)", "k = x.unflatten(-1, (self.n, 4)).transpose(1, 2)"]
    assert turning_heads(parsed(module("return x.reshape(2, -1)")), "A") == ()


def test_tokens_that_are_taken_for_values_go_through_the_layer_that_nothing_uses() -> None:
    source = module("q = self.W_query(x)", "v = x.view(*x.shape[:2], 3, -1)", "return self.out_proj(q @ q.mT @ v)")
    line = source.splitlines().index("        v = x.view(*x.shape[:2], 3, -1)") + 1

    assert lines(source, projecting_values(parsed(source), "A", line)) == [
        "v = self.W_value(x).view(*x.shape[:2], 3, -1)"
    ]
    used = source.replace("q @ q.mT", "self.W_value(x) @ q.mT")  # so that no layer is left
    assert projecting_values(parsed(used), "A", line) == ()


@pytest.mark.parametrize(
    ("layers", "put_right"),
    [
        ({"out": "d_out, d_in"}, ["self.out_proj = nn.Linear(d_out, d_out)"]),
        ({"out": "d_in, d_in"}, ["self.out_proj = nn.Linear(d_out, d_out)"]),
        ({"query": "d_out, d_in"}, ["self.W_query = nn.Linear(d_in, d_out)"]),
        ({"value": "num_heads, d_out, bias=False"}, ["self.W_value = nn.Linear(d_in, d_out, bias=False)"]),
        (
            {"query": "d_in, d_in", "out": "d_in, d_out"},
            ["self.W_query = nn.Linear(d_in, d_out)", "self.out_proj = nn.Linear(d_out, d_out)"],
        ),
        ({}, []),
    ],
)
def test_layers_of_other_widths_are_given_those_that_are_due(layers: dict[str, str], put_right: list[str]) -> None:
    question = asked(
        {"d_in": 7, "d_out": 12, "num_heads": 3}, {"W_query": (12, 7), "W_value": (12, 7), "out_proj": (12, 12)}
    )
    source = module("return x", **layers)

    assert lines(source, of_widths(WEIGHTS, parsed(source), question)) == put_right


def test_a_width_of_several_sizes_is_their_product_by_the_names_that_a_student_gives_them() -> None:
    question = asked({"d_in": 7, "d_out": 4, "num_heads": 3}, {"W_query": (12, 7)})
    source = module("return x", query="width, each").replace("d_in, d_out, dropout, num_heads", "width, each, p, h")

    assert lines(source, of_widths(WEIGHTS, parsed(source), question)) == ["self.W_query = nn.Linear(width, each * h)"]


def test_widths_are_left_as_they_are_where_something_else_is_raised() -> None:
    question = asked({"d_in": 7, "d_out": 12}, {"W_query": (12, 7)})
    tree = parsed(module("return x", query="d_out, d_in"))

    assert of_widths(
        replace(WEIGHTS, kind="exception", message="mat1 and mat2 shapes cannot be multiplied"), tree, question
    )
    assert of_widths(replace(WEIGHTS, kind="exception", message="view size is not compatible"), tree, question) == ()


@pytest.mark.parametrize("added", ["y.sum(dim=1)", "torch.sum(y, 1)"])
def test_heads_that_are_added_up_are_put_side_by_side(added: str) -> None:
    source = module("y = x", f"return self.out_proj({added})")
    line = len(source.splitlines())

    (way,) = corrected([Mistake("heads-summed", line)], parsed(source), "A")

    assert lines(source, way) == ["return self.out_proj(y.transpose(1, 2).flatten(2))"]


def test_several_mistakes_are_made_right_together_and_others_not_at_all() -> None:
    source = module("q = self.W_query(x).view(2, 3, self.n, -1)", "return self.out_proj(q @ x)")
    line = len(source.splitlines())
    some = [Mistake("heads-not-transposed", line - 1), Mistake("values-unprojected", line), Mistake("scale-missing", 1)]

    (way,) = corrected(some, parsed(source), "A")

    assert lines(source, way) == [
        "q = self.W_query(x).view(2, 3, self.n, -1).transpose(1, 2)",
        "return self.out_proj(q @ self.W_value(x))",
    ]
    assert corrected(some[2:], parsed(source), "A") == []
