"""`grade run` on a notebook and on archives: the same grade as the folder's, told by cell and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.command import Grade
from tests.submission.packing import EX10, REFERENCE, SOURCE, code, lesson, notebook, tarred, words, zipped

ReportOf = Callable[..., dict[str, Any]]
EX01 = "ex01_dot_product_scores"
MASKED = "masked = scaled.masked_fill(self.mask[:num_tokens, :num_tokens], -torch.inf)"
DROPPED = MASKED.replace("masked = ", "") + "\n        masked = scaled"


def test_a_notebook_of_the_whole_lesson_gets_full_marks_unchanged(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "lesson.ipynb").write_bytes(lesson())

    done = grade("run", str(tmp_path / "lesson.ipynb"))

    assert done.returncode == 0
    assert "100 / 100" in done.stdout


@pytest.mark.parametrize(
    ("name", "data"),
    [("ada.zip", zipped(REFERENCE)), ("ada.tar", tarred(REFERENCE)), ("ada.tgz", tarred(REFERENCE, gzipped=True))],
)
def test_an_archive_gets_what_the_folder_gets(report_of: ReportOf, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)

    report = report_of(tmp_path / name, "--exercise", "ex11")

    assert report["score"] == report["max_score"] == 7
    assert report["submission"]["id"] == "ada"


def test_a_mistake_in_a_notebook_is_told_by_cell_and_line_with_the_cells_own_source(
    grade: Grade, tmp_path: Path
) -> None:
    wrong = SOURCE[EX10].replace(MASKED, DROPPED)
    (tmp_path / "lab.ipynb").write_bytes(notebook(words("# Lab"), "%matplotlib inline", f"\n{wrong}"))
    line = f"\n{wrong}".split("\n").index("        " + DROPPED.split("\n")[0]) + 1

    done = grade("run", str(tmp_path / "lab.ipynb"), "--exercise", "ex10", "--format", "terminal", "--format",
                 f"json={tmp_path}/report.json")  # fmt: skip

    assert f"lab.ipynb cell 3, line {line}\n" in done.stdout
    assert f"› {line}  scaled.masked_fill(" in done.stdout
    assert EX10 not in done.stdout
    steps = json.loads((tmp_path / "report.json").read_text("utf-8"))["exercises"][0]["steps"]
    found = next(step for step in steps if step["id"] == "ex10.output")["diagnosis"][0]
    assert (found["id"], found["file"], found["line"]) == ("mask-discarded", "lab.ipynb cell 3", line)


def test_a_cell_that_is_no_python_costs_its_own_exercise(report_of: ReportOf, tmp_path: Path) -> None:
    broken = code("import torch\ndef softmax(scores:\n    pass")
    (tmp_path / "lab.ipynb").write_bytes(notebook(SOURCE[EX01], broken))

    report = report_of(tmp_path / "lab.ipynb")

    first, second, third = report["exercises"][:3]
    assert first["score"] == first["max_score"]
    assert {step["status"] for step in second["steps"]} == {"error"}
    assert second["steps"][0]["summary"].startswith("lab.ipynb cell 2, line 2 cannot be read")
    assert {step["status"] for step in third["steps"]} == {"unstarted"}
    assert third["steps"][0]["summary"] == "No cell of lab.ipynb defines `context_vector` or `context_vectors`."


@pytest.mark.parametrize(("name", "data"), [("lab.ipynb", b"{"), ("lab.zip", b"no"), ("lab.tar.gz", b"")])
def test_what_cannot_be_opened_is_nothing_to_grade(grade: Grade, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)

    done = grade("run", str(tmp_path / name))

    assert done.returncode == 5
    assert name in done.stderr
    assert "Traceback" not in done.stderr
