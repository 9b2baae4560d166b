"""What takes seconds to make, made once for all the processes that share the tests."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock


def once(folders: pytest.TempPathFactory, name: str, make: Callable[[Path], Any]) -> Any:
    """What `make` gives, in a folder of its own. The first process that asks makes it; the others wait, and read it."""
    shared = folders.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:  # below one folder for all
        shared = shared.parent
    folder = shared / f"once-{name}"
    made = folder.with_suffix(".pickle")
    with FileLock(folder.with_suffix(".lock")):
        if not made.exists():
            folder.mkdir()
            made.write_bytes(pickle.dumps(make(folder)))
    return pickle.loads(made.read_bytes())
