"""Students' folders as they come: whatever lies there is read as bytes or told, and never followed or run."""

from __future__ import annotations

import itertools
import json
import os
import zipfile
from pathlib import Path

import pytest

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.submission.read import FOLDER, MAX_BYTES, MAX_FILES, read_submission
from grader.words import speaking

EX01, EX02 = "ex01_dot_product_scores", "ex02_softmax_weights"


def handed_in(folder: Path, **modules: bytes) -> Path:
    """A folder with these modules."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in modules.items():
        (folder / f"{name}.py").write_bytes(source)
    return folder


def test_a_folder_is_read_from_its_root(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"x = 1\n"})

    submission = read_submission(folder, pack)

    assert submission.modules == {EX01: b"x = 1\n"}
    assert (submission.id, submission.path, submission.notes) == ("ada", folder, ())


def test_a_folder_is_read_from_its_exercises(tmp_path: Path, pack: Pack) -> None:
    handed_in(tmp_path / "ada" / FOLDER, **{EX01: b"x = 1\n"})

    submission = read_submission(tmp_path / "ada", pack)

    assert submission.modules == {EX01: b"x = 1\n"}
    assert submission.id == "ada"


def test_a_module_in_both_places_is_taken_from_the_root_and_told(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"root\n"})
    handed_in(folder / FOLDER, **{EX01: b"inner\n", EX02: b"inner\n"})

    submission = read_submission(folder, pack)

    assert submission.modules == {EX01: b"root\n", EX02: b"inner\n"}
    assert submission.notes == (f"{EX01}.py stands in two places; the one in ada/ is graded",)


def test_a_folder_that_takes_too_long_to_read_is_read_in_part_its_exercises_first(
    tmp_path: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = {f"a{number:02}": b"x = 1\n" for number in range(40)}
    folder = handed_in(tmp_path / "ada", **slow)
    handed_in(folder / FOLDER, **{EX01: b"x = 1\n"})
    monkeypatch.setattr("time.thread_time", itertools.count().__next__)  # each look at it takes a second

    submission = read_submission(folder, pack)

    assert EX01 in submission.modules
    assert 10 < len(submission.modules) < 20
    (note,) = submission.notes
    assert note.startswith("what was handed in takes too long to read")


def test_archives_that_take_too_long_to_open_are_left_out_and_told(
    tmp_path: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        with zipfile.ZipFile(tmp_path / f"lab{number}.zip", "w") as packed:
            packed.writestr(f"{EX01}.py", "x = 1\n")
    monkeypatch.setattr("time.thread_time", itertools.count(step=10).__next__)  # each look at it takes ten seconds

    submission = read_submission(tmp_path, pack)

    assert set(submission.modules) == {EX01}
    left = [f"lab{number}.zip is left out, since all of it together takes too long to read." for number in (1, 2)]
    assert submission.notes == tuple(left)


def test_a_file_that_is_nearly_called_as_it_must_be_is_told_where_the_exercise_is_not_there(
    tmp_path: Path, pack: Pack
) -> None:
    names = (
        f"{EX02} (1).py",
        "Copy of ex03_context_vectors.py",
        "EX04.py",
        "ex05_scaled_scores.py.txt",
        "ex01.py",
        "todo.txt",
    )
    folder = handed_in(tmp_path / "ada", **{EX01: b"x = 1\n"})
    for name in names:
        (folder / name).write_bytes(b"")

    notes = read_submission(folder, pack).notes

    meant = (EX02, "ex03_context_vectors", "ex04_qkv_projections", "ex05_scaled_scores")
    assert notes == tuple(
        f"{name} was not graded: it has to be called {exercise}.py"
        for name, exercise in zip(names, meant, strict=False)
    )


def test_a_file_that_can_only_be_an_exercise_is_it_where_that_is_not_there_or_as_it_was(
    tmp_path: Path, pack: Pack
) -> None:
    stub = (pack.source.exercises / f"{EX02}.py").read_bytes()
    folder = handed_in(tmp_path / "ada", **{EX01: b"mine = 1\n", EX02: stub})
    named = {
        f"{EX01} (1).py": b"older\n",
        f"{EX02} (1).py": b"once\n",
        f"{EX02} (2).py": b"again\n",
        "EX04.py": b"four\n",
    }
    for name, source in named.items():
        (folder / name).write_bytes(source)

    submission = read_submission(folder, pack)

    due = {EX01: b"mine = 1\n", EX02: b"again\n", "ex04_qkv_projections": b"four\n"}
    assert submission.modules == {**due, "EX04": b"four\n"}  # which another module may import by that name
    assert submission.notes == (
        f"{EX01} (1).py was not graded, since {EX01}.py is there too",
        f"{EX02} (2).py is graded as {EX02}.py, which is the stub as it was",
        f"{EX02} (1).py was not graded: it has to be called {EX02}.py",
        "EX04.py is graded as ex04_qkv_projections.py, which is not there",
    )


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_module_that_python_does_not_read_is_read_and_told(
    encoding: str, mark: str, tmp_path: Path, pack: Pack
) -> None:
    text = "# größer\nx = 1\n"
    source = f"{mark}{text}".encode(encoding)
    handed = {EX01: source, "helpers": source, "other": text.encode()}

    submission = read_submission(handed_in(tmp_path / "ada", **handed), pack)

    assert submission.modules == dict.fromkeys(handed, text.encode())
    told = "which Python does not read; it was read here all the same: save it as UTF-8"
    assert submission.notes == (f"{EX01}.py is in UTF-16, {told}",)  # and nothing of what nobody grades


def test_a_module_that_is_not_utf_8_and_declares_nothing_else_is_told_to_be(tmp_path: Path, pack: Pack) -> None:
    source, declared = "# größer\nx = 1\n".encode("latin-1"), "# coding: latin-1\n# größer\n".encode("latin-1")

    submission = read_submission(handed_in(tmp_path / "ada", **{EX01: source, EX02: declared, "other": source}), pack)

    assert submission.modules[EX01] == source
    assert submission.notes == (f"{EX01}.py is not UTF-8 throughout, at which Python may stop: save it as UTF-8",)


@pytest.mark.parametrize("begins", [b"PK\x03\x04\x14\0", b"\xd0\xcf\x11\xe0\xa1", b"{\\rtf1\\ansi", b"%PDF-1.7"])
def test_a_document_that_is_called_a_module_is_told_to_be_one(begins: bytes, tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: begins + b" x = 1", EX02: b"x = 1\n"})

    submission = read_submission(folder, pack)

    assert submission.modules == {EX02: b"x = 1\n"}
    assert submission.unreadable[EX01].startswith(f"{EX01}.py is a document or an archive by what is in it")


def test_lines_of_ipython_are_left_out_in_another_encoding_too(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"# coding: latin-1\n!ls\ny = '\xe9'\n"})

    assert read_submission(folder, pack).modules == {EX01: "# coding: utf-8\npass\ny = 'é'\n".encode()}


def test_a_module_that_declares_what_editors_write_is_read_as_python_reads_it(tmp_path: Path, pack: Pack) -> None:
    text = "# -*- coding: {} -*-\r\ngröße = 'µ'\r\n"
    handed = {EX01: text.format("latin-1").encode("latin-1"), "helpers": text.format("cp1252").encode("cp1252")}

    submission = read_submission(handed_in(tmp_path / "ada", **handed), pack)

    assert submission.modules == dict.fromkeys(handed, text.format("utf-8").encode())


def test_a_stub_is_known_and_another_name_taken_in_that_encoding_too(tmp_path: Path, pack: Pack) -> None:
    stub = (pack.source.exercises / f"{EX01}.py").read_text("utf-8").encode("utf-16")
    folder = handed_in(tmp_path / "ada", **{EX01: stub})
    handed_in(folder / FOLDER, **{EX01: b"work\n"})
    (folder / f"{EX02} (1).py").write_bytes("y = 2\n".encode("utf-16"))

    assert read_submission(folder, pack).modules == {EX01: b"work\n", EX02: b"y = 2\n"}


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("!pip install -q torch\n%time x\ny = 'é'\n", "pass\npass\ny = 'é'\n"),
        ("x = (7\n    % 2)\r\n", "x = (7\n    % 2)\r\n"),
        ("!ls\nx = (\n", "!ls\nx = (\n"),
    ],
)
def test_a_module_that_colab_saved_is_read_without_lines_of_ipython(
    source: str, read: str, tmp_path: Path, pack: Pack
) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: source.encode()})

    assert read_submission(folder, pack).modules == {EX01: read.encode()}


def test_what_only_begins_like_it_is_left_as_it_is(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"\xff\xfe\x00"})

    assert read_submission(folder, pack).modules == {EX01: b"\xff\xfe\x00"}


def test_of_two_places_the_one_with_work_in_it_counts(tmp_path: Path, pack: Pack) -> None:
    stub = (pack.source.exercises / f"{EX01}.py").read_bytes()
    folder = handed_in(tmp_path / "ada", **{EX01: stub, EX02: b"the same\n"})
    handed_in(folder / FOLDER, **{EX01: b"work\n", EX02: b"the same\n"})

    submission = read_submission(folder, pack)

    assert submission.modules == {EX01: b"work\n", EX02: b"the same\n"}
    assert submission.notes == ()


def test_a_helper_beside_exercises_is_not_said_to_be_one(tmp_path: Path, pack: Pack) -> None:
    own = {"ex02_helpers": b"", "test_ex02": b"", "ex02_notes": b"", "plots_of_ex02": b""}
    folder = handed_in(tmp_path / "ada", **{EX01: b"x = 1\n"}, **own)

    assert read_submission(folder, pack).notes == ()
    handed_in(folder, EX02_old=b"")
    assert read_submission(folder / f"{EX01}.py", pack).notes == ()


def test_a_folder_that_cannot_be_looked_into_costs_nothing(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"x = 1\n"})
    (folder / "elsewhere").symlink_to(handed_in(tmp_path / "bob", **{EX02: b"x = 1\n"}))
    (folder / "lost+found").mkdir(0o000)

    assert read_submission(folder, pack).notes == ()


def test_an_exercise_in_a_folder_of_its_own_is_told(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"x = 1\n"})
    handed_in(folder / "week2", **{EX02: b"x = 1\n", EX01: b"old\n"})
    handed_in(folder / "stand_ins", **pack.stand_ins)

    assert read_submission(folder, pack).notes == (f"week2/{EX02}.py was not graded: put it beside the others",)


def test_a_single_module_is_read_with_those_beside_it(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"one\n", EX02: b"two\n", "extra": b"more\n"})

    submission = read_submission(folder / f"{EX02}.py", pack)

    assert submission.modules == {EX01: b"one\n", EX02: b"two\n", "extra": b"more\n"}
    assert submission.id == EX02


def test_the_students_other_modules_come_along(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"", "extra": b"y = 2\n", "__init__": b"raise\n", "not-a-name": b""})

    submission = read_submission(folder, pack)

    assert set(submission.modules) == {EX01, "extra"}


def test_bytes_that_are_no_text_are_taken_as_they_are(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"# \xff\xfe\x00 caf\xe9\n"})

    assert read_submission(folder, pack).modules[EX01] == b"# \xff\xfe\x00 caf\xe9\n"


def test_a_module_is_never_run(tmp_path: Path, pack: Pack) -> None:
    trace = tmp_path / "trace"
    folder = handed_in(tmp_path / "ada", **{EX01: f"open({str(trace)!r}, 'w')\n".encode()})

    read_submission(folder, pack)

    assert not trace.exists()


def test_a_link_is_not_followed(tmp_path: Path, pack: Pack) -> None:
    secret = tmp_path / "secret.py"
    secret.write_bytes(b"answer = 42\n")
    folder = handed_in(tmp_path / "ada", **{EX02: b""})
    (folder / f"{EX01}.py").symlink_to(secret)

    submission = read_submission(folder, pack)

    assert EX01 not in submission.modules
    assert submission.unreadable == {EX01: f"{EX01}.py is a link; hand in the file itself."}


def test_a_link_that_leads_nowhere_is_told(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada")
    (folder / f"{EX01}.py").symlink_to(tmp_path / "nowhere")

    submission = read_submission(folder, pack)

    assert submission.unreadable == {EX01: f"{EX01}.py is a link; hand in the file itself."}


def test_an_exercises_folder_that_is_a_link_is_not_followed(tmp_path: Path, pack: Pack) -> None:
    elsewhere = handed_in(tmp_path / "elsewhere", **{EX01: b"answer = 42\n"})
    folder = handed_in(tmp_path / "ada", **{EX02: b""})
    (folder / FOLDER).symlink_to(elsewhere, target_is_directory=True)

    assert set(read_submission(folder, pack).modules) == {EX02}


def test_a_single_module_that_is_a_link_is_told(tmp_path: Path, pack: Pack) -> None:
    secret = tmp_path / "secret.py"
    secret.write_bytes(b"answer = 42\n")
    folder = handed_in(tmp_path / "ada")
    (folder / f"{EX01}.py").symlink_to(secret)

    submission = read_submission(folder / f"{EX01}.py", pack)

    assert (submission.modules, set(submission.unreadable)) == ({}, {EX01})


def test_a_pipe_is_not_waited_for(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX02: b""})
    os.mkfifo(folder / f"{EX01}.py")

    assert read_submission(folder, pack).unreadable == {EX01: f"{EX01}.py is no regular file."}


def test_a_folder_that_is_called_like_a_module_is_told(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada")
    (folder / f"{EX01}.py").mkdir()

    assert read_submission(folder, pack).unreadable == {EX01: f"{EX01}.py is no regular file."}


def test_a_file_at_the_limit_is_read_and_one_byte_more_is_told(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"#" * MAX_BYTES, EX02: b"#" * (MAX_BYTES + 1)})

    submission = read_submission(folder, pack)

    assert len(submission.modules[EX01]) == MAX_BYTES
    assert submission.unreadable == {EX02: f"{EX02}.py has 1,048,577 bytes; at most 1,048,576 are read."}


def test_another_module_that_cannot_be_read_costs_nothing(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b""})
    (folder / "extra.py").symlink_to(tmp_path / "nowhere")

    submission = read_submission(folder, pack)

    assert (set(submission.modules), submission.unreadable) == ({EX01}, {})


@pytest.mark.parametrize("names", [[], ["notes.txt"], ["other.py"], ["ex99_other.py"]])
def test_a_folder_without_exercises_holds_nothing_to_grade(tmp_path: Path, pack: Pack, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).write_bytes(b"")

    with pytest.raises(NothingToGrade, match=r"holds no exercise; the modules are called ex01_.*\.py to ex13_.*\.py"):
        read_submission(tmp_path, pack)


@pytest.mark.parametrize(
    ("ada", "bob"),
    [
        (f"ada/exercises/{EX01}.py", f"bob/exercises/{EX01}.py"),
        (f"ada/{EX01}.py", f"bob/{EX02}.py"),
        (f"class/ada/{EX01}.py", f"class/bob/{EX02} (1).py"),
        ("ada.zip", "bob.zip"),
        (f"ada/{EX01}.py", "bob/work.zip"),
        ("ada/deep/er/all.ipynb", "bob/deep/er/all.ipynb"),
    ],
)
def test_a_folder_of_many_students_is_told_the_command_for_it(ada: str, bob: str, tmp_path: Path, pack: Pack) -> None:
    for name in (ada, bob):
        file = tmp_path / "a class" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")

    with pytest.raises(NothingToGrade, match=r"the work of many students: grade batch '.*a class' --out graded"):
        read_submission(tmp_path / "a class", pack)


def test_what_lies_deeper_or_in_an_archive_is_read_where_it_can_only_be_one_students(
    tmp_path: Path, pack: Pack
) -> None:
    handed_in(tmp_path / "ada/homework", **{EX01: b"x = 1\n"})
    (tmp_path / "ada/report.pdf").write_bytes(b"")
    (tmp_path / "bob").mkdir()
    with zipfile.ZipFile(tmp_path / "bob/work.zip", "w") as packed:
        packed.writestr(f"week 1/{EX02}.py", "x = 2\n")

    ada, bob = (read_submission(tmp_path / name, pack) for name in ("ada", "bob"))

    assert (ada.id, ada.modules) == ("ada", {EX01: b"x = 1\n"})
    handed_in(tmp_path / "eve/week 1", **{EX01: b"x = 1\n"})
    handed_in(tmp_path / "eve/week 2", **{EX02: b"x = 2\n"})
    assert read_submission(tmp_path / "eve", pack).modules == {EX01: b"x = 1\n", EX02: b"x = 2\n"}
    assert (bob.id, bob.modules) == ("bob", {EX02: b"x = 2\n"})


def test_a_notebook_is_read_with_the_helpers_beside_it_and_no_exercises(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"other = 1\n", "utils": b"def f(): return 1\n"})
    cell = {"cell_type": "code", "metadata": {}, "source": "from utils import f\ndef softmax(scores): return f()"}
    (folder / f"{EX01} (1).py").write_bytes(b"others = 1\n")
    (folder / f"bob_{EX01}.py").write_bytes(b"others = 1\n")
    (folder / "nb.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))

    submission = read_submission(folder / "nb.ipynb", pack)

    assert (submission.modules.keys(), submission.notes) == ({EX02, "utils"}, ())


def test_where_nothing_is_to_be_found_no_command_is_told(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "empty/folder").mkdir(parents=True)

    with pytest.raises(NothingToGrade) as told:
        read_submission(tmp_path / "empty", pack)
    assert "grade batch" not in str(told.value)


def test_a_module_of_another_name_is_nothing_to_grade(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "solution.py"
    path.write_bytes(b"")

    with pytest.raises(NothingToGrade, match=r"solution\.py is no exercise"):
        read_submission(path, pack)


def test_a_file_that_is_no_module_is_nothing_to_grade(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "essay.txt"
    path.write_bytes(b"")

    with pytest.raises(NothingToGrade, match="is no folder, Python module"):
        read_submission(path, pack)


def test_a_folder_whose_name_has_a_lines_end_is_told_in_one_line(tmp_path: Path, pack: Pack) -> None:
    folder = tmp_path / "a\n::add-mask::x"
    folder.mkdir()

    with pytest.raises(NothingToGrade) as raised:
        read_submission(folder, pack)

    assert "\n" not in str(raised.value)


def test_a_path_that_leads_nowhere_is_nothing_to_grade(tmp_path: Path, pack: Pack) -> None:
    with pytest.raises(NothingToGrade, match="There is nothing at"):
        read_submission(tmp_path / "nowhere", pack)


def test_of_a_crowd_of_files_that_are_not_taken_the_first_are_told(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada")
    for number in range(15):
        (folder / f"page{number:02}.gz").touch()

    with pytest.raises(NothingToGrade) as raised:
        read_submission(folder, pack)

    assert str(raised.value).count("is an archive of a kind that is not taken") == 10
    assert str(raised.value).endswith("zip, tar or tar.gz. 5 more files were not taken.")


def test_a_crowd_of_modules_is_cut_and_told(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"", **{f"z{i:04}": b"" for i in range(MAX_FILES)}})

    submission = read_submission(folder, pack)

    assert len(submission.modules) == MAX_FILES
    assert submission.notes == (f"ada/ holds {MAX_FILES + 1} modules; only the first {MAX_FILES} are looked at",)


def test_a_crowd_of_modules_never_hides_an_exercise(tmp_path: Path, pack: Pack) -> None:
    folder = handed_in(tmp_path / "ada", **{EX01: b"", **{f"a{i:04}": b"" for i in range(MAX_FILES)}})

    assert EX01 in read_submission(folder, pack).modules


def test_the_digest_follows_the_sources_and_nothing_else(tmp_path: Path, pack: Pack) -> None:
    first = read_submission(handed_in(tmp_path / "first", **{EX01: b"x", EX02: b"y"}), pack)
    same = read_submission(handed_in(tmp_path / "same" / FOLDER, **{EX02: b"y", EX01: b"x"}).parent, pack)
    other = read_submission(handed_in(tmp_path / "other", **{EX01: b"xy", EX02: b""}), pack)

    assert first.sha256 == same.sha256 != other.sha256


def test_a_folder_given_as_a_dot_is_called_by_its_name(
    tmp_path: Path, pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(handed_in(tmp_path / "ada", **{EX01: b""}))

    assert read_submission(Path(), pack).id == "ada"


def test_a_submission_is_the_same_whatever_language_says_what_cannot_be_read_of_it(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / f"{EX01}.py").mkdir()

    english = read_submission(tmp_path, pack)
    with speaking("de"):
        german = read_submission(tmp_path, pack)

    assert german.unreadable == {EX01: f"{EX01}.py ist keine gewöhnliche Datei."} != english.unreadable
    assert german.sha256 == english.sha256


def test_what_the_grader_lends_is_nobodys_work_however_it_was_saved(tmp_path: Path, pack: Pack) -> None:
    lent = {name: source.replace(b"\n", b"\r\n") for name, source in pack.stand_ins.items()}
    others = {name: source for name, source in lent.items() if not name.startswith("ex06")}
    name = next(iter({*lent} - {*others}))
    handed_in(tmp_path / "ada", **lent)
    handed_in(tmp_path / "bob", **lent, **{EX01: b"x = 1\n"})
    handed_in(tmp_path / "bob" / FOLDER, **{name: lent[name] + b"y = 2\n"})

    bob = read_submission(tmp_path / "bob", pack)

    assert {*bob.modules} == {EX01, name}
    assert [note.partition(", and")[0] for note in bob.notes] == [
        f"{len(others)} modules, such as {min(others)}.py, are the substitutes that the grader lends"
    ]
    with pytest.raises(NothingToGrade, match=f"{len(lent)} modules, such as .* nobody's work"):
        read_submission(tmp_path / "ada", pack)
