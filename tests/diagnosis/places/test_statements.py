"""The statement that gives a module one of its weights is found wherever a class makes it."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.statements import is_unread, maker, statements_of

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
        for i in range(2):
            setattr(self, f"head_{i}", head)
            self.add_module("layer" + str(i), head)
        self.W_query, self.W_key = (nn.Linear(4, 4) for _ in range(2))
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
        ("head_1.other.weight", 15),
        ("layer0.weight", 16),
        ("head_.weight", 0),
        ("W_query.weight", 17),
        ("W_key.weight", 17),
    ],
)
def test_a_slots_own_statement_is_pointed_at_or_that_of_what_it_lies_in(slot: str, line: int) -> None:
    made = maker(ast.parse(SOURCE), "Heads", slot)

    assert (made.line if made else 0) == line


@pytest.mark.parametrize(
    ("lines", "unread"),
    [
        ("a = f(x)\nreturn x", ["a"]),
        ("a = f(x)\nreturn a", []),
        ("a[0, i] += f(x)\nreturn a", []),
        ("a, b = f(x)\nreturn b", []),
        ("a, (b, c[0]) = f(x)\nreturn x", ["(a, (b, c[0]))"]),
        ("self.a = f(x)\nreturn self.a", []),
        ("self.a = f(x)\nreturn a", ["self.a"]),
        ("a = f(x)\nreturn x.a", ["a"]),
    ],
)
def test_what_nothing_reads_is_told_from_what_is_read_by_its_name(lines: str, unread: list[str]) -> None:
    body = "".join(f"    {line}\n" for line in lines.splitlines())
    statements = statements_of(ast.parse(f"def g(self, x, i):\n{body}"), "g")

    assert [s.target for s in statements if is_unread(s, statements)] == unread


@pytest.mark.parametrize(
    ("line", "value"),
    [("a = b == c", "b == c"), ("a[b == c] = d", "d"), ("a += b", "b"), ("a @= b", "b"), ("a: int = b", "b")],
)
def test_a_statements_value_is_all_behind_what_it_is_given_to(line: str, value: str) -> None:
    (statement,) = statements_of(ast.parse(f"def f(a, b, c, d):\n    {line}\n"), "f")

    assert statement.value == value
