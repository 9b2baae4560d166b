"""Archives, read member by member in memory: nothing is extracted, and no name in one becomes a path.

zip, tar and tar.gz. What a member is, and how large, is looked at before a byte of it is read; a refused member costs
itself alone. Other kinds of compression are not taken: their decoders can be made to ask for gigabytes.
"""

from __future__ import annotations

import io
import posixpath
import re
import sys
import unicodedata
import weakref
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import IO

from grader.model.text import clean, printable
from grader.submission import tars, zips
from grader.submission.files import READ, File, TooLarge, Unreadable, check_size, is_noise, without_noise
from grader.submission.members import BROKEN, Member
from grader.words import say

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz")
OTHERS = (".rar", ".7z", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".gz", ".bz2", ".xz", ".whl", ".jar")
# An archive with a data set in it is larger than it should be and still somebody's work.
MAX_BYTES = 96 << 20
MAX_UNPACKED = 128 << 20
# More than any student's folder has once noise is left out; zipfile and tarfile keep half a kilobyte of each.
MAX_MEMBERS = 10_000
MOST_MEMBERS = 100_000
# All that is read of one archive. Python packs four to one and a notebook with repeated outputs fifty to one.
MAX_TOTAL = 64 << 20
MAX_RATIO, FREE_OF_RATIO = 200, 64 << 10
DRIVE = re.compile(r"[A-Za-z]:")
GZIP = b"\x1f\x8b"
# Longer names are nobody's.
LONGEST_NAME = 1_000


@dataclass(frozen=True, slots=True)
class Opened:
    """What an archive holds. refused: member to the words that follow its name; notes: sentences about the whole."""

    files: list[File]
    refused: dict[str, str]
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Budget:
    """How much may still be read of an archive."""

    left: int = field(default_factory=lambda: MAX_TOTAL)


def is_archive(name: str) -> bool:
    """Whether a file is called like an archive that can be opened."""
    return name.lower().endswith(SUFFIXES)


def opened(data: bytes) -> Opened:
    """The members of an archive. Raises Unreadable where it is none, or nothing can be made of it."""
    notes: list[str] = []
    try:
        if zips.is_zip(data):
            zips.check_count(data, MOST_MEMBERS)
            members = list(zips.members(zips.opened(io.BytesIO(data))))
        else:
            plain = _unpacked(data, notes) if data[:2] == GZIP else data
            members = list(tars.members(tars.opened(io.BytesIO(plain)), MOST_MEMBERS, notes))
    except BROKEN as error:
        raise Unreadable(say("submission.no-archive", why=_said(error))) from None
    return _sorted_out(members, notes)


def everything(file: IO[bytes]) -> tuple[list[File], list[str]]:
    """The files and folders of an archive on disk, each to be read when it is wanted. `file` is closed after the last.

    Made for a platform's own archive, which may hold as much as it likes; a file that may not be taken of it, because
    of what a student called it or made it, says so when it is read. Raises what zipfile and tarfile raise.
    """
    head = file.read(zips.HEAD)
    file.seek(0)
    if zips.is_zip(head):
        packed = zips.opened(file)
        weakref.finalize(packed, file.close)
        members = list(zips.members(packed))
        folders = [zips.name_of(info) for info in packed.infolist() if info.filename.endswith("/")]
    else:
        tar = tars.opened(file)
        weakref.finalize(tar, file.close)
        members = list(tars.members(tar, sys.maxsize, []))
        folders = [info.name for info in tar.getmembers() if info.isdir()]  # which raises where the members break off
    named = [(_normal(member.name), member) for member in members]
    files = [
        File(name, partial(_refuse, why) if why else partial(_read, member, _Budget(MAX_BYTES)))
        for name, member, why in _judged([each for each in named if each[0] and not is_noise(each[0])])
    ]
    # Who handed in noise alone is there all the same: not every packer writes down folders.
    folders += [around for name, _ in named if is_noise(name) and (around := without_noise(name))]
    return files, [name for name in dict.fromkeys(map(_normal, folders)) if name and not is_noise(name)]


