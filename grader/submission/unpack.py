"""All that one student handed in, however deep it lies: folders, and archives among the files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.model.text import clean
from grader.submission import archive
from grader.submission.files import File, Unreadable
from grader.submission.gather import few, gather, opened_groups
from grader.submission.groups import Group, grouped
from grader.words import say

# An archive for each exercise, and a few; and how many bytes of them there may be, each being held while it is read.
MAX_ARCHIVES, MAX_PACKED = 20, 192 << 20


@dataclass(slots=True)
class Unpacked:
    """Files by folder, archives' after the others. refused: exercises that were not taken, with a sentence.

    notes: what is to be said. missing: sentences on what could not be read.
    """

    groups: list[Group]
    refused: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def submission(self, name: str, path: Path, pack: Pack, *, nothing: str) -> Submission:
        """The submission that all of it makes. nothing: what to say where it holds none. Raises NothingToGrade."""
        found = gather(self.groups, pack)
        found.missing.extend(self.missing)
        notes = [*self.notes, *few(self.missing)]
        return found.submission(name, path, pack, refused=self.refused, notes=notes, nothing=nothing)


def unpacked(files: Iterable[File], label: str, pack: Pack) -> Unpacked:
    """What files of one student hold. label: what their outermost folder is called."""
    files = [*files]
    # A folder that cannot be looked into, too: it says why when it is read.
    packed = [file for file in files if archive.is_archive(file.name) or not file.name or file.name.endswith("/")]
    found = Unpacked(grouped((file for file in files if file not in packed), label, pack))
    for file in files:
        if file not in packed and file.name.lower().endswith(archive.OTHERS):
            found.missing.append(say("submission.other-archive", file=clean(file.path.name, 60)))
    room = MAX_PACKED
    for file in packed[:MAX_ARCHIVES]:
        try:
            content = file.read(min(archive.MAX_BYTES, room))
            inside = archive.opened(content)
        except Unreadable as why:
            found.missing.append(say("submission.sentence", file=clean(file.path.name, 60) or label, why=why))
            continue
        room -= len(content)
        some, not_taken, said = opened_groups(file.path.name, inside, pack)
        found.groups += some
        found.refused |= {key: value for key, value in not_taken.items() if key not in found.refused}
        found.notes += said
    if left := [clean(file.path.name, 60) for file in packed[MAX_ARCHIVES:]]:
        names = ", ".join(left[:3]) + (", …" if len(left) > 3 else "")
        found.notes.append(say("submission.many-archives", archives=len(packed), most=MAX_ARCHIVES, left=names))
    return found
