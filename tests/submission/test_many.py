"""Whoever grades a platform's download as one submission is told so; whoever grades one submission never is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from grader.submission.many import said_of_many

from .downloads import EVERY, NOTHING, gradescope
from .packing import REFERENCE, zipped

ONE = {f"lovelaceada_12_{30 + number}_{name}": source for number, (name, source) in enumerate(REFERENCE.items())}
NUMBERED = {f"attempt_{number}_{name}": source for number, (name, source) in enumerate(REFERENCE.items())}


@pytest.mark.parametrize("name", [name for name in EVERY if name != "folder"])
def test_a_download_that_is_graded_as_one_submission_is_told_the_command_for_it(name: str, tmp_path: Path) -> None:
    download = EVERY[name]()
    path = tmp_path / f"{'assignment_1_export' if name == 'gradescope' else 'the class'}.zip"
    path.write_bytes(zipped(download.members))

    (said,) = said_of_many(path)

    handed_in = [each for each in download.students if each.refused != NOTHING]
    assert f"the work of {len(handed_in)} students" in said
    assert said.endswith("--out graded")


def test_a_folder_of_a_flat_download_is_told_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, source in EVERY["moodle_flat"]().members.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(source)

    assert "the work of 4 students" in said_of_many(tmp_path)[0]
    monkeypatch.chdir(tmp_path)
    assert said_of_many(Path())[0].startswith(tmp_path.name[:50])


@pytest.mark.parametrize("members", [REFERENCE, ONE, NUMBERED, {f"exercises/{name}": b"" for name in REFERENCE}])
def test_what_one_student_handed_in_is_never_taken_for_many(members: dict[str, bytes], tmp_path: Path) -> None:
    (tmp_path / "work.zip").write_bytes(zipped(members))
    for name, source in members.items():
        (tmp_path / "work" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / name).write_bytes(source)

    assert said_of_many(tmp_path / "work.zip") == said_of_many(tmp_path / "work") == ()


def test_nothing_is_unpacked_or_read_to_find_out(tmp_path: Path) -> None:
    bomb, broken = tmp_path / "bomb.zip", tmp_path / "broken.zip"
    bomb.write_bytes(gzip.compress(b"0" * 1000))
    broken.write_bytes(b"PK and no more")
    export = {name: b": [" if name.endswith(".yml") else source for name, source in gradescope().members.items()}
    (tmp_path / "export.zip").write_bytes(zipped(export))

    assert said_of_many(bomb) == said_of_many(broken) == said_of_many(tmp_path / "no.zip") == ()
    assert "the work of 5 students" in said_of_many(tmp_path / "export.zip")[0]
