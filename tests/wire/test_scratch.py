"""A scratch folder can be removed whatever a submission made of it, and nothing else is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.wire.scratch import remove


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to be removed, in one that is to be empty afterwards."""
    made = tmp_path / "around" / "scratch"
    made.mkdir(parents=True)
    return made


def is_clean(folder: Path) -> bool:
    return list(folder.parent.iterdir()) == []


def test_files_and_folders_go(folder: Path) -> None:
    (folder / "a/b").mkdir(parents=True)
    for name in ("one", "a/two", "a/b/three"):
        (folder / name).write_text(name, "utf-8")
    os.mkfifo(folder / "pipe")

    remove(folder)

    assert is_clean(folder)


@pytest.mark.no_cover
def test_ten_thousand_files_go(folder: Path) -> None:
    for number in range(10_000):
        (folder / str(number)).touch()

    remove(folder)

    assert is_clean(folder)


@pytest.mark.long
def test_a_tree_goes_that_is_deeper_than_any_path_is_long(folder: Path) -> None:
    current = os.open(folder, os.O_DIRECTORY)
    for _ in range(5_000):
        os.mkdir("deeper", dir_fd=current)
        below = os.open("deeper", os.O_DIRECTORY, dir_fd=current)
        os.close(current)
        current = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=current))
    os.close(current)

    remove(folder)

    assert is_clean(folder)


def test_folders_go_that_nobody_may_enter(folder: Path) -> None:
    inner = folder / "a/b"
    inner.mkdir(parents=True)
    (inner / "file").touch(0o000)
    for closed in (inner, inner.parent, folder):
        closed.chmod(0)

    remove(folder)

    assert is_clean(folder)


@pytest.mark.parametrize("name", ["\n", "\udcff\udcfe", "-rf", "x" * 255], ids=["newline", "no text", "option", "long"])
def test_names_of_any_kind_go(folder: Path, name: str) -> None:
    (folder / name).mkdir()
    (folder / name / name).touch()

    remove(folder)

    assert is_clean(folder)


def test_no_link_is_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").write_text("kept", "utf-8")
    (tmp_path / "kept").chmod(0o500)
    (folder / "to a folder").symlink_to(tmp_path / "kept")
    (folder / "to a file").symlink_to(tmp_path / "kept/file")
    (folder / "to nothing").symlink_to(tmp_path / "nowhere")
    (folder / "to itself").symlink_to(folder)

    remove(folder)

    assert is_clean(folder)
    assert (tmp_path / "kept/file").read_text("utf-8") == "kept"
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o500


def test_a_link_in_the_folders_place_goes_and_what_it_leads_to_stays(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").write_text("kept", "utf-8")
    folder.rmdir()
    folder.symlink_to(tmp_path / "kept")

    remove(folder)

    assert is_clean(folder)
    assert (tmp_path / "kept/file").read_text("utf-8") == "kept"


def test_a_folder_that_stands_in_the_way_changes_nothing(folder: Path) -> None:
    (folder / "a/b").mkdir(parents=True)
    for number in range(1, 4):
        (folder.parent / f"{folder.name}.{number}" / "full").mkdir(parents=True)

    remove(folder)

    assert not folder.exists()
    assert len(list(folder.parent.iterdir())) == 3


def test_a_folder_that_is_not_there_is_no_failure(tmp_path: Path) -> None:
    remove(tmp_path / "nowhere")
