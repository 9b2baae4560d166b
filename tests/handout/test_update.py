"""An update brings the kit's new files, leaves a student's work alone, and loses nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.handout.contents import LIST, contents, handed_out, write
from grader.handout.update import Updated, said, update
from grader.model.errors import NotWritten, UsageError
from grader.model.pack import Pack
from grader.pack.outline import chosen

EX01, EX02, EX03 = (
    f"exercises/{name}.py" for name in ("ex01_dot_product_scores", "ex02_softmax_weights", "ex03_context_vectors")
)
OLD = "raise NotImplementedError  # as an older kit had it\n"
WORK = "def mine(): ...\n"
ENGINE = "grader/model/text.py"


def brought(folder: Path, pack: Pack) -> Updated:
    return update(folder, pack, lambda: None)


def as_if_given(folder: Path, files: Mapping[str, str]) -> None:
    """Have the list say that these texts were handed out, and put them there."""
    known = json.loads((folder / LIST).read_text())
    for name, text in files.items():
        (folder / name).write_text(text)
        known["files"][name] = hashlib.sha256(text.encode()).hexdigest()
    (folder / LIST).write_text(json.dumps({**known, "kit": "0.1.9"}))


def everything(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_workspace_that_is_up_to_date_stays_as_it_is(workspace: Path, pack: Pack) -> None:
    before = everything(workspace)

    done = brought(workspace, pack)

    assert everything(workspace) == before
    assert list(said(done)) == ["everything else is up to date already"]


def test_untouched_stubs_are_renewed_and_work_stays_to_the_byte(workspace: Path, pack: Pack) -> None:
    as_if_given(workspace, {EX02: OLD})
    (workspace / EX01).write_bytes(b"mine\r\n\xff")

    done = brought(workspace, pack)

    assert (workspace / EX01).read_bytes() == b"mine\r\n\xff"
    assert (workspace / EX02).read_bytes() == contents(pack)[EX02].read_bytes()
    assert (done.kept, done.beside, done.renewed, done.version) == ([EX01], [], 1, "0.1.9")


def test_work_on_a_stub_that_has_changed_stays_with_the_new_one_beside_it(workspace: Path, pack: Pack) -> None:
    as_if_given(workspace, {EX03: OLD})
    (workspace / EX03).write_text(WORK)

    sentences = " ".join(said(brought(workspace, pack)))

    assert (workspace / EX03).read_text() == WORK
    assert (workspace / f"{EX03}.new").read_bytes() == contents(pack)[EX03].read_bytes()
    assert "ex03_context_vectors.py is yours and stays" in sentences


def test_a_workspace_of_chosen_exercises_stays_one_of_these(pack: Pack, tmp_path: Path) -> None:
    folder = tmp_path / "chosen"
    write(pack, folder, pack.exercises[:2])
    as_if_given(folder, {EX02: OLD})

    done = brought(folder, pack)

    assert (done.renewed, done.added, done.removed) == (1, [], 0)
    assert chosen(folder / "exercises") == {exercise.id for exercise in pack.exercises[:2]}
    assert not (folder / EX03).exists()


def test_what_was_changed_in_files_of_ours_is_put_aside(workspace: Path, pack: Pack) -> None:
    (workspace / ENGINE).write_text("first\n")
    brought(workspace, pack)
    (workspace / ENGINE).write_text("second\n")

    done = brought(workspace, pack)

    assert (workspace / "before-update" / ENGINE).read_text() == "first\n"
    assert (workspace / "before-update-2" / ENGINE).read_text() == "second\n"
    assert (workspace / ENGINE).read_bytes() == contents(pack)[ENGINE].read_bytes()
    assert f"{ENGINE} had changes of your own: they are in before-update-2/{ENGINE}" in said(done)


def test_what_the_kit_has_no_more_goes_unless_it_was_changed_and_what_is_the_students_stays(
    workspace: Path, pack: Pack
) -> None:
    as_if_given(workspace, {"grader/gone.py": "old\n", "grader/changed.py": "old\n"})
    (workspace / "grader/changed.py").write_text("mine\n")
    (workspace / "exercises/notes.ipynb").write_text("{}")
    (workspace / EX01).unlink()

    done = brought(workspace, pack)

    assert not (workspace / "grader/gone.py").exists()
    assert (workspace / "grader/changed.py").read_text() == "mine\n"
    assert (workspace / "exercises/notes.ipynb").read_text() == "{}"
    assert done.added == [EX01]


def test_one_that_stopped_half_way_can_be_done_again(workspace: Path, pack: Pack) -> None:
    as_if_given(workspace, {EX02: OLD, ENGINE: "old\n"})
    (workspace / EX01).write_text(WORK)
    (workspace / EX02).write_bytes(contents(pack)[EX02].read_bytes())  # as far as the first one came

    done = brought(workspace, pack)

    assert (done.kept, done.beside, done.aside, done.renewed) == ([EX01], [], {}, 1)
    assert brought(workspace, pack).renewed == 0


def test_a_workspace_without_a_list_is_known_by_its_fixtures_and_loses_nothing(workspace: Path, pack: Pack) -> None:
    (workspace / LIST).unlink()
    (workspace / EX01).write_text(WORK)
    (workspace / ENGINE).write_text("an older kit's\n")

    brought(workspace, pack)

    assert (workspace / EX01).read_text() == WORK
    assert (workspace / "before-update" / ENGINE).read_text() == "an older kit's\n"
    assert set(handed_out(workspace).files) == set(contents(pack))


def test_a_list_that_leads_elsewhere_removes_nothing_there(workspace: Path, pack: Pack) -> None:
    outside = workspace.parent / "outside.txt"
    as_if_given(workspace, {"../outside.txt": "not ours\n"})

    brought(workspace, pack)

    assert outside.read_text() == "not ours\n"


@pytest.mark.parametrize("content", ["", "[]", '{"files": 3}', '{"files": {"Makefile": 3}}'])
def test_a_list_that_makes_no_sense_costs_nobody_their_work(content: str, workspace: Path, pack: Pack) -> None:
    (workspace / LIST).write_text(content)
    (workspace / EX01).write_text(WORK)

    brought(workspace, pack)

    assert (workspace / EX01).read_text() == WORK


def test_what_is_no_workspace_a_clone_and_the_kit_itself_are_left_alone(
    workspace: Path, pack: Pack, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="is no workspace"):
        brought(tmp_path, pack)
    with pytest.raises(UsageError, match="clone of the kit"):
        brought(pack.source.exercises.parent, pack)
    (tmp_path / "linked").symlink_to(workspace)
    with pytest.raises(UsageError, match="is a link"):
        brought(tmp_path / "linked", pack)


def test_what_cannot_be_read_is_no_file_that_is_missing(workspace: Path, pack: Pack) -> None:
    (workspace / EX01).unlink()
    (workspace / EX01).mkdir()  # as unreadable as a file of somebody else's, to root as well
    (workspace / EX01 / "mine.txt").write_text("mine")

    with pytest.raises(NotWritten, match="ex01"):
        brought(workspace, pack)

    assert (workspace / EX01 / "mine.txt").read_text() == "mine"


def test_of_a_workspace_without_a_list_nobody_is_told_of_changes_that_nobody_made(workspace: Path, pack: Pack) -> None:
    (workspace / LIST).unlink()
    (workspace / ENGINE).write_text("the former kit's\n")

    sentences = list(said(brought(workspace, pack)))

    assert not any("changes of your own: they" in sentence for sentence in sentences)
    assert [sentence for sentence in sentences if "is in before-update/" in sentence]


def test_a_file_that_is_called_like_half_of_one_of_ours_stays(workspace: Path, pack: Pack) -> None:
    as_if_given(workspace, {EX02: OLD})
    half = (workspace / EX02).with_name(".ex02_softmax_weights.py.half")
    half.write_text("mine")

    brought(workspace, pack)

    assert half.read_text() == "mine"
    assert (workspace / EX02).read_bytes() == contents(pack)[EX02].read_bytes()
