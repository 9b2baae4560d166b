"""A whole course in a folder fresh from `grade init`, wrong once in each exercise, ends at 100 and is in the docs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from docs.tour import LESSONS, PAGE, Course, Seen, page
from grader.pack.load import load_pack
from grader.plugins.registry import Plugins
from tests.once import once

pytestmark = pytest.mark.skipif(
    shutil.which("tmux") is None and not os.environ.get("REQUIRE_TMUX"), reason="there is no tmux here"
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Seen], str]:
    taken: tuple[list[Seen], str] = once(tmp_path_factory, "tour", lambda folder: Course(folder).taken())
    return taken


def test_every_exercise_of_the_pack_is_taken() -> None:
    plugins = Plugins()

    assert [lesson.exercise for lesson in LESSONS] == [
        each.id for each in load_pack(plugins.pack(), plugins.checks).exercises
    ]


@pytest.mark.long
def test_each_mistake_is_named_at_a_line_and_each_mended_exercise_passes(course: tuple[list[Seen], str]) -> None:
    seen, end = course

    for each in seen:
        assert f"{each.lesson.named}:" in each.mistaken
        assert f"{each.lesson.exercise}.py:" in each.mistaken
        assert "passed: " in each.passed
    assert "100 / 100" in end


@pytest.mark.long
def test_the_page_shows_what_a_student_sees_today(course: tuple[list[Seen], str]) -> None:
    assert page(*course) == Path(PAGE).read_text("utf-8")
