"""A student's files come back as they were met, however they are kept."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from grader.submission.files import File, Files, on_disk

NAMES = st.sampled_from(["ex01.py", "ex02.py", "notes/ex01.py", "a/b/c.ipynb", "ex01.py/ex01.py"])


@given(st.lists(st.tuples(st.sampled_from(["/class/anna", "/class/ben", "/"]), NAMES)), st.booleans())
def test_files_are_given_back_in_order_with_their_names_and_places(some: list[tuple[str, str]], has_odd: bool) -> None:
    given_ = [on_disk(Path(folder, name), name) for folder, name in some]
    if has_odd:
        given_.insert(len(given_) // 2, File("typed.txt", lambda limit: b"typed"[:limit]))

    kept = Files(given_)

    assert [file.name for file in kept] == [file.name for file in given_]
    assert kept[1:] == list(kept)[1:]
    assert len(kept) == len(given_)
    assert [_place(file) for file in kept] == [_place(file) for file in given_]


def test_a_file_under_another_name_than_its_own_is_read_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / "anna_1_ex01.py").write_bytes(b"x = 1")
    (tmp_path / "ex02.py").write_bytes(b"x = 2")

    kept = Files([on_disk(tmp_path / "anna_1_ex01.py", "ex01.py"), on_disk(tmp_path / "ex02.py", "ex02.py")])

    assert [file.read(10) for file in kept] == [b"x = 1", b"x = 2"]


def test_files_of_one_folder_take_little_more_than_their_names(tmp_path: Path) -> None:
    kept = Files(on_disk(tmp_path / name, name) for name in (f"ex{number:02}.py" for number in range(13)))

    held = [getattr(kept, slot) for slot in Files.__slots__]
    assert sum(map(sys.getsizeof, (kept, *held))) < 13 * 40


def _place(file: File) -> object:
    """Where a file of this machine is read, or what reads any other."""
    folder, name = getattr(file.read, "folder", None), getattr(file.read, "name", None)
    return file.read if name is None else Path(str(folder), str(name))
