"""Whether dropout works on what softmax gives is read where it is called, in whatever function."""

from __future__ import annotations

import ast

import pytest

from grader.judge.diagnosis.places.dropout import drops_weights, drops_weights_alone


@pytest.mark.parametrize(
    ("body", "is_of_weights"),
    [
        ("w = softmax(s)\n    w = self.drop(w)\n    return softmax(w) @ v", True),
        ("return self.drop(s.softmax(-1)).softmax(-1) @ v", True),
        ("return self.drop(torch.softmax(hide(s), dim=-1)) @ v", True),
        ("return self.drop(s).softmax(-1) @ v", False),
        ("return torch.softmax(self.drop(s), dim=-1) @ v", False),
        ("s = self.drop(s)\n    return s.softmax(-1) @ v", False),
        ("return self.drop(s) @ v", False),
        ("return s.softmax(-1) @ v", False),
    ],
)
def test_dropout_of_weights_is_told_from_that_of_scores(body: str, is_of_weights: bool) -> None:
    assert drops_weights(ast.parse(f"def f(self, s, v):\n    {body}\n"), "f") is is_of_weights


@pytest.mark.parametrize(("helping", "is_of_weights"), [("drop(s.softmax(-1))", True), ("drop(s)", False)])
def test_dropout_that_is_handed_on_works_where_it_is_called(helping: str, is_of_weights: bool) -> None:
    source = f"def g(s, drop):\n    return {helping}\n\ndef f(s):\n    return softmax(g(s, self.drop))\n"

    assert drops_weights(ast.parse(source), "f") is is_of_weights


@pytest.mark.parametrize(
    ("body", "is_alone"),
    [
        ("w = s.softmax(-1)\n    return self.drop(w) @ v", True),
        ("w = torch.softmax(s, dim=-1)\n    w = self.drop(w)\n    return w @ v", True),
        ("return F.dropout(s.softmax(-1), self.p) @ v", True),
        ("w = s.softmax(-1)\n    return self.drop(w @ v)", False),
        ("w = self.drop(s.softmax(-1))\n    return self.drop(w @ v)", False),
        ("w = s.softmax(-1)\n    return self.drop(w) @ self.drop(v)", False),
        ("return s.softmax(-1) @ self.drop(v)", False),
        ("w = self.drop(s.softmax(-1))\n    return w @ v * torch.bernoulli(v)", False),
        ("return s.softmax(-1) @ v", False),
    ],
)
def test_dropout_of_weights_and_of_nothing_else_is_known(body: str, is_alone: bool) -> None:
    assert drops_weights_alone(ast.parse(f"def f(self, s, v):\n    {body}\n"), "f") is is_alone
