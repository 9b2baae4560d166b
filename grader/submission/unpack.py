"""All that one student handed in, however deep it lies: folders, and archives among the files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.model.text import clean
from grader.submission import archive
from grader.submission.files import MODULE, Budget, File, Unreadable
from grader.submission.gather import few, gather
from grader.submission.groups import Group, grouped
from grader.words import say

# An archive for each exercise, and a few; and how many bytes of them there may be, each being held while it is read.
MAX_ARCHIVES, MAX_PACKED = 20, 192 << 20


def unpacked(files: Iterable[File], name: str, path: Path, pack: Pack, *, nothing: str) -> Submission:
    """The submission of that name that files of one student make. nothing: what to say where they hold none.

    Raises NothingToGrade.
    """
    files = [*files]
    # A folder that cannot be looked into, too: it says why when it is read.
    packed = [file for file in files if archive.is_archive(file.name) or not file.name or file.name.endswith("/")]
    others = [file for file in files if file not in packed]
    groups = grouped(others, name, pack)
    refused: dict[str, str] = {}
    notes: list[str] = []
    missing = [
        say("submission.other-archive", file=clean(file.path.name, 60))
        for file in others
        if file.name.lower().endswith(archive.OTHERS)
    ]
    room, budget = MAX_PACKED, Budget()
    for file in packed[:MAX_ARCHIVES]:
        try:
            content = budget.of(file).read(min(archive.MAX_BYTES, room))
            inside = archive.opened(content)
        except Unreadable as why:
            missing.append(say("submission.sentence", file=clean(file.path.name, 60) or name, why=why))
            continue
        room -= len(content)
        some, not_taken, said = _groups_of(file.path.name, inside, pack)
        groups += some
        refused = not_taken | refused
        notes += said
    if left := [clean(file.path.name, 60) for file in packed[MAX_ARCHIVES:]]:
        names = ", ".join(left[:3]) + (", …" if len(left) > 3 else "")
        notes.append(say("submission.many-archives", archives=len(packed), most=MAX_ARCHIVES, left=names))
    found = gather(groups, pack)
    found.missing.extend(missing)
    return found.submission(name, path, pack, refused=refused, notes=[*notes, *few(missing)], nothing=nothing)


def _groups_of(name: str, opened: archive.Opened, pack: Pack) -> tuple[list[Group], dict[str, str], list[str]]:
    """An archive's groups, what of it is refused by exercise, and what is to be said."""
    known = pack.ids
    label = clean(name, 60)
    refused: dict[str, str] = {}
    notes = [f"{label} {note}" for note in opened.notes]
    for member, why in opened.refused.items():
        stem = member.rpartition("/")[2].removesuffix(MODULE)
        inside = say("submission.inside", file=clean(member, 80), archive=label)
        if stem in known and member.endswith(MODULE):
            refused.setdefault(stem, say("submission.sentence", file=inside, why=why))
        notes.append(f"{inside} {why}")
    return grouped(opened.files, label, pack), refused, few(notes)