def _refuse(why: str, _limit: int) -> bytes:
    raise Unreadable(why)


def _sorted_out(members: list[Member], notes: list[str]) -> Opened:
    """What of a student's archive is read: modules and notebooks that are what they seem."""
    named = [(_normal(member.name), member) for member in members if not is_noise(_normal(member.name))]
    if len(named) > MAX_MEMBERS:
        notes.append(say("submission.outermost-files", files=f"{len(named):,}", most=f"{MAX_MEMBERS:,}"))
        named = sorted(named, key=lambda each: each[0].count("/"))[:MAX_MEMBERS]
    budget, files, refused = _Budget(), [], {}
    for name, member, why in _judged(named):
        if not why and name.lower().endswith((*SUFFIXES, *OTHERS)):
            why = say("submission.nested-archive")
        if why:
            refused[name or member.name] = why
        elif name.lower().endswith(READ):
            files.append(File(name, partial(_read, member, budget)))
    return Opened(files, refused, notes)


def _judged(named: list[tuple[str, Member]]) -> Iterator[tuple[str, Member, str]]:
    """Each member with why it is not taken, "" if it is. Of two that cannot be told apart neither is."""
    exact = Counter(name for name, _ in named)
    alike = Counter(_folded(name) for name, _ in named)
    for name, member in named:
        why = member.refused or _unsafe(member.name)
        if not why and exact[name] > 1:
            why = say("submission.stands-several-times", times=exact[name])
        if not why and alike[_folded(name)] > 1:
            why = say("submission.name-but-for-case")
        yield name, member, why


def _read(member: Member, budget: _Budget, limit: int) -> bytes:
    """A member's bytes, after a look at how many there will be."""
    check_size(member.size, limit)
    if member.size > FREE_OF_RATIO and member.size > MAX_RATIO * member.packed:
        raise Unreadable(say("submission.unpacks-too-far", times=MAX_RATIO))
    if member.size > budget.left:
        raise TooLarge(say("submission.too-much", most=f"{MAX_TOTAL:,}"))
    budget.left -= member.size
    try:
        data = member.read(limit)
    except BROKEN as error:
        raise Unreadable(say("submission.damaged", why=_said(error))) from None
    if len(data) != member.size:
        raise Unreadable(say("submission.cut-off"))
    return data


def _unpacked(data: bytes, notes: list[str]) -> bytes:
    """What gzip packed, up to a limit that tarfile itself does not know."""
    limit = min(MAX_UNPACKED, max(MAX_RATIO * len(data), 1 << 20))
    unpacking = zlib.decompressobj(wbits=31)
    whole = unpacking.decompress(data, limit)
    if unpacking.unconsumed_tail:
        notes.append(say("submission.unpacks-to-more", most=f"{limit:,}"))
    return whole


def _normal(name: str) -> str:
    """A member's name with slashes alone, as Windows' own packers do not write it."""
    return "/".join(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def _folded(name: str) -> str:
    """The name as a file system that minds neither case nor form would see it.

    To find the form of one that is refused for its letters could take the square of their number.
    """
    return name if _is_odd(name) else unicodedata.normalize("NFC", name).casefold()


def _is_odd(name: str) -> bool:
    return len(name) > LONGEST_NAME or printable(name) != name


def _unsafe(name: str) -> str:
    plain = name.replace("\\", "/")
    if plain.startswith("/"):
        return say("submission.absolute-path")
    if DRIVE.match(plain):
        return say("submission.names-drive")
    if posixpath.normpath(plain).split("/")[0] == "..":
        return say("submission.leads-out")
    if ".." in plain.split("/"):
        return say("submission.leads-back")
    if _is_odd(name) or not _normal(name):
        return say("submission.odd-name")
    return ""


def _said(error: BaseException) -> str:
    return clean(str(error), 80) or type(error).__name__
