"""Copies of the pack that may be broken."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.command import ROOT


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with a copy of the pack and of its solutions, to be put before the kit's own and to be broken."""
    folder = tmp_path / "copied"
    for name in ("exercises", "fixtures", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "submissions"))
    return folder
