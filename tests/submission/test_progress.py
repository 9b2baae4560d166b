"""The progress is a file that people may read, edit and merge; nothing in it is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.model.pack import Pack
from grader.submission.progress import FILE, MAX_BYTES, Progress, progress_text, read_progress


def read(folder: Path, pack: Pack, text: str) -> Progress:
    (folder / FILE).write_text(text, "utf-8")
    return read_progress(folder, pack)


def test_without_a_file_one_begins_at_the_beginning(tmp_path: Path, pack: Pack) -> None:
    progress = read_progress(tmp_path, pack)

    assert progress.current(pack) is pack.exercises[0]
    assert progress.complaint == ""


def test_what_is_written_is_what_is_read(tmp_path: Path, pack: Pack) -> None:
    passed = [exercise.id for exercise in pack.exercises[:3]]
    progress = Progress().with_passed(passed).with_failed([*passed[1:2], pack.exercises[4].id]).at(pack.exercises[5])

    again = read(tmp_path, pack, progress_text(progress, pack))

    assert again == progress
    assert again.worse == {*passed[1:2]}
    assert again.current(pack) is pack.exercises[5]


def test_lines_of_two_files_put_together_are_both(tmp_path: Path, pack: Pack) -> None:
    progress = read(tmp_path, pack, "ex01 passed\nex02 here\n\n  ex04_qkv_projections   passed\nex05 here\n")

    assert {name[:4] for name in progress.passed} == {"ex01", "ex04"}
    assert progress.current(pack).short == "ex05", "of two places the last counts"


def test_after_the_last_one_the_first_that_is_left_follows(tmp_path: Path, pack: Pack) -> None:
    progress = Progress().with_passed(exercise.id for exercise in pack.exercises[1:])

    assert progress.following(pack, pack.exercises[-1]) is pack.exercises[0]
    assert progress.with_passed([pack.exercises[0].id]).following(pack, pack.exercises[-1]) is None


def test_a_line_that_says_nothing_is_told_and_kept(tmp_path: Path, pack: Pack) -> None:
    text = "# mine\nex01 passed\nex99 passed\n\033[31m=======\n"

    progress = read(tmp_path, pack, text)

    assert progress.complaint == (
        f"{tmp_path / FILE}, line 3: 'ex99 passed' says nothing (1 more line like it); a line is like "
        "`ex01_dot_product_scores passed`. It is kept."
    )
    assert progress_text(progress, pack).splitlines() == [
        "ex01_dot_product_scores passed", "# mine", "ex99 passed", "\033[31m=======",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["bytes", "large", "folder", "pipe", "link"])
def test_what_is_no_such_file_is_said_and_never_written_over(tmp_path: Path, pack: Pack, kind: str) -> None:
    file = tmp_path / FILE
    match kind:
        case "bytes":
            file.write_bytes(b"\xff\xfe")
        case "large":
            file.write_bytes(b"#" * (MAX_BYTES + 1))
        case "folder":
            file.mkdir()
        case "pipe":
            os.mkfifo(file)
        case "link":
            file.symlink_to(tmp_path / "elsewhere")

    progress = read_progress(tmp_path, pack)

    assert not progress.is_kept
    assert progress.complaint.startswith(f"{file} ")
    assert progress.complaint.endswith("Nothing is noted until it is moved away.")
