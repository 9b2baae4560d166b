"""Traceback and source name a mistake only where it can be no other."""

from __future__ import annotations

import ast
import textwrap

import numpy as np
import pytest

from grader.judge.diagnosis import evidence
from grader.model.case import PUBLIC, Case
from grader.model.observation import Fault
from grader.model.pack import CaseTemplate
from tests.suite.reading import right

CLASS = """
import torch
from torch import nn

inputs = torch.rand(6, 3)
SIZE = 4

class Attention(nn.Module):
    def __init__(self, d_in, num_heads):
        super().__init__()
        self.scale = d_in ** -0.5
        self.register_buffer("hidden", torch.ones(3))

    def forward(self, x):
        batch_size = x.shape[0]
        return x
"""
TREE = ast.parse(CLASS)


def fault(message: str, kind: str = "exception", type: str = "NameError") -> Fault:
    return Fault(kind, type, message)


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("scale", "self-missing"),
        ("hidden", "self-missing"),
        ("num_heads", "global-variable"),
        ("inputs_2", "global-variable"),
        ("attention_of_before", "global-variable"),
        ("troch", "api-misspelt"),
        ("batchsize", ""),
        ("lenn", ""),
    ],
)
def test_an_undefined_name_is_what_it_is_nearest_to(name: str, mistake: str) -> None:
    assert evidence.of_fault(fault(f"name '{name}' is not defined"), TREE) == mistake


@pytest.mark.parametrize(
    ("name", "mistake"),
    [("sofmax", "api-misspelt"), ("registry_buffer", "api-misspelt"), ("scal", ""), ("anything_else", "")],
)
def test_an_attribute_that_is_nearly_one_of_torchs_is_misspelt(name: str, mistake: str) -> None:
    said = fault(f"module 'torch' has no attribute '{name}'", type="AttributeError")

    assert evidence.of_fault(said, TREE) == mistake


def test_a_fault_in_source_that_cannot_be_read_names_nothing() -> None:
    assert evidence.parsed("def f(:") is None
    assert evidence.parsed("x = 1\n" * 100_000) is None
    assert evidence.of_fault(fault("name 'x' is not defined"), None) == ""


def test_a_parameter_that_is_never_read_and_a_global_that_is_belong_together() -> None:
    reads = ast.parse("inputs = [1]\n\ndef f(x):\n    return inputs\n")
    constant = ast.parse("SIZE = [1]\n\ndef f(x):\n    return SIZE\n")
    both = ast.parse("table = [1]\n\ndef f(x):\n    return x + table\n")

    assert evidence.global_read(reads, "f") == 4
    assert evidence.global_read(constant, "f") == 0
    assert evidence.global_read(both, "f") == 0
    assert evidence.global_read(both, "f", "    return x + table") == 4


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("scores.masked_fill(mask, -1)\nreturn scores", 2),
        ("hidden = scores.masked_fill(mask, -1)\nreturn scores", 2),
        ("scores + mask\nreturn scores", 2),
        ("scores.masked_fill_(mask, -1)\nreturn scores", 0),
        ("scores = scores.masked_fill(mask, -1)\nreturn scores", 0),
        ("print(mask)\nreturn scores", 0),
    ],
)
def test_masked_scores_that_nobody_reads_are_found(body: str, line: int) -> None:
    tree = ast.parse("def f(scores, mask):\n" + textwrap.indent(body, "    "))

    assert evidence.lost_masking(tree, "f") == line


def case(tokens: int, context_length: int) -> Case:
    template = CaseTemplate("short", construct={"context_length": context_length})
    return Case(template, PUBLIC, {"x": np.zeros((2, tokens, 3), np.float32)})


def test_a_mask_of_the_whole_context_is_told_by_both_lengths_and_by_its_line() -> None:
    said = fault("The size of tensor a (5) must match the size of tensor b (8)", type="RuntimeError")

    assert evidence.is_unsliced_mask(said, "scores.masked_fill(self.mask, v)", case(5, 8))
    assert not evidence.is_unsliced_mask(said, "x + self.position", case(5, 8))
    assert not evidence.is_unsliced_mask(said, "scores.masked_fill(self.mask, v)", case(8, 8))
    assert not evidence.is_unsliced_mask(said, "scores.masked_fill(self.mask, v)", case(5, 9))


def test_no_right_solution_reads_like_a_lost_masking() -> None:
    for exercise, path in right():
        tree = evidence.parsed(path.read_text("utf-8"))
        assert tree is not None
        names = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        assert not [name for name in names if evidence.lost_masking(tree, name)], (exercise, path.name)
