"""Commands that a student is told to type."""

from __future__ import annotations

import shlex
from pathlib import Path

HERE = Path("exercises")
"""Where the exercises lie for whoever types a command in a folder of the kit's: what `grade` takes without a path."""


def hint_command(step: str, path: Path) -> str:
    """The command that shows the next hint of a step. path: of what was graded, or the folder that it lies in."""
    return f"grade hint {step}" + ("" if path == HERE else f" --in {shlex.quote(str(path))}")
