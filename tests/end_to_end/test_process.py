"""What the command gives as a process of its own is what tests see that run it in theirs."""

from __future__ import annotations

import re
from pathlib import Path
from unittest import mock

import pytest

from grader.runner.processes.zygote import Zygote
from tests.command import Done, Grade, grade_process

ALIKE = [
    ("run", "solutions/reference", "--exercise", "ex01", "--seed", "3"),
    pytest.param(("run", "exercises", "--exercise", "ex01", "--seed", "3", "--format", "json"), marks=pytest.mark.long),
    pytest.param(
        ("run", "fixtures/submissions/first_attempt", "--exercise", "ex10", "--seed", "3", "--lang", "de"),
        marks=pytest.mark.long,
    ),
    ("run", "nowhere"),
    ("run", "--formt", "json"),
    pytest.param(("list",), marks=pytest.mark.long),
]


@pytest.mark.parametrize("words", ALIKE, ids=" ".join)
def test_a_process_says_the_same_and_ends_the_same(words: tuple[str, ...], grade: Grade) -> None:
    assert without_times(grade_process(*words)) == without_times(grade(*words))


@pytest.mark.long
def test_a_batch_leaves_the_same_files(grade: Grade, tmp_path: Path) -> None:
    words = ("batch", "fixtures/submissions", "--exercise", "ex01", "--seed", "3")

    own, here = grade_process(*words, "--out", tmp_path / "own"), grade(*words, "--out", tmp_path / "here")

    assert own.returncode == here.returncode == 0
    assert names(tmp_path / "own") == names(tmp_path / "here")
    assert (tmp_path / "own/summary.csv").read_bytes() == (tmp_path / "here/summary.csv").read_bytes()


def test_a_command_in_this_process_starts_no_worker_of_its_own(grade: Grade) -> None:
    with mock.patch.object(Zygote, "__init__", side_effect=AssertionError("another worker")):
        done = grade("run", "solutions/reference", "--exercise", "ex01")

    assert (done.returncode, done.stderr) == (0, "")


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def without_times(done: Done) -> tuple[int, str, str]:
    """How it ended and what it said, without how long it took."""
    said = re.sub(r'[\d.]+ s$|"seconds": [\d.]+', "", done.stdout, flags=re.MULTILINE)
    return done.returncode, said, done.stderr
