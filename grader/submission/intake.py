"""Takes in a download of many submissions: whose each file is, which of them counts, and a safe name for each."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.model.errors import NobodyToGrade, NothingToGrade, UsageError
from grader.model.handed import TOGETHER, Handed, Identity
from grader.model.pack import Pack
from grader.model.text import clean, nearest, plural, some
from grader.submission import layouts
from grader.submission.download import listed
from grader.submission.files import FOLDER, MODULE, File, Files
from grader.submission.layouts import PLATFORMS, Layout
from grader.submission.read import module_names
from grader.submission.scripts import exercises_in
from grader.submission.unpack import unpacked
from grader.submission.works import Listing, Students, Work
from grader.words import say

AUTO, PLAIN = "auto", "folder"
LAYOUTS = (AUTO, PLAIN, *sorted(layout.name for layout in PLATFORMS))
LONGEST_ID = 100
LONGEST_EMAIL = 254  # RFC 5321, 4.5.3.1.3
_HASH = 8
# What one student's folders are called, one of which took the place of another.
VERSION = re.compile(
    r"(v|version|try|attempt|submission|week|part|copy|old|new|final|backup)([ _.-]?\d*)$", re.IGNORECASE
)
# Names that Windows gives to devices, whatever follows them: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Intake:
    """A download that was recognised: how many submissions it holds, and each of them, read when it is its turn.

    layout: which of LAYOUTS it is. said: the same in words. works: the students' files, and under which id.
    """

    layout: str
    said: str
    path: Path
    pack: Pack
    works: Sequence[tuple[str, Work]]

    def __len__(self) -> int:
        return len(self.works)

    def __iter__(self) -> Iterator[Handed]:
        for name, work in self.works:
            yield _handed(name, work, self.path, self.pack)


def recognise(path: Path, pack: Pack, layout: str = AUTO) -> Intake:
    """The submissions at a path, by the layout that it has or is said to have.

    Raises UsageError for a layout that does not exist, NobodyToGrade where nothing is there or it has another layout.
    """
    if layout not in LAYOUTS:
        near = nearest(layout, LAYOUTS)
        meant = f"; did you mean {near}?" if near else "."
        raise UsageError(f"There is no layout {layout!r}: there are {', '.join(LAYOUTS)}{meant}")
    listing = listed(path)
    for platform in PLATFORMS:
        if layout in (AUTO, platform.name) and (students := students_of(platform, listing, is_told=layout != AUTO)):
            return _intake(platform.name, platform.said, path, pack, students)
    if layout not in (AUTO, PLAIN):
        said = next(platform.said for platform in PLATFORMS if platform.name == layout)
        raise NobodyToGrade(f"{path} is not laid out like {said}; leave --layout out to have it recognised.")
    students = _plain(listing, pack)
    if not students.works:
        raise NobodyToGrade(f"{path} holds no submissions: no folders, archives, notebooks or modules of exercises.")
    return _intake(PLAIN, "a folder", path, pack, students)


def students_of(platform: Layout, listing: Listing, *, is_told: bool) -> Students | None:
    """The students as a platform lays them out, be it in one more folder or not; None where it does not."""
    for place in (listing, *_inside(listing, beside_files=True)):
        if (is_told or platform.sure(place)) and (students := platform.students(place)).works:
            beside = [] if place is listing else [top for top in listing.tops if top != place.name and top[0] != "."]
            return replace(students, left=[*sorted(beside), *students.left])
    return None


def _plain(listing: Listing, pack: Pack) -> Students:
    """The students of a folder that no platform made. Folders around all of them do not count."""
    ids = [exercise.id for exercise in pack.exercises]
    for inner in _inside(listing):
        if any(_holds_many(deeper, ids) for deeper in _inside(inner)):
            return _plain(inner, pack)
        if not _own(inner, ids) and (found := layouts.folder(inner, ids)).works:
            return found
        if any(_is_prefixed(file, pack) for file in inner.files if not file.folder and file.path.suffix == MODULE):
            return _plain(inner, pack)
    for inner in _inside(listing, beside_files=True):
        if _repeats(inner, ids) and not layouts.folder(_without(listing, inner.name), ids).works:
            found = layouts.folder(inner, ids)  # beside which nobody's work lies, such as a list of them
            return replace(found, left=[*found.left, *sorted(listing.tops - {inner.name})])
    own = _own(listing, ids)
    if own and all(file.folder in ("", FOLDER) for file in own):
        beside = [file for file in listing.files if file.folder in ("", FOLDER) and file.name.endswith(MODULE)]
        anothers = [file for file in beside if not file.folder and _is_prefixed(file, pack)]
        loose = [file for file in beside if file not in anothers]
        rest = Listing(
            listing.name,
            [file for file in listing.files if file not in loose],
            [name for name in listing.folders if name != FOLDER],
        )
        others = layouts.folder(rest, ids)
        own_work = Work(listing.name, Identity(listing.name), Files(loose))
        # Beside one submission alone lies what belongs to it.
        return Students([own_work, *others.works], others.left if others.works else [])
    for place in (*_inside(listing), listing):
        if scripts := _of_scripts(place, pack):
            return scripts
    return layouts.folder(listing, ids)


def _of_scripts(listing: Listing, pack: Pack) -> Students | None:
    """The students of a folder with one script for each, which two of them hold the same exercise in; else None."""
    held = {file.name: exercises_in(file, pack) for file in listing.files if not file.folder}
    files = [file for file in listing.files if held.get(file.name)]
    counts = Counter(exercise for exercises in held.values() for exercise in exercises)
    if layouts.folder(listing, [each.id for each in pack.exercises]).works or max(counts.values(), default=0) < 2:
        return None
    works = [Work(file.path.stem, Identity(file.path.stem), Files([file])) for file in files]
    return Students(works, sorted(listing.tops - {file.name for file in files}))


def _holds_many(listing: Listing, ids: Sequence[str]) -> bool:
    """Whether several students' folders lie here, or in the one folder that is all there is, however deep."""
    if _own(listing, ids):
        return False
    return _repeats(listing, ids) or any(_holds_many(inner, ids) for inner in _inside(listing))


