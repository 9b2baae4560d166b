"""Where a student is outlives the process, and no file is ever lost for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.desk.bookmark import Bookmark, note_results
from grader.model.pack import Pack
from grader.model.report import ExerciseResult, Status
from grader.submission.progress import FILE
from tests.report.hand_made import verdict


def result(exercise: str, *, is_full: bool = True) -> ExerciseResult:
    status = Status.PASSED if is_full else Status.FAILED
    return ExerciseResult(exercise, "Scores", (verdict(f"{exercise[:4]}.query", status, float(is_full), 1),))


def test_one_goes_on_where_one_stopped(tmp_path: Path, pack: Pack) -> None:
    bookmark = Bookmark(tmp_path, pack)
    bookmark.note([result("ex01_dot_product_scores")])
    bookmark.go(pack.exercises[4])

    again = Bookmark(tmp_path, pack)

    assert again.current is pack.exercises[4]
    assert again.progress.passed == {"ex01_dot_product_scores"}
    assert again.following is pack.exercises[5]
    assert not again.is_passed


def test_what_another_wrote_meanwhile_is_kept(tmp_path: Path, pack: Pack) -> None:
    bookmark = Bookmark(tmp_path, pack)
    (tmp_path / FILE).write_text("ex03 passed\n# from my laptop\n", "utf-8")

    bookmark.note([result("ex01_dot_product_scores")])

    assert (tmp_path / FILE).read_text("utf-8").splitlines() == [
        "ex01_dot_product_scores passed", "ex03_context_vectors passed", "ex01_dot_product_scores here",
        "# from my laptop",
    ]  # fmt: skip


def test_a_file_that_cannot_be_read_is_left_alone_and_said(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00 precious")

    bookmark = Bookmark(tmp_path, pack)
    bookmark.note([result("ex01_dot_product_scores")])

    assert (tmp_path / FILE).read_bytes() == b"\xff\xfe\x00 precious"
    assert bookmark.complaint == f"{tmp_path / FILE} is no text. Nothing is noted until it is moved away."
    assert bookmark.is_passed, "for as long as the process lives"


def test_the_module_that_is_written_in_is_named(tmp_path: Path, pack: Pack) -> None:
    first = f"{pack.exercises[0].id}.py"
    inner = tmp_path / "exercises" / first
    inner.parent.mkdir()
    inner.touch()
    book, script = tmp_path / "attention.ipynb", tmp_path / "lesson.py"
    book.touch()
    script.touch()

    assert Bookmark(tmp_path, pack).file == inner
    assert Bookmark(inner, pack).file == inner
    assert Bookmark(inner.parent, pack).file == inner
    assert Bookmark(book, pack).file == book
    assert Bookmark(script, pack).file == script


def test_no_exercise_is_written_in_the_file_of_another(tmp_path: Path, pack: Pack) -> None:
    module = tmp_path / f"{pack.exercises[4].id}.py"
    module.touch()

    bookmark = Bookmark(module, pack, pack.exercises[6])

    assert bookmark.file == tmp_path / f"{pack.exercises[6].id}.py", "though nothing is there yet"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, pack: Pack) -> None:
    tmp_path.chmod(0o500)
    bookmark = Bookmark(tmp_path, pack)

    bookmark.note([result("ex01_dot_product_scores")])

    assert "cannot be written" in bookmark.complaint


def test_what_a_run_passed_counts_and_moves_nobody(pack: Pack, tmp_path: Path) -> None:
    first, second = pack.exercises[:2]

    note_results(tmp_path, pack, [result(first.id)])

    bookmark = Bookmark(tmp_path, pack)
    assert bookmark.progress.passed == {first.id}
    assert bookmark.current is second
    bookmark.go(first)
    note_results(tmp_path, pack, [result(second.id)])
    assert Bookmark(tmp_path, pack).current is first


def test_what_a_run_found_worse_is_seen_at_the_desk_until_it_is_right_again(pack: Pack, tmp_path: Path) -> None:
    first, second = pack.exercises[:2]
    bookmark = Bookmark(tmp_path, pack)
    bookmark.note([result(first.id), result(second.id, is_full=False)])
    assert (bookmark.progress.passed, bookmark.progress.worse) == ({first.id}, set())

    note_results(tmp_path, pack, [result(first.id, is_full=False)])
    bookmark.note([])

    assert (bookmark.progress.passed, bookmark.progress.worse) == ({first.id}, {first.id})
    assert Bookmark(tmp_path, pack).progress.worse == {first.id}
    assert f"{first.id} passed\n{first.id} worse\n" in (tmp_path / FILE).read_text("utf-8")

    note_results(tmp_path, pack, [result(first.id)])
    bookmark.note([])

    assert (bookmark.progress.passed, bookmark.progress.worse) == ({first.id}, set())
