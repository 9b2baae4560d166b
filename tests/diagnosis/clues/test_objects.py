"""What an object loses, shares or is made in spite of is found with its line, and what looks like it is not."""

from __future__ import annotations

import ast

import pytest

from grader.diagnosis.clues.objects import asserts_a_tuple, kept_as_a_local, kept_for_all, prints_instead, unraised


@pytest.mark.parametrize(
    ("made", "code"),
    [
        ("W_query = nn.Linear(2, 2)", "W_query = nn.Linear(2, 2)"),
        ("self.W_query = nn.Linear(2, 2)", ""),
        ("W_query = self.W_key", ""),
        ("W_query = nn.Linear(2, 2)\n        self.all = nn.ModuleList([W_query])", ""),
    ],
)
def test_a_layer_that_is_kept_in_a_variable_of_init_alone_is_found(made: str, code: str) -> None:
    tree = ast.parse(f"class A(Module):\n    def __init__(self):\n        {made}\n")

    found = kept_as_a_local(tree, "A", "W_query.weight")

    assert (found and (ast.unparse(found[0]), found[0].lineno, found[1])) == ((code, 3, "W_query") if code else None)


def test_heads_that_are_kept_in_a_variable_of_init_alone_are_found() -> None:
    tree = ast.parse("class A(Module):\n    def __init__(self):\n        heads = [Head() for _ in range(2)]\n")

    found = kept_as_a_local(tree, "A", "heads.0.W_query.weight")

    assert found is not None
    assert (ast.unparse(found[0]), found[0].lineno, found[1]) == ("heads = [Head() for _ in range(2)]", 3, "heads")


@pytest.mark.parametrize(
    ("test", "is_found"), [("(d % h == 0, 'no')", True), ("d % h == 0, 'no'", False), ("(d % h == 0)", False)]
)
def test_an_assert_of_a_tuple_is_found(test: str, is_found: bool) -> None:
    found = asserts_a_tuple(ast.parse(f"class A:\n    def __init__(self, d, h):\n        assert {test}\n"), "A")

    assert (found is not None and found.lineno == 3) == is_found


@pytest.mark.parametrize(
    ("line", "is_for_all"),
    [
        ("global width", True),
        ("A.width = 2", True),
        ("type(self).width = 2", True),
        ("self.__class__.width = 2", True),
        ("self.width = A.width", False),
        ("other.width = type(self)", False),
        ("KEPT['width'] = 2", True),
        ("kept['width'] = 2", False),
    ],
)
def test_what_a_class_keeps_for_all_its_modules_is_found(line: str, is_for_all: bool) -> None:
    source = f"class A:\n    def __init__(self):\n        global n\n        n = type(self).made = 1\n        {line}\n"
    source += "    def forward(self, x):\n        return x / self.width / width / KEPT['width']\nKEPT = {}\n"

    found = kept_for_all(ast.parse(source), "A")

    assert (found.lineno if found else 0) == (5 if is_for_all else 0)


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("print('no')", True),
        ("print('no')\n            return", True),
        ("print('no')\n            raise ValueError", False),
        ("self.d = d", False),
    ],
)
def test_a_print_in_place_of_an_exception_is_found(body: str, is_found: bool) -> None:
    source = f"class A:\n    def __init__(self, d, h):\n        if d % h:\n            {body}\n"

    found = prints_instead(ast.parse(source), "A")

    assert (found is not None and found.lineno == 4) is is_found


@pytest.mark.parametrize(
    ("body", "due"),
    [
        ("return ValueError('no')", "raise ValueError(…)"),
        ("ValueError('no')", "raise ValueError(…)"),
        ("WidthError(d, h)", "raise WidthError(…)"),
        ("raise ValueError('no')", ""),
        ("check(d, h)", ""),
        ("checkError(d, h)", ""),
        ("return None", ""),
    ],
)
def test_an_exception_that_is_made_and_not_raised_is_told(body: str, due: str) -> None:
    source = f"class A:\n    def __init__(self, d, h):\n        if d % h:\n            {body}\n"

    found = unraised(ast.parse(source), "A")

    assert found == ((f"`{body}` makes an exception and does not raise it: write `{due}`", 4) if due else None)
