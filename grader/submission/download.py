"""What a download of many submissions holds, be it unpacked or still the archive that the platform made.

Files are listed at once and read one student at a time, so that a download may be larger than the memory. The archive
is the platform's own, yet the names in it are the students': what may not be taken of it says so when it is read.
"""

from __future__ import annotations

import contextlib
import gzip
import tempfile
from pathlib import Path
from typing import IO

from grader.model.errors import NobodyToGrade
from grader.model.text import clean
from grader.submission import archive
from grader.submission.files import File, Unreadable, entries, is_folder, on_disk, walk
from grader.submission.members import BROKEN
from grader.submission.works import Listing
from grader.words import say

# A tar.gz can only be read from its beginning, so it is unpacked to a file without a name, up to this size.
MAX_UNPACKED = 16 << 30
_CHUNK = 1 << 20


def listed(path: Path) -> Listing:
    """Everything at a path: a folder, or a zip, tar or tar.gz. Raises NobodyToGrade where it is none of these."""
    if path.is_dir():
        return _listed_folder(path)
    if not path.exists():
        raise NobodyToGrade(f"There is nothing at {path}.")
    if not (path.is_file() and archive.is_archive(path.name)):
        raise NobodyToGrade(f"{path} is neither a folder nor a zip, tar or tar.gz of submissions.")
    try:
        return _listed_archive(path)
    except BROKEN as error:
        raise NobodyToGrade(f"{path} cannot be opened: {clean(str(error), 80)}.") from None


def _listed_folder(path: Path) -> Listing:
    files, folders = [], []
    try:
        found = entries(path)
    except OSError as error:
        raise NobodyToGrade(f"{path} cannot be read: {error.strerror}.") from None
    for entry in found:
        here = path / entry.name
        if is_folder(entry):
            folders.append(entry.name)
            folders += [f"{entry.name}/{name}" for name in _folders(here)]
            files += [File(f"{entry.name}/{file.name}", file.read) for file in walk(here)]
        else:
            files.append(on_disk(here, entry.name))
    return Listing(path.resolve().name, files, folders)


def _folders(path: Path) -> list[str]:
    """The names of the folders directly in one, which may be students who handed in nothing."""
    with contextlib.suppress(OSError):
        return [entry.name for entry in entries(path) if is_folder(entry)]
    return []


def _listed_archive(path: Path) -> Listing:
    file: IO[bytes] = path.open("rb")
    try:
        if file.read(2) == archive.GZIP:
            file = _unpacked(file)
        file.seek(0)
        files, folders = archive.everything(file)
    except BaseException:
        file.close()
        raise
    return Listing(path.name.partition(".")[0], files, folders)


def _unpacked(packed: IO[bytes]) -> IO[bytes]:
    """What gzip packed, in a file without a name. Raises Unreadable where it is too much."""
    whole = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the archive that is read of it
    packed.seek(0)
    try:
        with packed, gzip.GzipFile(fileobj=packed) as unpacking:
            while chunk := unpacking.read(_CHUNK):
                if whole.tell() > MAX_UNPACKED:
                    raise Unreadable(say("submission.unpacks-beyond", most=f"{MAX_UNPACKED:,}"))
                whole.write(chunk)
    except BaseException:
        whole.close()
        raise
    return whole
