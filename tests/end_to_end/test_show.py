"""`grade show`: what it says where no report is given."""

from __future__ import annotations

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
