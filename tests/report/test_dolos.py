"""The zip for Dolos: every file that it names is in it, and no name or text of a student breaks its table."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.errors import NotWritten
from grader.report.dolos import COLUMNS, Own, write_dolos

HOSTILE = [
    '=HYPERLINK("x")',
    'a,b\n"c"\r\nsubmissions/x.py,eve',
    "\u202eevil",
    "x" * 5_000,
    "'",
    "Ada, Bob",
    "\ud800",
    "",
]


def opened(file: Path) -> tuple[dict[str, str], list[dict[str, str]]]:
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    return texts, list(csv.DictReader(io.StringIO(texts.pop("info.csv"), newline="")))


def test_every_student_is_a_row_and_a_file_and_the_stubs_are_ignored(tmp_path: Path) -> None:
    students = [Own("ada", "Ada L.", "x = 1\n", "2026-05-01T14:22:32-07:00", late=True), Own("bob", "Bob", "y = 'é'\n")]

    count = write_dolos(tmp_path / "d.zip", "stub\n", students)

    texts, table = opened(tmp_path / "d.zip")
    assert count == 2
    assert texts == {"stubs.py": "stub\n", "submissions/ada.py": "x = 1\n", "submissions/bob.py": "y = 'é'\n"}
    assert [list(row.values()) for row in table] == [
        ["stubs.py", "", "", "", "", "true"],
        ["submissions/ada.py", "Ada L.", "ada", "2026-05-01T14:22:32-07:00", "late", ""],
        ["submissions/bob.py", "Bob", "bob", "", "", ""],
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_breaks_the_table(tmp_path: Path, name: str) -> None:
    write_dolos(tmp_path / "d.zip", "", [Own("eve", name, f"# {name}\n"), Own("bob", "Bob", "y\n")])

    texts, table = opened(tmp_path / "d.zip")
    assert [row["filename"] for row in table] == list(texts) == ["stubs.py", "submissions/eve.py", "submissions/bob.py"]
    assert all(tuple(row) == COLUMNS and None not in row.values() for row in table)
    assert table[1]["full_name"].isprintable()
    assert not table[1]["full_name"].startswith(("=", "+", "-", "@"))
    assert [row["ignored"] for row in table] == ["true", "", ""]


def test_the_same_class_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        write_dolos(tmp_path / name, "stub\n", [Own("ada", "Ada", "x = 1\n")])

    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_zip_is_written_whole_or_the_one_before_stays(tmp_path: Path) -> None:
    def students() -> Iterator[Own]:
        yield Own("ada", "Ada", "x = 1\n")
        raise KeyboardInterrupt

    (tmp_path / "d.zip").write_bytes(b"before")

    with pytest.raises(KeyboardInterrupt):
        write_dolos(tmp_path / "d.zip", "", students())
    with pytest.raises(NotWritten, match=r"cannot be written: No such file"):
        write_dolos(tmp_path / "nowhere" / "d.zip", "", [])

    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("d.zip", b"before")]
