"""Of a list of modules that line is found which says how many there are, or what each is."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.lists import line_of_slot

CLASS = """
class A(nn.Module):
    def __init__(self, n):
        super().__init__()
{}
"""
COMPREHENSION = """\
        self.heads = nn.ModuleList(
            Head(n)
            for _ in range(n - 1)
        )"""
LOOP = """\
        self.heads = nn.ModuleList()
        for number in range(n - 1):
            if number:
                self.heads.append(Head(n))"""
NAMED = """\
        self.heads = nn.ModuleList()
        for number in range(n - 1):
            head = Head(n)
            self.heads.add_module(str(number), head)"""
WRITTEN_OUT = """\
        self.heads = nn.ModuleList([
            Head(n),
            Head(n - 1),
        ])"""
LAYER = """\
        self.heads = nn.Linear(
            sum(1 for _ in range(n)), n)"""


@pytest.mark.parametrize(
    ("made", "slot", "counted", "each"),
    [
        (COMPREHENSION, "heads.1.W_query.weight", 7, 6),
        (LOOP, "heads.1.W_query.weight", 6, 8),
        (NAMED, "heads.1.W_query.weight", 6, 8),
        (WRITTEN_OUT, "heads.1.W_query.weight", 5, 7),
        (WRITTEN_OUT, "heads.2.W_query.weight", 5, 5),
        (LAYER, "heads.weight", 5, 5),
        (LAYER, "tails.0.weight", 0, 0),
    ],
    ids=["comprehension", "loop", "named", "written out", "behind the last", "no list", "of another name"],
)
def test_the_line_of_a_list_that_counts_or_makes_is_found(made: str, slot: str, counted: int, each: int) -> None:
    tree = ast.parse(CLASS.format(made))

    assert line_of_slot(tree, "A", slot, counting=True) == counted
    assert line_of_slot(tree, "A", slot, counting=False) == each
