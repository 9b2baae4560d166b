"""A workspace as `grade init` makes it, without a process of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.handout.contents import contents, note
from grader.model.pack import Pack


@pytest.fixture
def workspace(pack: Pack, tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    files = contents(pack)
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / name)
    note(folder, files)
    return folder
