"""A scratch folder for each child, gone with it."""

from __future__ import annotations

import os
import tempfile


def enter() -> None:
    """Work in a folder of one's own inside the worker's: what one submission writes, the next does not find."""
    folder = os.path.join(os.environ["TMPDIR"], str(os.getpid()))  # noqa: PTH118
    os.mkdir(folder)  # noqa: PTH102
    os.chdir(folder)
    os.environ["TMPDIR"] = os.environ["HOME"] = folder
    tempfile.tempdir = None
