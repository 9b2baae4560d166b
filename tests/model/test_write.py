"""A file is written whole, or what cannot be written is told in a sentence."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from grader.model.errors import NotWritten
from grader.model.write import check_writable, remove, whole, write_whole


def test_where_not_even_a_half_file_can_be_removed_the_first_error_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")  # as on a read-only file system, nothing can be made below it or removed
    below = tmp_path / "file" / "below"

    with pytest.raises(NotWritten, match=r"below cannot be written: Not a directory\."):
        write_whole(below, "text")


def test_whether_a_file_can_be_written_is_seen_without_writing_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("as it was")

    check_writable(tmp_path / "file")
    check_writable(tmp_path / "new")
    with pytest.raises(NotWritten, match="below cannot be written"):
        check_writable(tmp_path / "file" / "below")

    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "as it was"


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    write_whole(pipe, "text")

    assert os.read(reader, 10) == b"text"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)
    with pytest.raises(NotWritten, match="pipe cannot be written"):  # and nobody waits for a reader
        write_whole(pipe, "text")


def test_a_device_stays_one() -> None:
    write_whole(Path("/dev/null"), "text")

    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_an_error_of_whoever_writes_leaves_no_half_file_and_is_raised_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="mine"), whole(tmp_path / "file"):
        raise ValueError("mine")

    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_removed_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()

    remove(tmp_path / "file")
    remove(tmp_path / "file")
    with pytest.raises(NotWritten, match="folder"):
        remove(tmp_path / "folder")

    assert not (tmp_path / "file").exists()
