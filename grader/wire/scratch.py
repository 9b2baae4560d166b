"""Scratch folders, which both sides may have to remove: however many files are in one, and however deep."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def remove(folder: Path) -> None:
    """Remove a folder and all that is in it, following no link. Raises OSError.

    Nested folders are moved up beside the first before they are emptied, so that no depth and no path is too long.
    """
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISDIR(current.lstat().st_mode):
                current.unlink()
                continue
            current.chmod(stat.S_IRWXU)  # whatever was done to it
            with os.scandir(current) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(folder.parent / f"{folder.name}.{os.urandom(8).hex()}")  # not to be foreseen
                        os.chmod(entry.path, stat.S_IRWXU)  # noqa: PTH101 - a folder is moved by who may write it
                        os.rename(entry.path, waiting[-1])  # noqa: PTH104
                    else:
                        os.unlink(entry.path)  # noqa: PTH108
            current.rmdir()
