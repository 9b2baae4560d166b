"""Dropout that does not do as it is told is found with its line, and what looks like it is not."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.dropout import always_dropping, drops_what_is_blended, made_otherwise, switched_off


@pytest.mark.parametrize(
    ("line", "is_off"),
    [
        ("self.eval()", True),
        ("self.training = False", True),
        ("self.train(False)", True),
        ("self.train(False) if self.heads else None", True),
        ("self.dropout.eval()", True),
        ("self.train()", False),
        ("self.training = True", False),
        ("x = self.dropout(x)", False),
        ("eval('x')", False),
    ],
)
def test_a_module_that_ends_its_own_training_is_found(line: str, is_off: bool) -> None:
    source = f"class A:\n    def __init__(self):\n        pass\n\n    def forward(self, x):\n        {line}\n"

    found = switched_off(ast.parse(source), "A")

    assert (found.lineno if found else 0) == (6 if is_off else 0)


@pytest.mark.parametrize(
    ("made", "is_otherwise"),
    [
        ("nn.Dropout()", True),
        ("nn.Dropout(0.1)", True),
        ("nn.Dropout(p=1 - rate)", True),
        ("Dropout(1.0 - rate)", True),
        ("nn.Dropout(rate)", False),
        ("nn.Dropout(p=rate)", False),
        ("nn.Dropout(self.rate)", False),
        ("nn.Linear(2, 2)", False),
    ],
)
def test_dropout_that_is_made_of_another_number_is_found_with_what_it_should_be_given(
    made: str, is_otherwise: bool
) -> None:
    source = f"class A:\n    def __init__(self, d_in, rate):\n        self.layer = {made}\n"

    found = made_otherwise(ast.parse(source), "A", 1)

    assert (found is not None) == is_otherwise
    if found:
        assert (ast.unparse(found[0]), found[0].lineno, found[1]) == (made, 3, "rate")
    assert made_otherwise(ast.parse(source), "A", 5) is None


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        ("F.dropout(w)", True),
        ("F.dropout(w, 0.5)", True),
        ("torch.nn.functional.dropout(w, p=0.1, training=True)", True),
        ("F.dropout(w, 0.5, self.training)", False),
        ("F.dropout(w, self.p)", False),
        ("F.dropout(w, 0.0)", False),
        ("F.dropout(w, 0.5) if self.busy else w", False),
        ("self.dropout(w)", False),
        ("F.dropout(w, **options)", False),
    ],
)
def test_dropout_that_nothing_ends_is_found(call: str, is_found: bool) -> None:
    source = f"class A:\n    def forward(self, w):\n        return {call}\n"

    found = always_dropping(ast.parse(source), "A")

    assert (found is not None and found.lineno == 3) == is_found


@pytest.mark.parametrize(
    "source",
    [
        "def dropout(w): return F.dropout(w, 0.5)\nclass A:\n    def forward(self, w): return self.dropout(w)\n",
        "class A:\n    def forward(self, w):\n        F.dropout(w, 0.5)\n        return w\n",
        "class A:\n    def forward(self, w):\n        return F.dropout(*w)\n",
    ],
)
def test_dropout_that_is_not_called_or_let_go_is_not_meant(source: str) -> None:
    assert always_dropping(ast.parse(source), "A") is None


def test_dropout_in_a_function_that_is_called_is_found() -> None:
    source = "def drop(w):\n    return F.dropout(w, 0.5)\nclass A:\n    def forward(self, w):\n        return drop(w)\n"

    found = always_dropping(ast.parse(source), "A")
    assert found is not None
    assert (ast.unparse(found), found.lineno) == ("F.dropout(w, 0.5)", 2)


@pytest.mark.parametrize(
    ("body", "is_blended"),
    [
        ("return self.dropout(torch.softmax(s, -1) @ v)", True),
        ("w = s.softmax(-1)\n        c = w @ v\n        return self.drop(c)", True),
        ("w = s.softmax(-1)\n        return self.drop(w) @ v", False),
        ("w = self.drop(s.softmax(-1))\n        return self.drop(w @ v)", False),
        ("w = s.softmax(-1)\n        return w @ self.drop(v)", False),
        ("return self.drop(s @ v)", False),
        ("w = s.softmax(-1) @ m\n        return self.drop(w) @ v", False),
        ("w = self.drop(s.softmax(-1) @ m)\n        return w @ v", False),
    ],
)
def test_dropout_of_what_is_blended_alone_is_found(body: str, is_blended: bool) -> None:
    tree = ast.parse(f"class A:\n    def forward(self, s, v):\n        {body}\n")

    assert drops_what_is_blended(tree, "A") == is_blended
