"""What writes into what is given by another name of it is found, and what writes into something of its own is not."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.places.writing import written_through


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("source.W.weight.data = target.W.T", 2),
        ("linear = source.W\n    linear.weight.data = linear.weight.data.T\n    target.W.copy_(linear.weight)", 3),
        ("held = source.state_dict()\n    held['W.weight'].mul_(2)", 3),
        ("for name in NAMES:\n        data = getattr(source, name).weight.data\n        data *= 2", 4),
        ("for a, b in zip(source.parameters(), target.parameters()):\n        a.copy_(b)", 3),
        ("for a, b in zip(source.parameters(), target.parameters()):\n        b.copy_(a)", 0),
        ("a, b = source.W, target.W\n    setattr(a, 'weight', b)", 3),
        ("source.load_state_dict(target.state_dict())", 2),
        (
            "layers = [getattr(head, 'W') for head in source.heads]\n    target.W = layers[0]\n    layers[0].mul_(2)",
            4,
        ),
        ("layers = []\n    for head in source.heads:\n        layers.append(head.W)\n    layers[0].mul_(2)", 5),
        ("layers = [head.W.clone() for head in source.heads]\n    layers[0].mul_(2)", 0),
        ("copy = source.W.clone()\n    copy.mul_(2)", 0),
        ("held = source.W\n    held = held.T.contiguous()\n    held += 1", 0),
        ("target.W.copy_(source.W.weight.T)", 0),
    ],
)
def test_the_line_is_found_that_writes_into_the_first_argument(body: str, line: int) -> None:
    assert written_through(ast.parse(f"def f(source, target):\n    {body}\n"), "f") == line
