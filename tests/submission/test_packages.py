"""Folders of modules come along where a module imports from them, wherever they were handed in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.submission.intake import recognise
from grader.submission.packages import MAX_FILES
from grader.submission.read import read_submission

from .packing import notebook, tarred, zipped

EX02, STEM = "ex02_softmax_weights.py", "ex02_softmax_weights"
IMPORTING = b"from utils.stable import softmax\n"
HANDED_IN = {
    EX02: IMPORTING,
    "utils/__init__.py": b"",
    "utils/stable.py": b"import more.deep\n",
    "utils/read me.py": b"",
    "more/deep/__init__.py": b"x = 1\n",
    "data/unused.py": b"x = 2\n",
    "exercises/utils/other.py": b"x = 3\n",
}
TAKEN = {STEM, "utils/__init__", "utils/stable", "more/deep/__init__"}


def folder(path: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def as_folder(path: Path, files: dict[str, bytes], pack: Pack) -> Submission:
    return read_submission(folder(path / "ada", files), pack)


def as_deeper_folder(path: Path, files: dict[str, bytes], pack: Pack) -> Submission:
    folder(path / "ada" / "homework", files)
    return read_submission(path / "ada", pack)


def as_module(path: Path, files: dict[str, bytes], pack: Pack) -> Submission:
    return read_submission(folder(path / "ada", files) / EX02, pack)


def as_zip(path: Path, files: dict[str, bytes], pack: Pack) -> Submission:
    (path / "ada.zip").write_bytes(zipped(files))
    return read_submission(path / "ada.zip", pack)


def as_tar_in_a_folder(path: Path, files: dict[str, bytes], pack: Pack) -> Submission:
    packed = tarred({f"homework/{name}": content for name, content in files.items()})
    return read_submission(folder(path / "ada", {"ada.tar": packed}), pack)


def as_one_of_a_class(path: Path, files: dict[str, bytes], pack: Pack) -> Submission:
    folder(path / "ada", files)
    folder(path / "ben", {EX02: b"x = 1\n"})
    handed, _ = recognise(path, pack)
    assert handed.submission is not None
    return handed.submission


@pytest.mark.parametrize(
    "handed_in", [as_folder, as_deeper_folder, as_module, as_zip, as_tar_in_a_folder, as_one_of_a_class]
)
def test_a_folder_that_is_imported_from_comes_whole_and_no_other(
    handed_in: Callable[[Path, dict[str, bytes], Pack], Submission], tmp_path: Path, pack: Pack
) -> None:
    submission = handed_in(tmp_path, HANDED_IN, pack)

    assert set(submission.modules) == TAKEN
    assert submission.notes == ()


def test_exercises_may_lie_in_a_folder_of_their_own_beside_it(tmp_path: Path, pack: Pack) -> None:
    files = {f"exercises/{EX02}": IMPORTING, "utils/stable.py": b"x = 1\n"}

    assert set(as_folder(tmp_path, files, pack).modules) == {STEM, "utils/stable"}
    assert set(as_zip(tmp_path, files, pack).modules) == {STEM, "utils/stable"}


def test_a_notebook_imports_from_a_folder_beside_it(tmp_path: Path, pack: Pack) -> None:
    book = notebook("from utils.stable import exp\ndef softmax(s):\n    return exp(s)")
    home = folder(tmp_path, {"lab.ipynb": book, "utils/stable.py": b"exp = 1\n"})

    assert set(read_submission(home / "lab.ipynb", pack).modules) == {STEM, "utils/stable"}


def test_no_link_is_followed_and_no_folder_read_without_end(tmp_path: Path, pack: Pack) -> None:
    many = {f"utils/m{number}.py": b"" for number in range(MAX_FILES + 9)}
    home = folder(tmp_path / "ada", {EX02: IMPORTING + b"import linked\n", **many})
    secret = folder(tmp_path / "secret", {"answer.py": b"x = 42\n"})
    (home / "linked").symlink_to(secret)
    (home / "utils" / "a.py").symlink_to(secret / "answer.py")
    (home / "utils" / "b").symlink_to(secret)

    modules = read_submission(home, pack).modules

    assert len(modules) == MAX_FILES
    assert b"x = 42\n" not in modules.values()


def test_of_many_folders_no_more_is_read_than_of_one(tmp_path: Path, pack: Pack) -> None:
    folders = [f"f{number}" for number in range(4)]
    many = {f"{name}/m{number}.py": b"" for name in folders for number in range(MAX_FILES // 2)}
    home = folder(tmp_path / "ada", {EX02: f"import {', '.join(reversed(folders))}\n".encode(), **many})

    assert {name.partition("/")[0] for name in read_submission(home, pack).modules} == {STEM, "f0", "f1"}


def test_no_folder_takes_an_exercises_place(tmp_path: Path, pack: Pack) -> None:
    files = {EX02: f"import {STEM}, utils\n".encode(), f"{STEM}/__init__.py": b"", f"utils/{STEM}.py": b""}

    assert set(as_folder(tmp_path, files, pack).modules) == {STEM, f"utils/{STEM}"}


def test_a_folder_may_be_called_by_letters_of_any_language(tmp_path: Path, pack: Pack) -> None:
    files = {EX02: "from übung.stabil import softmax\n".encode(), "übung/stabil.py": b""}

    assert set(as_folder(tmp_path, files, pack).modules) == {STEM, "übung/stabil"}
