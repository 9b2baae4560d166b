"""What is drawn of an exercise is drawn where the window has room: below a mistake, and after a pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grader.desk.bookmark import Bookmark
from grader.desk.verdict import Drawings, verdict
from grader.model.pack import Pack
from grader.model.report import ExerciseResult, Shares, Status
from grader.report.lines import text
from tests.report.hand_made import FAILED, REPORT
from tests.report.hand_made import verdict as step

SHARES = Shares("lesson", ("scores", "scaled"), (((1.0, 0.0),), ((0.75, 0.25),)))
PASSED = step("ex05.scaled", Status.PASSED, 2, 2, shares=SHARES)
WRONG = replace(FAILED, id="ex05.scaled", shares=SHARES)


def drawn(tmp_path: Path, pack: Pack, wrong: bool, hints: int = 0) -> Drawings:
    """The page of exercise 5. hints: how many were asked for."""
    exercise = pack.exercise("ex05_scaled_scores")
    result = ExerciseResult(exercise.id, exercise.title, (WRONG if wrong else PASSED,))
    report = replace(REPORT, exercises=(result,))
    return verdict(Bookmark(tmp_path, pack, exercise), report, {WRONG.id: hints}, "It is back.", coloured=False)


def shown(tmp_path: Path, pack: Pack, wrong: bool) -> list[str]:
    """The page of exercise 5, for windows that are less and less tall."""
    versions = [[*drawing()] for drawing in drawn(tmp_path, pack, wrong).versions]
    assert sorted(map(len, versions), reverse=True) == [*map(len, versions)]
    return ["\n".join(map(text, version)) for version in versions]


def test_a_pass_is_explained_in_words_and_by_what_softmax_makes(tmp_path: Path, pack: Pack) -> None:
    first, second, *lower = shown(tmp_path, pack, wrong=False)

    assert all("softmax(scaled)" in version for version in (first, second))
    assert all("square root of d" in " ".join(version.split()) for version in (first, second, *lower))
    assert not any("softmax(scaled)" in version for version in lower)


@pytest.mark.parametrize("part", ["softmax(scaled)", "The first wrong cell is"])
def test_a_mistake_keeps_its_own_picture_longest(tmp_path: Path, pack: Pack, part: str) -> None:
    versions = shown(tmp_path, pack, wrong=True)

    has_it = [part in version for version in versions]
    assert has_it == [True, True, part == "The first wrong cell is", False, False]


def test_where_nothing_else_has_room_the_mistake_comes_first(tmp_path: Path, pack: Pack) -> None:
    drawings = drawn(tmp_path, pack, wrong=True, hints=2)

    core, asked_for = [*map(text, drawings.core())], " ".join(map(text, drawings.foot()))
    row, mistake, *_ = core
    assert WRONG.name in row
    assert "mask-discarded" in mistake
    assert not any("›" in line for line in core)  # which may be cut, and the line of code may not
    assert asked_for.strip().startswith("› 5      scores.masked_fill(mask, -torch.inf)")
    first, second, *_ = pack.exercise("ex05_scaled_scores").steps[0].hints
    assert second[:20] in asked_for
    assert first[:20] not in asked_for
    assert asked_for.endswith("It is back.")


def test_a_pass_is_explained_where_nothing_else_has_room(tmp_path: Path, pack: Pack) -> None:
    drawings = drawn(tmp_path, pack, wrong=False)

    assert "passed: Scaled" in "\n".join(map(text, drawings.core()))
