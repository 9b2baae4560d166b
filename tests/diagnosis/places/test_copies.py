"""The line of a copy that is wrong is one that writes, and into the weight of which it is known that it is wrong."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.copies import copied_at, left_out, only_named, unmentioned, written_back


@pytest.mark.parametrize(
    ("body", "slot", "line"),
    [
        ("a = t.W_query\n    a = nn.Parameter(s.W_query.weight.T)", "", 3),
        ("wide = getattr(t, n)\n    wide.weight.data = w\n    wide.bias.data = b", "W_key.weight", 3),
        ("wide = getattr(t, n)\n    wide.weight.data = w\n    wide.bias.data = b", "W_key.bias", 4),
        ("t.W_query.weight.copy_(q)\n    t.W_key.weight.copy_(k)", "W_key.weight", 3),
        ("t.W_query.data = q\n    t.W_key.data[:2] = k", "W_key", 3),
        ("t.W_query = q\n    t.W_key = k", "W_key", 3),
        ("state = s.state_dict()\n    t.load_state_dict(state)", "W_key.weight", 3),
        ("with torch.no_grad():\n        t.W_key.weight[i] = k", "out_proj.weight", 3),
        ("print(s)", "", 0),
    ],
)
def test_the_statement_that_writes_is_told(body: str, slot: str, line: int) -> None:
    assert copied_at(ast.parse(f"def copy(s, t):\n    {body}\n"), "copy", slot) == line


@pytest.mark.parametrize(
    ("body", "is_back"),
    [
        ("s.W_query.weight.copy_(t.W_query.T)", True),
        ("s.W_query.weight.data = t.W_query.T", True),
        ("getattr(s, n).weight.copy_(getattr(t, n).T)", True),
        ("t.W_query.copy_(s.W_query.weight.T)", False),
        ("s.W_query.weight.copy_(s.W_query.weight.T)", False),
        ("s = t.W_query", False),
        ("t.W_query.data = s.W_query.weight.t_()", False),
    ],
)
def test_a_copy_that_writes_into_its_source_what_its_target_holds_is_told(body: str, is_back: bool) -> None:
    found = written_back(ast.parse(f"def copy(s, t):\n    {body}\n"), "copy")

    assert (found is not None) == is_back


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("W_query = s.W_query.weight.T\n    W_key = s.W_key.weight.T", (2, "t.W_query")),
        ("W_query = t.W_query\n    W_query = s.W_query.weight.T", (3, "t.W_query")),
        ("for n in N:\n        own = getattr(t, n)\n        own = getattr(s, n).weight.T", (4, "own")),
        ("for n in N:\n        a = getattr(s, n)\n        own = getattr(t, n)\n        own = a.weight.T", (5, "own")),
        ("a = [h.w for h in s]\n    b = getattr(t, n)\n    own = b.weight\n    own = torch.cat(a)", (5, "own")),
        ("own = t.W_query\n    own = s.W_query.weight.T\n    t.W_query.copy_(own)", None),
        # which something is done with, or which is of no weight that was left
        ("W_query = s.W_query.weight.T\n    t.W_key = W_query", None),
        ("other = s.W_query.weight.T", None),
        ("t.W_query = s.W_query.weight.T", None),
    ],
)
def test_a_name_of_the_function_that_is_given_a_weights_numbers_is_told(
    body: str, told: tuple[int, str] | None
) -> None:
    found = only_named(ast.parse(f"def copy(s, t):\n    {body}\n"), "copy", ["W_query", "W_key"])

    assert (found and (found[0].lineno, found[1])) == told


@pytest.mark.parametrize(
    ("body", "slots", "name"),
    [
        ("for n in ('W_query', 'W_value'):\n        getattr(t, n).copy_(getattr(s, n))", ["W_key"], "W_key"),
        ("for n in ['W_query', 'W_value']:\n        getattr(t, n).copy_(s)", ["W_key.weight", "W_key.bias"], "W_key"),
        ("for n in ('W_query', 'W_value'):\n        getattr(t, n).copy_(s)\n    t.W_key.copy_(k)", ["W_key"], ""),
        ("for n in ('W_query', 'W_key'):\n        getattr(t, n).copy_(getattr(s, n))", ["W_key"], ""),
        ("for n in ('W_query', 'W_value'):\n        getattr(t, n).copy_(s)", ["W_key", "out_proj"], ""),
        ("for n in ('W_query', 'W_value'):\n        print(n)", ["W_key"], ""),
        ("for n in names:\n        getattr(t, n).copy_(getattr(s, n))", ["W_key"], ""),
        # the parts of a layer, of which it goes through all, or what is no layer of the target's
        ("for p in ('weight', 'bias'):\n        getattr(t, p).copy_(getattr(s, p))", ["W_key.weight"], ""),
        ("for n in ('W_query', 'heads'):\n        getattr(t, n).copy_(getattr(s, n))", ["W_key"], ""),
    ],
)
def test_the_one_name_that_a_copy_does_not_go_through_is_found(body: str, slots: list[str], name: str) -> None:
    held = ["W_query.weight", "W_key.weight", "W_key.bias", "W_value.weight", "out_proj.weight"]

    found = left_out(ast.parse(f"def copy(s, t):\n    {body}\n"), "copy", slots, held)

    assert (found[1] if found else "") == name
    assert found is None or found[0].lineno == 2


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("t.W_query.copy_(s.W_query.weight.T)", True),
        ("t.W_query = Parameter(s.W_query.weight.T); t.W_key.data = s.W_key.weight.T", True),
        ("getattr(t, 'W_query').copy_(s.W_query.weight.T)", True),
        ("t.W_query.copy_(s.W_value.weight.T)", False),  # it is read, and may have been meant to go elsewhere
        ("t.load_state_dict(s.state_dict())", False),  # no name is called
        ("t.W_query.copy_(s.W_query)\n    for r in REST: getattr(t, r)[:1].copy_(getattr(s, r)[:1])", False),
        ("t.W_query.copy_(s.W_query)\n    for a, b in zip(t.parameters(), s.parameters()): a[:1].copy_(b[:1])", False),
        ("for mine, other in zip(t.parameters(), s.parameters()): mine.copy_(other)", False),
    ],
)
def test_a_copy_that_calls_others_by_name_and_not_what_it_leaves_is_found(body: str, is_found: bool) -> None:
    held = ["W_query", "W_key", "W_value"]

    found = unmentioned(ast.parse(f"def copy(s, t):\n    {body}\n"), "copy", ["W_value"], held)

    assert (found is not None) is is_found


def test_the_parts_of_a_layer_are_called_by_the_layers_name() -> None:
    tree = ast.parse("def copy(s, t):\n    t.W_query.weight.copy_(s.heads[0].W_query.weight)\n")

    held = ["W_query.weight", "W_value.weight", "W_value.bias"]

    assert unmentioned(tree, "copy", ["W_value.weight", "W_value.bias"], held)
    assert unmentioned(tree, "copy", ["W_query.weight"], held) is None
