"""What only a newer Python reads is told so, and what none reads is not."""

from __future__ import annotations

import sys

import pytest

from grader.diagnosis.slips.newer import of_fault
from grader.model.observation import Fault

NEWER = [
    ("type Scores = torch.Tensor", "3.12"),
    ("type Pair[T] = tuple[T, T]", "3.12"),
    ("def first[T](items: list[T]) -> T:", "3.12"),
    ("    async def first[T](items: list[T]) -> T:", "3.12"),
    ("class Box[T]:", "3.12"),
    ('print(f"{sizes["d_k"]}")', "3.12"),
    ("print(f'{sizes['d_k']} numbers')", "3.12"),
    ('print(f"{", ".join(names)}")', "3.12"),
    ('print(f"{x.view(b, "n")}")', "3.12"),
    ('print(t"{d_k}")', "3.14"),
]


@pytest.mark.parametrize(("text", "since"), NEWER)
def test_what_a_newer_python_reads_is_told(text: str, since: str) -> None:
    said = of_fault(Fault("syntax", "SyntaxError", "invalid syntax"), text, (3, 11))

    assert said == f"this is written as Python {since} reads it, and here it is Python 3.11: write it the older way"


@pytest.mark.parametrize(
    "text",
    [
        'sizes = {"f": {"a": 1}, "b": 2',
        'sizes = {"t": {1: 2}',
        """print("it isn't", {x}, {y}""",
        "type of" + 60_000 * " ",
    ],
)
def test_a_letter_in_a_text_makes_it_no_newer_one(text: str) -> None:
    assert of_fault(Fault("syntax", "SyntaxError", "'{' was never closed"), text, (3, 11)) == ""


def test_what_python_says_may_tell_as_well() -> None:
    slash = Fault("syntax", "SyntaxError", "f-string expression part cannot include a backslash")
    commas = Fault("syntax", "SyntaxError", "multiple exception types must be parenthesized")

    assert "Python 3.12" in of_fault(slash, r"""x = f"{'\n'.join(names)}" """, (3, 11))
    assert "Python 3.14" in of_fault(commas, "except ValueError, TypeError:", (3, 12))


@pytest.mark.parametrize(
    "text",
    [
        "def f(x:",
        "type = 1 +",
        "type(x) = 3",
        "type x == 3",
        'print(f"{x}" "y")',
        'print(f"{x" + y["z"])',
        "print(f'{x}', '{y}'",
        'print(f"{x" + y["z"]})',
        "scores[i = 3",
        "defined[T] = ",
        'format("{a}"',
    ],
)
def test_what_no_python_reads_is_not_told_so(text: str) -> None:
    assert of_fault(Fault("syntax", "SyntaxError", "invalid syntax"), text, (3, 11)) == ""


@pytest.mark.parametrize(("text", "since"), NEWER)
def test_a_python_that_is_new_enough_says_nothing(text: str, since: str) -> None:
    major, minor = map(int, since.split("."))

    assert of_fault(Fault("syntax", "SyntaxError", "invalid syntax"), text, (major, minor)) == ""
    assert of_fault(Fault("exception", "NameError", "no"), text, (3, 11)) == ""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads all of them")
@pytest.mark.parametrize("text", [text for text, since in NEWER if since == "3.12"])
def test_this_python_does_not_read_them(text: str) -> None:
    with pytest.raises(SyntaxError):
        compile(f"{text.strip()} pass" if text.endswith(":") else text, "lesson", "exec")
