"""The hints a student has seen are remembered in their folder, whatever else stands in that file."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from grader.model.errors import NotWritten
from grader.model.pack import Pack, Step
from grader.submission import hints


@pytest.fixture
def step(pack: Pack) -> Step:
    return pack.exercise("ex10_causal_attention").steps[1]


def test_nothing_is_shown_where_nothing_was_asked(tmp_path: Path) -> None:
    assert hints.seen(tmp_path) == {}


def test_each_asking_shows_one_more_up_to_the_last(tmp_path: Path, step: Step) -> None:
    levels = []
    for _ in range(len(step.hints) + 2):
        levels.append(hints.following(tmp_path, step))
        hints.remember(tmp_path, step, levels[-1])

    assert levels == [1, 2, 3, 4, 4, 4]
    assert hints.seen(tmp_path) == {step.id: 4}


def test_what_was_shown_is_never_forgotten(tmp_path: Path, step: Step) -> None:
    hints.remember(tmp_path, step, 3)

    hints.remember(tmp_path, step, 1)

    assert hints.seen(tmp_path) == {step.id: 3}


def test_the_steps_are_remembered_side_by_side(tmp_path: Path, pack: Pack, step: Step) -> None:
    other = pack.exercises[0].steps[0]

    hints.remember(tmp_path, step, 2)
    hints.remember(tmp_path, other, 1)

    assert hints.seen(tmp_path) == {step.id: 2, other.id: 1}


def test_hints_of_a_single_module_are_remembered_in_its_folder(tmp_path: Path, step: Step) -> None:
    module = tmp_path / "ex10_causal_attention.py"
    module.write_bytes(b"")

    hints.remember(module, step, 1)

    assert hints.seen(tmp_path) == {step.id: 1}


@pytest.mark.parametrize(
    "text",
    [b"", b"\xff\xfe\x00", b"ex10.output", b"ex10.output -1", b"ex10.output 1e3", b"ex10.output 9999",
     "ex10.output ²".encode(), b"x" * (hints.MAX_BYTES + 1)],
)  # fmt: skip
def test_lines_that_make_no_sense_are_passed_over(tmp_path: Path, text: bytes) -> None:
    (tmp_path / hints.FILE).write_bytes(text)

    assert hints.seen(tmp_path) == {}


def test_a_memory_that_is_a_link_is_not_followed(tmp_path: Path, step: Step) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(f"{step.id} 2\n", "utf-8")
    folder = tmp_path / "ada"
    folder.mkdir()
    (folder / hints.FILE).symlink_to(elsewhere)

    assert hints.seen(folder) == {}


def test_a_memory_that_is_a_link_is_not_written_through(tmp_path: Path, step: Step) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("precious\n", "utf-8")
    folder = tmp_path / "ada"
    folder.mkdir()
    (folder / hints.FILE).symlink_to(elsewhere)

    hints.remember(folder, step, 1)

    assert elsewhere.read_text("utf-8") == "precious\n"


def test_what_cannot_be_written_is_said_and_known_until_the_process_ends(tmp_path: Path, step: Step) -> None:
    (tmp_path / hints.FILE).mkdir()

    with pytest.raises(NotWritten, match="cannot be written: Is a directory") as said:
        hints.remember(tmp_path, step, 1)

    assert f"`grade hint {step.id} --in {tmp_path} --level 2` shows the next" in said.value.remedy
    assert hints.following(tmp_path, step) == 2

    (tmp_path / hints.FILE).rmdir()
    hints.remember(tmp_path, step, 2)
    (tmp_path / hints.FILE).unlink()
    assert hints.seen(tmp_path) == {}, "the file counts again"


def test_where_nothing_more_can_be_written_the_hints_that_are_noted_stay(tmp_path: Path, step: Step) -> None:
    hints.remember(tmp_path, step, 2)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))  # as a full disk
    try:
        with pytest.raises(NotWritten, match="cannot be written"):
            hints.remember(tmp_path, step, 3)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert (tmp_path / hints.FILE).read_text("utf-8") == f"{step.id} 2\n"
    assert [entry.name for entry in tmp_path.iterdir()] == [hints.FILE]
