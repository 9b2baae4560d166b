"""YAML without its traps: what is read is what was written, and whatever is wrong has a place."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import yaml as plain_yaml
from hypothesis import example, given
from hypothesis import strategies as st

from grader.pack.yaml import read

yaml_text = st.text(st.sampled_from("abn01.:-+_e \n\t'\"[]{}#&*!|>%@,?~<="), max_size=60) | st.text(max_size=60)
letters = st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=("Cc",))
# PyYAML takes 1e5 for a word and writes it without quotes; here it is a number, and a test of its own says so.
words = st.text(letters, max_size=20).filter(lambda word: not word[:1].isdigit())
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words.filter(bool), inner, max_size=4),
    max_leaves=10,
)


def problems(text: str) -> list[str]:
    return [str(problem) for problem in read(text, "f.yaml").problems]


def sound(text: str) -> Any:
    """The value of a document that nothing is wrong with."""
    document = read(text, "f.yaml")
    assert document.problems == []
    return document.value


@given(yaml_text)
@example("")
@example("a: \0")
@example("a: \ud800")
@example("a: [")
@example("%YAML 9.9\n---\na")
@example("a: 1\n--- \nb: 2")
@example("&a [*a]")
@example("*a")
@example("? {a: 1}\n: 2")
@example("a: 2001-01-01")
@example("a: =")
@example("<<: *a")
@example("a: 1:30")
def test_no_text_trips_the_reader(text: str) -> None:
    document = read(text, "f.yaml")

    assert all(problem.line >= 1 and problem.column >= 1 for problem in document.problems)


@pytest.mark.parametrize("number", ["1_", "1__0", "9" * 5000, "-1_"])
def test_a_number_that_python_cannot_read_is_a_problem(number: str) -> None:
    assert [line.split(": ")[0] for line in problems(f"a: {number}")] == ["f.yaml:1:4"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 900 + "]" * 900, id="900 lists"),
        pytest.param("- " * 3000 + "1", id="3,000 blocks"),
    ],
)
def test_a_deep_nest_is_a_problem(text: str) -> None:
    assert len(problems(text)) == 1


def test_a_nest_too_deep_for_the_stack_does_not_end_the_process() -> None:
    code = "from grader.pack.yaml import read; print(len(read('[' * 100_000, 'f.yaml').problems))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "1\n")


@given(documents)
def test_what_was_written_is_what_is_read(value: Any) -> None:
    text = plain_yaml.safe_dump(value, allow_unicode=True)

    assert sound(text) == value


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_arrive_as_they_were_written(number: float) -> None:
    read_back = sound(f"a: {number!r}")["a"]

    assert (type(read_back), read_back) == (type(number), number)


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("1e-5", 1e-5),
        ("1E5", 1e5),
        ("-2.5e+3", -2500.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("0", 0),
        ("-0", 0),
        ("+7", 7),
        ("1_000", 1000),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("'no'", "no"),
        ('"012"', "012"),
        ("'1e-5'", "1e-5"),
        ("y", "y"),
        ("1.2.3", "1.2.3"),
        ("0o17", "0o17"),
        ("|\n  1", "1"),
        ("٣", "٣"),
    ],
)
def test_a_plain_word_means_what_it_looks_like(word: str, value: object) -> None:
    read_back = sound(f"a: {word}")["a"]

    assert (type(read_back), read_back) == (type(value), value)


@pytest.mark.parametrize("word", ["no", "yes", "on", "off", "No", "YES", "True", "FALSE"])
def test_a_word_that_means_a_truth_value_must_be_written_out(word: str) -> None:
    meant = "true" if word.lower() in ("yes", "on", "true") else "false"

    assert problems(f"a: {word}") == [f"f.yaml:1:4: {word!r} means {meant} in YAML; write that, or quote it"]


@pytest.mark.parametrize("word", ["012", "0x1F", "0b101", "1:30", ".inf", "-.inf", ".nan", "1_0.5", "2001-01-01", "="])
def test_a_word_that_yaml_makes_into_another_number_is_a_problem(word: str) -> None:
    assert problems(f"a: {word}") == [
        f"f.yaml:1:4: {word!r} is not a plain decimal number or a word; quote it, or write it out"
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: !word 1", "1:4"),
        ("a: !!python/object/apply:os.system ['true']", "1:4"),
        ("a: 1\nb: !!python/tuple [1]", "2:4"),
        ("a: !!set {b}", "1:4"),
        ("a: !!omap [b: 1]", "1:4"),
        ("a: !!binary aGk=", "1:4"),
        ("!!python/name:os.system ''", "1:1"),
    ],
)
def test_a_tag_is_a_problem_and_never_an_object(text: str, place: str) -> None:
    assert [line.split(": ")[0] for line in problems(text)] == [f"f.yaml:{place}"]


@pytest.mark.parametrize("text", ["a: !!str 5", "a: !!float 5", "a: !!int '5'"])
def test_a_tag_of_yamls_own_is_a_problem_too(text: str) -> None:
    assert [line.split(": ")[0] for line in problems(text)] == ["f.yaml:1:4"]


def test_an_alias_is_a_problem_where_the_anchor_stands() -> None:
    assert problems("a: &shape [1, 2]\nb: *shape") == [
        "f.yaml:1:4: anchors and aliases are not used here; write it out"
    ]


def test_a_billion_laughs_are_as_many_problems_as_aliases() -> None:
    text = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))

    assert len(problems(text)) == 16


def test_a_key_that_stands_twice_is_a_problem_at_its_second_place() -> None:
    assert problems("a: 1\nb: 2\na: 3") == ["f.yaml:3:1: 'a' stands here twice"]


def test_a_key_that_is_no_word_is_a_problem() -> None:
    assert problems("[1, 2]: 3") == ["f.yaml:1:1: a key must be a word"]


def test_several_problems_are_told_at_once() -> None:
    assert [line.split(": ")[0] for line in problems("a: no\nb: 012\na: 3\nc: !x 1")] == [
        "f.yaml:1:4",
        "f.yaml:2:4",
        "f.yaml:3:1",
        "f.yaml:4:4",
    ]


def test_broken_yaml_is_told_with_its_place() -> None:
    (problem,) = problems("a:\n  - b\n c: 1\n")

    assert problem.startswith("f.yaml:3:2: not YAML: ")


def test_an_empty_file_says_that_it_is_empty() -> None:
    assert problems("# nothing\n") == ["f.yaml:1:1: the file is empty"]


def test_a_problem_deep_inside_stands_at_the_nearest_known_part() -> None:
    document = read("a:\n  b: [1, 2]\n", "f.yaml")

    assert str(document.problem(("a", "b", 1), "here")) == "f.yaml:2:10: here"
    assert str(document.problem(("a", "b", "shape", 7), "here")) == "f.yaml:2:6: here"
    assert str(document.problem(("z",), "here")) == "f.yaml:1:1: here"
