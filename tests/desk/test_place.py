"""Where a student is outlives the process, and no file is ever lost for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.desk.place import Place, note_passed
from grader.model.pack import Pack
from grader.submission.progress import FILE


def test_one_goes_on_where_one_stopped(tmp_path: Path, pack: Pack) -> None:
    place = Place(tmp_path, pack)
    place.note(["ex01_dot_product_scores"])
    place.go(pack.exercises[4])

    again = Place(tmp_path, pack)

    assert again.current is pack.exercises[4]
    assert again.progress.passed == {"ex01_dot_product_scores"}
    assert again.following is pack.exercises[5]
    assert not again.is_passed


def test_what_another_wrote_meanwhile_is_kept(tmp_path: Path, pack: Pack) -> None:
    place = Place(tmp_path, pack)
    (tmp_path / FILE).write_text("ex03 passed\n# from my laptop\n", "utf-8")

    place.note(["ex01_dot_product_scores"])

    assert (tmp_path / FILE).read_text("utf-8").splitlines() == [
        "ex01_dot_product_scores passed", "ex03_context_vectors passed", "ex01_dot_product_scores here",
        "# from my laptop",
    ]  # fmt: skip


def test_a_file_that_cannot_be_read_is_left_alone_and_said(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / FILE).write_bytes(b"\xff\xfe\x00 precious")

    place = Place(tmp_path, pack)
    place.note(["ex01_dot_product_scores"])

    assert (tmp_path / FILE).read_bytes() == b"\xff\xfe\x00 precious"
    assert place.complaint == f"{tmp_path / FILE} is no text. Nothing is noted until it is moved away."
    assert place.is_passed, "for as long as the process lives"


def test_the_module_that_is_written_in_is_named(tmp_path: Path, pack: Pack) -> None:
    first = f"{pack.exercises[0].id}.py"
    inner = tmp_path / "exercises" / first
    inner.parent.mkdir()
    inner.touch()
    book, script = tmp_path / "attention.ipynb", tmp_path / "lesson.py"
    book.touch()
    script.touch()

    assert Place(tmp_path, pack).file == inner
    assert Place(inner, pack).file == inner
    assert Place(inner.parent, pack).file == inner
    assert Place(book, pack).file == book
    assert Place(script, pack).file == script


def test_no_exercise_is_written_in_the_file_of_another(tmp_path: Path, pack: Pack) -> None:
    module = tmp_path / f"{pack.exercises[4].id}.py"
    module.touch()

    place = Place(module, pack, pack.exercises[6])

    assert place.file == tmp_path / f"{pack.exercises[6].id}.py", "though nothing is there yet"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, pack: Pack) -> None:
    tmp_path.chmod(0o500)
    place = Place(tmp_path, pack)

    place.note(["ex01_dot_product_scores"])

    assert "cannot be written" in place.complaint


def test_what_a_run_passed_counts_and_moves_nobody(pack: Pack, tmp_path: Path) -> None:
    first, second = pack.exercises[:2]

    note_passed(tmp_path, pack, [first.id])

    place = Place(tmp_path, pack)
    assert place.progress.passed == {first.id}
    assert place.current is second
    place.go(first)
    note_passed(tmp_path, pack, [second.id])
    assert Place(tmp_path, pack).current is first
