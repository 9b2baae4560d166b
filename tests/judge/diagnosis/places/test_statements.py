"""The statement that gives a module one of its weights is found wherever a class makes it."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.places.statements import maker

SOURCE = """\
class Head(nn.Module):
    def __init__(self):
        self.ask: nn.Linear = nn.Linear(3, 4)
        self.register_parameter("key", None)
        self.register_buffer("value", torch.ones(3, 4))


class Heads(nn.Module):
    def __init__(self):
        self.asking = self.ask = None
        self.heads = nn.ModuleList([Head(), Head()])
        for name in ("a", "b"):
            setattr(self, name, nn.Linear(4, 4))
"""


@pytest.mark.parametrize(
    ("slot", "line"),
    [
        ("ask.weight", 3),
        ("key", 4),
        ("heads.0.ask.weight", 3),
        ("heads.1.else.bias", 11),
        ("heads", 11),
        ("value", 5),
        ("a.weight", 0),
    ],
)
def test_a_slots_own_statement_is_pointed_at_or_that_of_what_it_lies_in(slot: str, line: int) -> None:
    made = maker(ast.parse(SOURCE), "Heads", slot)

    assert (made.line if made else 0) == line
