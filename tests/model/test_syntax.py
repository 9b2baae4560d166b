"""Source is parsed by one thread at a time, and nothing is said of it."""

from __future__ import annotations

import ast
import gc
import sys
import time
import warnings
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from grader.model import syntax

SOURCE = Path(__file__).read_text("utf-8") * 4


class Yielding:
    """Part of a cycle; where Python removes it, perhaps amid a tree, another thread takes over."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        time.sleep(0)


@pytest.fixture
def _restless() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.no_cover
@pytest.mark.usefixtures("_restless")
def test_threads_that_parse_at_once_do_not_disturb_one_another() -> None:
    def parsed(_: int) -> str:
        for _ in range(20):
            Yielding()
        return type(syntax.parse(SOURCE)).__name__

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(parsed, range(50))) == {"Module"}


def test_what_python_would_warn_of_is_not_said() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert syntax.parse_if_python("pattern = '\\d'") is not None
        assert syntax.table("pattern = '\\d'", "cell").get_identifiers()
        with pytest.raises(SyntaxWarning, match="left as it was"):
            warnings.warn("left as it was", SyntaxWarning, stacklevel=1)


@pytest.mark.parametrize(
    "source",
    ["def", "a\0b", f"{'(' * 5_000}{')' * 5_000}", f"{'-' * 50_000}1", "#" * (syntax.LONGEST_SOURCE + 1)],
    ids=["no Python", "a zero byte", "nested", "nested too deeply for a tree", "too long"],
)
def test_what_is_no_python_gives_no_tree(source: str) -> None:
    assert syntax.parse_if_python(source) is None


def test_an_error_says_where_it_is() -> None:
    with pytest.raises(SyntaxError) as raised:
        syntax.parse("x = 1\ny = (", "stub.py")

    assert (raised.value.filename, raised.value.lineno) == ("stub.py", 2)
    assert isinstance(syntax.parse("x = 1").body[0], ast.Assign)


@pytest.mark.parametrize("part", [".b", "[0]", "()", " + 1"])
def test_what_is_nested_deeper_than_anybody_writes_is_no_tree(part: str) -> None:
    assert syntax.parse_if_python(f"x = a{part * 90}") is not None
    assert syntax.parse_if_python(f"x = a{part * 200}") is None


def test_a_number_longer_than_anybody_needs_is_no_tree() -> None:
    assert syntax.parse_if_python(f"x = -{10**300} + 0x{'f' * 200}") is not None
    assert syntax.parse_if_python(f"x = [0x{'f' * 5_000}]") is None  # which nothing could write out again


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("part", "few", "many"),
    [("q, k = q + k, k\n", 900, 3_000), (f"q = {'-' * 80}k\n", 20, 700)],
    ids=["one after another", "one in another"],
)
def test_what_is_fuller_than_anybody_writes_is_no_tree(part: str, few: int, many: int) -> None:
    assert syntax.parse_if_python(part * few) is not None
    assert syntax.parse_if_python(part * many) is None


def test_a_tree_is_walked_as_python_walks_it_and_what_was_walked_goes_with_it() -> None:
    tree = syntax.parse(SOURCE)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))

    for each in (tree, function, tree, function):
        assert syntax.walk(each) == tuple(ast.walk(each))
    gone = [weakref.ref(each) for each in (tree, function)]
    del tree, function, each
    gc.collect()
    assert [each() for each in gone] == [None, None]


@pytest.mark.parametrize(("source", "name"), [("a", "a"), ("a.b.c", "a.b.c"), ("f().b", ""), ("a[0].b", ""), ("1", "")])
def test_a_name_is_told_with_its_dots_and_of_anything_else_nothing(source: str, name: str) -> None:
    assert syntax.dotted(ast.parse(source, mode="eval").body) == name


def test_what_a_function_reads_stores_and_takes_is_told_with_what_is_in_it() -> None:
    (function,) = ast.parse("def f(a, /, b, *, c):\n    d = a + b.x\n    return lambda e: d").body

    assert isinstance(function, ast.FunctionDef)
    assert syntax.read_in(function) == {"a", "b", "d"}
    assert syntax.stored_in(function) == {"d"}
    assert syntax.arguments_in(function) == {"a", "b", "c", "e"}
    assert syntax.positional(function) == ["a", "b"]


@pytest.mark.parametrize(
    ("call", "name"), [("x.triu(1)", "triu"), ("torch.triu(x)", "triu"), ("triu(x)", "triu"), ("f()(x)", "")]
)
def test_a_call_has_the_name_of_its_method_or_function(call: str, name: str) -> None:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)

    assert syntax.called_in(node) == name
