"""A workspace as `grade init` makes it, without a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.handout.contents import write
from grader.model.pack import Pack


@pytest.fixture
def workspace(pack: Pack, tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    write(pack, folder)
    return folder
