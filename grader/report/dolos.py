"""A class's sources for Dolos, which looks for similar programs: a zip with an `info.csv` that says whose each is.

Source: https://dolos.ugent.be/docs/adding-metadata.html. The stubs are in it as the one file that is `ignored`, so that
what matches it does not count.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from grader.model.write import pack, whole
from grader.report.cells import Cell, rows

COLUMNS = ("filename", "full_name", "id", "created_at", "labels", "ignored")
FOLDER, STUBS, INFO = "submissions", "stubs.py", "info.csv"
LATE = "late"


@dataclass(frozen=True, slots=True)
class Own:
    """One student's text.

    id: safe as a file's name, and unique. full_name: as the platform has it. created_at: when it was handed in, by ISO
    8601; empty where nobody knows.
    """

    id: str
    full_name: str
    text: str
    created_at: str = ""
    late: bool = False


def write_dolos(file: Path, stubs: str, students: Iterable[Own]) -> int:
    """Write the zip whole or not at all, and say how many students are in it. Raises NotWritten.

    stubs: what everybody was given. Each student is asked for and let go, one after the other.
    """
    table: list[list[Cell]] = [list(COLUMNS), [STUBS, "", "", "", "", "true"]]
    with whole(file) as written, zipfile.ZipFile(written, "w") as packed:
        pack(packed, STUBS, stubs.encode("utf-8", "replace"))
        for student in students:
            name = f"{FOLDER}/{student.id}.py"
            pack(packed, name, student.text.encode("utf-8", "replace"))
            table.append([name, student.full_name, student.id, student.created_at, LATE if student.late else "", ""])
        pack(packed, INFO, "".join(rows(table)).encode())
    return len(table) - 2
