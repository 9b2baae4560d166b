"""Signatures, as rubrics state them and as stubs define them; nothing is ever executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.errors import PackError
from grader.model.pack import Definition, Pack
from grader.pack.stubs import definitions, parse_signature


def stub(tmp_path: Path, source: str) -> Path:
    path = tmp_path / "ex01_a.py"
    path.write_text(source, "utf-8")
    return path


def test_functions_and_constructors_are_known_by_their_arguments(tmp_path: Path) -> None:
    source = "def f(x: int, p: float = 0.5) -> int: ...\nclass C:\n    def __init__(self, d_in, bias=False): ...\n"

    found = definitions(stub(tmp_path, source))

    assert found == {
        "f": Definition("f", "(x, p=0.5)", ("x", "p"), is_class=False),
        "C": Definition("C", "(d_in, bias=False)", ("d_in", "bias"), is_class=True),
    }


def test_a_stub_is_never_executed(tmp_path: Path) -> None:
    trace = tmp_path / "trace"

    found = definitions(stub(tmp_path, f"open({str(trace)!r}, 'w')\nimport nowhere\ndef f(): ...\n"))

    assert list(found) == ["f"]
    assert not trace.exists()


def test_a_class_without_a_constructor_is_nothing_to_ask(tmp_path: Path) -> None:
    assert definitions(stub(tmp_path, "class C:\n    x = 1\n")) == {}


def test_a_stub_that_does_not_parse_is_told_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"^ex01_a\.py:2:\d+: "):
        definitions(stub(tmp_path, "x = 1\ndef f(:\n"))


def test_a_stub_in_another_encoding_is_told(tmp_path: Path) -> None:
    path = stub(tmp_path, "")
    path.write_bytes("def f(): ...".encode("utf-16"))

    with pytest.raises(PackError, match=r"^ex01_a\.py is not saved as UTF-8"):
        definitions(path)


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        ("(queries, keys)", Definition("f", "(queries, keys)", ("queries", "keys"), is_class=False)),
        ("()", Definition("f", "()", (), is_class=False)),
        ("class (d_in, bias=False)", Definition("f", "(d_in, bias=False)", ("d_in", "bias"), is_class=True)),
    ],
)
def test_a_signature_is_read_from_a_rubrics_words(text: str, definition: Definition) -> None:
    assert parse_signature("f", text) == definition


@pytest.mark.parametrize("text", ["(x", "(x=)", "(3)", "(x): pass\nimport os", "x", "(a b)"])
def test_words_that_are_no_signature_are_told(text: str) -> None:
    with pytest.raises(PackError, match="is no signature"):
        parse_signature("f", text)


def test_a_keyword_is_no_name_of_a_function() -> None:
    with pytest.raises(PackError, match="is no signature"):
        parse_signature("class", "(x)")


def test_what_the_rubrics_state_is_what_the_stubs_define(pack: Pack) -> None:
    for exercise in pack.exercises:
        assert definitions(pack.source.exercises / f"{exercise.id}.py") == exercise.definitions
