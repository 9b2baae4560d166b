"""What the source calls the parts of a fused projection tells their order."""

from __future__ import annotations

import ast
import textwrap

import pytest

from grader.diagnosis.places.roles import as_named, order_by_name
from grader.diagnosis.places.statements import statements_of


def order(body: str) -> list[str]:
    forward = textwrap.indent(textwrap.dedent(body).strip(), " " * 8)
    source = f"class Head:\n    def forward(self, x):\n{forward}\n"
    return order_by_name(statements_of(ast.parse(source), "Head"))


@pytest.mark.parametrize(
    "body",
    [
        "k, q, v = self.qkv(x).chunk(3, dim=-1)",
        "keys, queries, values = self.qkv(x).split(self.d_out, dim=-1)",
        "k, q, v = (part.view(b, n, h, d).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))",
        """
        qkv = self.qkv(x).reshape(b, n, 3, h, d)
        k, q, v = qkv.unbind(2)
        """,
        "k, q, v = qkv[0], qkv[1], qkv[2]",
        """
        key = qkv[..., :d]
        query = qkv[..., d : 2 * d]
        value = qkv[..., 2 * d :]
        """,
    ],
)
def test_parts_are_in_the_order_of_their_names(body: str) -> None:
    assert order(body) == ["key", "query", "value"]


@pytest.mark.parametrize(
    "body",
    [
        "a, b, c = self.qkv(x).chunk(3, dim=-1)",
        "k, q, v = self.key(x)[0], self.query(x)[0], self.value(x)[0]",  # each of its own layer
        "k, q, v = project(x)",
    ],
)
def test_what_no_name_or_no_part_tells_has_no_order(body: str) -> None:
    assert order(body) == []


def test_a_projection_of_two_roles_has_an_order_too() -> None:
    assert order("v, k = self.kv(x).chunk(2, dim=-1)") == ["value", "key"]


def test_a_text_names_roles_in_an_order() -> None:
    assert as_named("side by side: W_key, W_query, W_value", ["key", "query", "value"])
    assert not as_named("side by side: W_query, W_key, W_value", ["key", "query", "value"])
    assert not as_named("side by side: W_key, W_value", ["key", "value", "query"])