def _repeats(listing: Listing, ids: Sequence[str]) -> bool:
    """Whether an exercise lies in several of the outermost folders, none of which is called as one's versions are."""
    if any(VERSION.match(top) for top in listing.tops):
        return False
    found = {(file.path.name.removesuffix(MODULE), file.name.split("/", 1)[0]) for file in listing.files if file.folder}
    return any(count > 1 for name, count in Counter(name for name, _ in found).items() if name in ids)


def _without(listing: Listing, folder: str) -> Listing:
    """What lies beside a folder."""
    return Listing(listing.name, [file for file in listing.files if not file.name.startswith(f"{folder}/")], [])


def _own(listing: Listing, ids: Sequence[str]) -> list[File]:
    """The exercises that lie in a folder itself, so that it is one submission rather than many."""
    return [
        file for file in listing.files if file.folder in ("", FOLDER) and file.path.name.removesuffix(MODULE) in ids
    ]


def _is_prefixed(file: File, pack: Pack) -> bool:
    """Whether a module's name is an exercise's with a student's before it, however it was saved."""
    stem = re.sub(r"( ?\(\d+\)|-\d+)$", "", file.path.stem)
    ends = [end for each in pack.exercises for end in (each.id, each.short)]
    return any(stem.lower().endswith(end) and stem.lower() != end for end in ends)


def _inside(listing: Listing, *, beside_files: bool = False) -> list[Listing]:
    """What lies in the one folder that there is, and is all there is, unless files may lie beside it."""
    tops, files = listing.tops, {file.name for file in listing.files}
    folders = tops - files
    return [listing.inside(*folders)] if len(folders) == 1 and (beside_files or len(tops) == 1) else []


def _intake(layout: str, said: str, path: Path, pack: Pack, students: Students) -> Intake:
    works, left = students.works, students.left
    count = sum(len(work.files) + len(work.earlier) for work in works)
    words = f"{said} of {plural(count, 'file')} by {plural(len(works), 'student')}"
    if left:
        words += f"; left out, as no student's work: {some(left)}"
    if students.nameless:
        words += f"; nobody's name is known: {clean(students.nameless, 200)}"
    return Intake(layout, words, path, pack, list(zip(safe_ids([work.key for work in works]), works, strict=True)))


def _handed(name: str, work: Work, path: Path, pack: Pack) -> Handed:
    """One student's work, put together from all that they handed in."""
    identity = replace(
        work.identity,
        name=unicodedata.normalize("NFC", clean(work.identity.name, 100)),  # as gradebooks write it, and a Mac does not
        user_id=clean(work.identity.user_id, 100),
        email=TOGETHER.join(clean(email, LONGEST_EMAIL) for email in work.identity.emails),
    )
    handed = Handed(name, identity, earlier=tuple(clean(file, 100) for file in work.earlier))
    if not work.files:
        return replace(handed, refused=say("submission.nothing-handed-in"))
    try:
        submission = unpacked(work.files, name, path / name, pack, nothing=_nothing(work, pack))
    except NothingToGrade as why:
        return replace(handed, refused=str(why))
    return replace(handed, submission=submission, notes=submission.notes)


def _nothing(work: Work, pack: Pack) -> str:
    """The sentence where a student's files hold no exercise."""
    names = [clean(file.path.name, 60) for file in work.files]
    listed = ", ".join(names[:3])
    if len(names) > 3:
        listed = say("submission.and-so-many-more", names=listed, more=len(names) - 3)
    return say("submission.no-exercise-among", files=listed, modules=module_names(pack))


def safe_ids(keys: Sequence[str]) -> list[str]:
    """A name for each key that is safe for a file on every system, and unique whatever its case.

    Of letters, digits, `.`, `_` and `-` of ASCII, beginning with a letter or a digit. Where several keys would have one
    name, each gets part of its own digest, so that nobody's name depends on the order or on how many there are.
    """
    plain = [_safe(key) for key in keys]
    counts = Counter(name.lower() for name in plain)
    ids = [
        name if counts[name.lower()] == 1 else _marked(name, key, _HASH) for name, key in zip(plain, keys, strict=True)
    ]
    if len({name.lower() for name in ids}) < len(ids):  # somebody is called like another's name with its digest
        ids = [_marked(name, key, 32) for name, key in zip(plain, keys, strict=True)]
    return ids


def _safe(key: str) -> str:
    decomposed = unicodedata.normalize("NFKD", key)
    ascii_only = "".join(c for c in decomposed if not unicodedata.combining(c))
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", ascii_only).strip("._-")[:LONGEST_ID].rstrip("._-")
    if not name:
        name = _marked("student", key, _HASH)
    return f"student-{name}"[:LONGEST_ID] if DEVICES.match(name) else name


def _marked(name: str, key: str, length: int) -> str:
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:length]
    return f"{name[: LONGEST_ID - length - 1]}-{digest}"
