"""A mask that is cut to the number of sequences is told, and none that another function cuts by a name of its own."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.mask_cuts import cut_before, cut_by_sequences

from .test_batch import AXES, forward

OF_ONE = """
class A:
    def __init__(self):
        self.mask = torch.ones(9, 9).triu(1)
    def forward(self, x):
        {}
        return torch.stack([one(each) for each in x])
"""


@pytest.mark.parametrize(
    ("sizes", "cut", "due"),
    [
        ("b, t = x.shape[:2]", "self.future[:b, :t]", "self.future[:t, :t]"),
        ("b, t, _ = x.shape", "self.mask[:t, :b]", "self.mask[:t, :t]"),
        ("b, t, _ = x.shape", "self.mask.bool()[:b, :t]", "self.mask.bool()[:t, :t]"),
        ("b = x.shape[0]", "self.mask[:b, :b]", "self.mask[:x.shape[1], :x.shape[1]]"),
        ("b = len(x)", "self.mask[:x.shape[0], :x.shape[1]]", "self.mask[:x.shape[1], :x.shape[1]]"),
        ("b, t, _ = x.shape", "self.mask[:t, :t]", ""),
        ("b, t = x.shape[1:]", "self.mask[:b, :b]", ""),
        ("b, t = x.shape[:2]", "x[:b, :t]", ""),
    ],
)
def test_a_mask_of_which_an_axis_is_cut_to_the_sequences_is_told(sizes: str, cut: str, due: str) -> None:
    init = "class A:\n    def __init__(self):\n        self.{} = torch.ones(9, 9).{}(1)\n"
    name = cut.partition("[")[0].removeprefix("self.").removesuffix(".bool()")
    source = ast.unparse(forward(sizes, f"scores = scores + {cut}")).partition("\n")[2]

    found = cut_by_sequences(ast.parse(init.format(name, "triu") + source), "A", AXES)

    assert cut_by_sequences(ast.parse(init.format("cache", "clone") + source), "A", AXES) is None
    said = (
        f"`{cut}` cuts an axis of the mask to the number of sequences, and both of its axes are tokens: write `{due}`"
    )
    assert found == ((said, 7) if due else None)
    tree = ast.parse(init.format(name, "triu") + source)
    assert [cut_before(line, tree, "A", AXES) for line in (6, 7, 8)] == [None, found, found]


@pytest.mark.parametrize(
    "inner",
    [
        "def one(x): return self.mask[:x.shape[0], :x.shape[0]]",
        "one = lambda x: self.mask[:x.shape[0], :x.shape[0]]",
        "masks = [self.mask[:x.shape[0], :x.shape[0]] for x in x]",
    ],
)
def test_what_has_a_name_of_its_own_for_one_sequence_is_not_told(inner: str) -> None:
    assert cut_by_sequences(ast.parse(OF_ONE.format(inner)), "A", AXES) is None
