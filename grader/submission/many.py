"""Tells a platform's download of many submissions from one submission, where it is graded as one."""

from __future__ import annotations

import contextlib
from pathlib import Path

from grader.model.errors import NobodyToGrade
from grader.model.text import clean
from grader.submission.download import listed
from grader.submission.files import entries, is_folder, on_disk
from grader.submission.intake import students_of
from grader.submission.layouts import METADATA, PLATFORMS
from grader.submission.read import batch_command
from grader.submission.works import Listing
from grader.words import say

ZIP = b"PK"  # whatever it is called; to list another archive, all of it would have to be unpacked


def said_of_many(path: Path) -> tuple[str, ...]:
    """What to say where a path holds the work of several students by the names that a platform gave, and nothing else.

    Only names are looked at, of a folder the outermost, since whatever one student handed in may lie there.
    """
    with contextlib.suppress(NobodyToGrade, OSError):
        if (listing := _names(path)) is not None:
            for platform in PLATFORMS:
                found = students_of(platform, listing, is_told=False)
                if found is not None and (count := sum(bool(work.files) for work in found.works)) > 1:
                    what, command = clean(path.resolve().name, 60), batch_command(path)
                    return (say("submission.as-one", what=what, students=count, command=command),)
    return ()


def _names(path: Path) -> Listing | None:
    """What lies at a path; None where no platform makes such. Gradescope's list is for reading, and left out."""
    if path.is_dir():
        found = [(entry.name, is_folder(entry)) for entry in entries(path)]
        files = [on_disk(path / name, name) for name, is_one in found if not is_one]
        return Listing(path.resolve().name, files, [name for name, is_one in found if is_one])
    with path.open("rb") as file:
        if file.read(2) != ZIP:
            return None
    everything = listed(path)
    files = [file for file in everything.files if file.path.name != METADATA]
    return Listing(everything.name, files, everything.folders)
