"""The command as a process, and copies of the pack that may be broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Grade = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def grade() -> Grade:
    """Runs `grade` with these arguments, with the packages of a folder put before the kit's own if one is named."""

    def run(*arguments: str | Path, before: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [str(Path(sys.executable).with_name("grade")), *map(str, arguments)]
        environment = {**os.environ, **({"PYTHONPATH": str(before)} if before else {})}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with a copy of the pack and of its solutions, to be put before the kit's own and to be broken."""
    folder = tmp_path / "copied"
    for name in ("exercises", "fixtures", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "submissions"))
    return folder
