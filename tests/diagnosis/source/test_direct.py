"""What only hands on is read as what it hands on to: style moves no statement out of sight."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.source.tree import parsed

DIRECT = """
class Attention(nn.Module):
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).T
        return scores
"""
CLASS, FORWARD = "class Attention(nn.Module):\n", "    def forward(self, x):\n"
BODY = """        scores = self.W_query(x) @ self.W_key(x).T
        return scores
"""
INNER = BODY.replace("        ", "            ")


def shown(source: str, of: str = "Attention") -> str:
    """The definition as Python writes its direct form."""
    return next(ast.unparse(each) for each in parsed(source).body if isinstance(each, ast.ClassDef) and each.name == of)


@pytest.mark.parametrize(
    "source",
    [
        f"{CLASS}{FORWARD}        return self._attend(x)\n    def _attend(self, x):\n{BODY}",
        f"{CLASS}    def _attend(self, x):\n{BODY}"
        "    def forward(self, inputs):\n        return self._attend(inputs)\n",
        f"{CLASS}    @staticmethod\n"
        f"    def attend(self, x):\n{BODY}    def forward(self, x):\n        return self.attend(self, x)\n",
        f"{CLASS}{FORWARD}        def inner():\n{INNER}        return inner()\n",
        f"{CLASS}{FORWARD}        def inner(x):\n{INNER}        return inner(x)\n",
        f"def _attend(self, x):\n{BODY}{CLASS}{FORWARD}        return _attend(self, x)\n",
        f"class Base(nn.Module):\n    def forward(self, x):\n{BODY}class Attention(Base):\n    pass\n",
        f"{CLASS}{FORWARD}        return self.attend(x)\n"
        f"    def attend(self, x):\n        return self._twice(x)\n    def _twice(self, x):\n{BODY}",
    ],
)
def test_what_only_hands_on_is_read_as_what_it_hands_on_to(source: str) -> None:
    assert shown(source) == ast.unparse(ast.parse(DIRECT))
    assert all(node.lineno for node in ast.walk(parsed(source)) if isinstance(node, ast.stmt | ast.expr))


def test_a_class_is_read_with_the_methods_of_its_mixin() -> None:
    source = f"class Attends:\n    def forward(self, x):\n{BODY}class Attention(Attends, nn.Module):\n    heads = 2\n"

    assert shown(source).endswith(shown(DIRECT).partition("\n")[2])
    assert "forward" not in shown(source, "Attends")
    assert all(node.lineno for node in ast.walk(parsed(source)) if isinstance(node, ast.stmt | ast.expr))


def test_every_statement_keeps_its_line() -> None:
    source = f"{CLASS}{FORWARD}        return self.a(x)\n    def a(self, x):\n{BODY}"

    (given,) = (node for node in ast.walk(parsed(source)) if isinstance(node, ast.Assign))

    assert source.splitlines()[given.lineno - 1].lstrip().startswith("scores")


@pytest.mark.parametrize(
    "source",
    [
        # called a second time
        f"{CLASS}{FORWARD}        return self.a(x)\n    def a(self, x):\n{BODY}"
        "    def again(self, x):\n        return self.a(x) + 1\n",
        # arguments in another order
        f"{CLASS}    def forward(self, x, y):\n        return self.a(y, x)\n    def a(self, x, y):\n{BODY}",
        # another name that stands for something there
        f"{CLASS}{FORWARD}        def inner(y):\n            return x + y\n        return inner(x)\n",
        # a generator
        f"{CLASS}{FORWARD}        return self.a(x)\n    def a(self, x):\n        yield x\n",
        # something else done there
        f"{CLASS}{FORWARD}        return self.a(x + 1)\n    def a(self, x):\n{BODY}",
        # itself
        f"{CLASS}{FORWARD}        return self.forward(x)\n",
        # decorated
        f"{CLASS}{FORWARD}        return self.a(x)\n    @scaled\n    def a(self, x):\n{BODY}",
    ],
)
def test_what_does_more_than_hand_on_stays_as_it_is(source: str) -> None:
    assert ast.unparse(parsed(source)) == ast.unparse(ast.parse(source))


def test_a_function_that_is_asked_for_itself_stays() -> None:
    source = "def softmax(x):\n    return x.softmax(-1)\ndef attention_weights(x):\n    return softmax(x)\n"

    assert ast.unparse(parsed(source)) == ast.unparse(ast.parse(source))


def test_a_class_keeps_what_it_gives_its_methods_names_itself() -> None:
    source = f"class Base:\n{FORWARD}{BODY}class Attention(Base):\n    forward = attend\n"

    assert ast.unparse(parsed(source)) == ast.unparse(ast.parse(source))


def test_what_two_classes_have_of_one_base_stays_there() -> None:
    source = f"class Base:\n{FORWARD}{BODY}class Attention(Base):\n    a = 1\nclass Other(Base):\n    a = 2\n"

    assert ast.unparse(parsed(source)) == ast.unparse(ast.parse(source))
