"""`grade show`: what it says where no report is given, and of work that no longer lies where it was graded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.command import Grade


def test_a_folder_is_told_which_report_of_it_to_give(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "graded/results").mkdir(parents=True)
    (tmp_path / "graded/results/ada.json").write_text("{}")

    done = grade("show", tmp_path / "graded")

    assert done.returncode == 2
    assert f"is a folder; give one of the reports in it, such as {tmp_path}/graded/results/ada.json" in done.stderr


def test_a_folder_without_a_report_is_told_where_one_comes_from(grade: Grade, tmp_path: Path) -> None:
    assert "no report is in it; give the file of one" in grade("show", tmp_path).stderr


def test_a_hint_is_asked_for_of_work_that_lies_somewhere_alone(grade: Grade, tmp_path: Path) -> None:
    work, report = tmp_path / "ada.zip!" / "ada", tmp_path / "ada.json"
    work.mkdir(parents=True)
    (work / "ex01_dot_product_scores.py").write_text("def attention_scores(inputs): return inputs\n")
    grade("run", work, "--exercise", "ex01", "--format", f"json={report}")

    assert f"next hint: grade hint ex01.query --in '{work}'\n" in grade("show", report).stdout
    shutil.rmtree(work)
    assert "next hint: grade hint ex01.query\n" in grade("show", report).stdout


def test_whoever_looks_at_the_results_of_a_class_is_offered_no_hint(grade: Grade, tmp_path: Path) -> None:
    work = tmp_path / "class" / "ada"
    work.mkdir(parents=True)
    (work / "ex01_dot_product_scores.py").write_text("def attention_scores(inputs): return inputs\n")
    grade("batch", work.parent, "--out", tmp_path / "out", "--exercise", "ex01", "--jobs", "1", "--allow-unsandboxed")

    shown = grade("show", tmp_path / "out/results/ada.json").stdout

    assert "0 / 5" in shown
    assert "hint" not in shown


def test_a_report_is_shown_in_the_language_that_it_was_written_in(grade: Grade, tmp_path: Path) -> None:
    work, report = tmp_path / "ada", tmp_path / "ada.json"
    work.mkdir()
    (work / "ex01_dot_product_scores.py").write_text("def attention_scores(inputs): return inputs\n")
    graded = grade("run", work, "--exercise", "ex01", "--format", f"json={report}", "--lang", "es")

    shown = grade("show", report, "--lang", "de").stdout

    assert shown == graded.stdout


def test_the_lines_of_a_notebook_are_shown_and_where_it_is_gone_which_they_were(grade: Grade, tmp_path: Path) -> None:
    source = "def attention_scores(inputs):\n    return inputs * inputs.sum()\n"
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
    book, report = tmp_path / "ada.ipynb", tmp_path / "ada.json"
    book.write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    grade("run", book, "--exercise", "ex01", "--format", f"json={report}")

    shown = grade("show", report).stdout
    book.unlink()
    later = grade("show", report).stdout

    assert "ada.ipynb cell 1, line 2\n" in shown
    assert "› 2      return inputs * inputs.sum()\n" in shown
    assert "ada.ipynb cell 1, line 2\n" in later
    assert "inputs.sum()" not in later
