"""What is noted besides has its line where the source has one, and none that is marked already."""

from __future__ import annotations

import pytest

from grader.diagnosis.also_wrong import at_another_rate, besides, line_of_dropout, places_of
from grader.diagnosis.source.joined import Joined
from grader.diagnosis.source.tree import parsed
from grader.words import say

SOURCE = """def f(w, p):
    torch.manual_seed(0)
    keep = torch.rand(w.shape) < p
    left = w * keep
    return left / p
"""
JOINED = Joined(SOURCE, SOURCE)
TREE = parsed(SOURCE)
EXCHANGED, TOGETHER = say("check.share-exchanged", share="70%", rate="30%"), say("check.dropped-together")
SCALED = say("check.scaled-otherwise", factor="3.333", due="1.429")
BOTH = say("check.share-kept-and-scaled", share="70%", rate="30%")
SEEDED = say("check.same-each-time")


@pytest.mark.parametrize(
    ("said", "told", "line"),
    [(TOGETHER, 5, 3), (TOGETHER, 3, 0), (EXCHANGED, 0, 3), (SCALED, 3, 5), (SEEDED, 3, 2), ("whatever else", 3, 0)],
)
def test_what_else_is_wrong_is_noted_with_the_line_that_decides_it(said: str, told: int, line: int) -> None:
    (note,) = besides([said], TREE, "f", JOINED, {told})

    begins = f"line {line} is not right either: " if line else "besides: "
    assert note == f"{begins}{said}"


def test_what_is_only_counted_or_printed_is_not_told_to_be_wrong() -> None:
    counted = SOURCE.replace(
        "    return left / p\n",
        "    left = left * 3\n    print(keep.sum() / keep.numel())\n    share = w.mean() / 2\n    return left\n",
    )

    (note,) = besides([SCALED], parsed(counted), "f", Joined(counted, counted), {3})

    assert note == f"besides: {SCALED}"


def test_the_line_of_another_file_is_said_to_be_there() -> None:
    (note,) = besides([TOGETHER], TREE, "f", Joined("", SOURCE, (("helpers.py", 1),)), ())

    assert note.startswith("line 2 of `helpers.py` is not right either: ")


@pytest.mark.parametrize(
    ("summary", "told", "lines"),
    [(EXCHANGED, {5}, [3]), (EXCHANGED, {3, 5}, []), (BOTH, {3}, [5]), (SCALED, {5}, []), ("other", {0}, [])],
)
def test_what_a_summary_speaks_of_is_placed_where_something_else_is_marked(
    summary: str, told: set[int], lines: list[int]
) -> None:
    notes = places_of(summary, TREE, "f", JOINED, told)

    assert [int(note.rpartition(" ")[2]) for note in notes] == lines


@pytest.mark.parametrize(
    ("summary", "is_class", "line"),
    [(EXCHANGED, False, 3), (EXCHANGED, True, 3), (SCALED, False, 0), (SCALED, True, 5)],
)
def test_a_summary_on_draws_has_its_line_and_on_survivors_that_of_a_class(
    summary: str, is_class: bool, line: int
) -> None:
    assert line_of_dropout(summary, TREE, "f", is_class=is_class) == line


@pytest.mark.parametrize(("body", "line"), [("x = self.drop(x)", 3), ("x = self.drop(x) + self.drop(y)", 0), ("", 0)])
def test_where_something_else_than_the_weights_is_dropped_the_one_call_is_the_line(body: str, line: int) -> None:
    tree = parsed(f"class A:\n    def forward(self, x):\n        {body}\n        return x\n")

    assert line_of_dropout(say("check.neither-dropped-nor-scaled"), tree, "A", is_class=True) == line


def test_another_rate_is_not_noted_in_a_line_that_is_marked() -> None:
    assert at_another_rate(("too much", 3), JOINED, {3, 5}) == ()
    assert at_another_rate(("too much", 3), JOINED, {5}) == ("line 3 is not right either: too much",)
