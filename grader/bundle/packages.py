"""Which packages grading needs, and at which version each: `requirements.txt` and `constraints.txt` of a bundle."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
from pathlib import Path

from grader.bundle.kit import DISTRIBUTION, ENGINE

PINNED = ENGINE / "workspace" / "constraints.txt"
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def write_packages(folder: Path) -> None:
    """Write both files. torch is left to `setup.sh`, which takes its CPU build from an index of its own."""
    shutil.copyfile(PINNED, folder / "constraints.txt")
    lines = [
        "# All that grading needs; constraints.txt says which versions.",
        "--constraint constraints.txt",
        *needed(),
    ]
    (folder / "requirements.txt").write_text("\n".join(lines) + "\n", "utf-8")


def needed() -> list[str]:
    """The packages that the grader needs, without those of its extras."""
    stated = [line for line in importlib.metadata.requires(DISTRIBUTION) or () if "extra ==" not in line]
    return sorted(found[0] for line in stated if (found := _NAME.match(line)))
