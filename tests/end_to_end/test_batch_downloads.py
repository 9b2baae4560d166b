"""`grade batch` on the download of each platform: everybody is graded, as who they are, on the work that counts."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.command import Grade
from tests.sampling import every_time
from tests.submission.downloads import EVERY, Found
from tests.submission.packing import zipped

from .test_batch import rows_of

OPTIONS = ("--exercise", "ex01", "--device", "cpu", "--seed", "1", "--jobs", "1", "--allow-unsandboxed")


def cell(text: str) -> str:
    """A name as a spreadsheet may have it."""
    return f"'{text}" if text.startswith("=") else text


def column(file: Path, heading: str) -> list[str]:
    """The cells of a column; none where there is no such."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [row[heading] for row in csv.DictReader(lines) if heading in row]


def said_of(expected: Found, report: dict[str, object]) -> bool:
    """Whether a report speaks of the work that counts, or says why there is none."""
    words = expected.refused or f"RuntimeError: {expected.word}"
    return words in json.dumps(report, ensure_ascii=False)


@pytest.mark.parametrize("name", every_time(["canvas", "moodle"], [name for name in EVERY if name != "moodle_flat"]))
def test_everybody_is_graded_as_who_they_are_on_the_work_that_counts(name: str, grade: Grade, tmp_path: Path) -> None:
    download, out = EVERY[name](), tmp_path / "out"
    (tmp_path / "download.zip").write_bytes(zipped(download.members))

    books = [f"--gradebook={platform}={tmp_path / platform}.csv" for platform in ("canvas", "moodle")]

    done = grade("batch", tmp_path / "download.zip", "--out", out, *OPTIONS, *books)

    assert done.returncode == 0, done.stderr
    with (out / "summary.csv").open(encoding="utf-8", newline="") as lines:
        summary = {row["id"]: row for row in csv.DictReader(lines)}
    stored = {row["id"]: row for row in rows_of(out)}
    assert list(stored) == list(summary) == sorted(each.id for each in download.students)
    for each in download.students:
        row, line = stored[each.id], summary[each.id]
        assert (row["name"], row["user_id"], row["email"]) == (each.name, each.user_id, each.email)
        assert (line["name"], line["user id"], line["e-mail"]) == (cell(each.name), each.user_id, each.email)
        assert (bool(row["late"]), line["late"]) == (each.late, "yes" if each.late else "")
        assert sorted(filter(None, row["earlier"].split("\n"))) == sorted(each.earlier)
        assert row["outcome"] == line["outcome"] == ("refused" if each.refused else "failed")
        assert said_of(each, json.loads((out / "results" / row["file"]).read_text("utf-8"))), each
    numbers = [each.user_id for each in sorted(download.students, key=lambda each: each.id) if each.user_id]
    addresses = [email for each in download.students for email in each.email.split(", ") if email]
    assert column(tmp_path / "canvas.csv", "ID")[1:] == (numbers if name == "canvas" else [])
    assert column(tmp_path / "moodle.csv", "Identifier") == [
        f"Participant {number}" for number in numbers if name == "moodle"
    ]
    assert column(tmp_path / "moodle.csv", "Email address") == addresses
