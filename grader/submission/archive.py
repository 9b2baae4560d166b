"""Archives, read member by member in memory: nothing is extracted, and no name in one becomes a path.

zip, tar and tar.gz. What a member is, and how large, is looked at before a byte of it is read; a refused member costs
itself alone. Other kinds of compression are not taken: their decoders can be made to ask for gigabytes.
"""

from __future__ import annotations

import contextlib
import io
import posixpath
import re
import stat
import tarfile
import unicodedata
import weakref
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import IO

from grader.model.text import clean, printable
from grader.submission.files import READ, File, TooLarge, Unreadable, check_size, is_noise, without_noise
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
_ZIP_FILE, _ZIP_ENTRY, _ZIP_END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_SAYS_UTF8 = 0x800
# Without its comment, of which the last two bytes give the length.
_ZIP_END_SIZE, _LONGEST_END = 22, 22 + (1 << 16)
# What a record in a tar's extended header begins with.
_LENGTH = re.compile(rb"([1-9]\d{0,9}) ")
# Longer names are nobody's.
LONGEST_NAME = 1_000
# zipfile and tarfile raise whatever comes of what they read: BadZipFile, IndexError, struct.error, RecursionError, …
BROKEN = Exception


@dataclass(frozen=True, slots=True)
class Opened:
    """What an archive holds. refused: member to the words that follow its name; notes: sentences about the whole."""

    files: list[File]
    refused: dict[str, str]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Member:
    """One member. packed: how many bytes it takes in the archive. refused: why its kind is not taken, "" if it is."""

    name: str
    size: int
    packed: int
    refused: str
    read: Callable[[int], bytes]


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
        if data[:4] in (_ZIP_FILE, _ZIP_END):
            # zipfile believes what the end of the file says of the table; every entry of that begins with this mark.
            if data.count(_ZIP_ENTRY) > MOST_MEMBERS:
                raise ValueError(say("submission.too-many-files", most=f"{MOST_MEMBERS:,}"))
            members = list(_zip_members(zipfile.ZipFile(_whole(io.BytesIO(data)))))
        else:
            plain = _unpacked(data, notes) if data[:2] == GZIP else data
            members = list(_tar_members(_tar(io.BytesIO(plain)), notes))
    except BROKEN as error:
        raise Unreadable(say("submission.no-archive", why=_said(error))) from None
    return _sorted_out(members, notes)


def _whole(file: IO[bytes]) -> IO[bytes]:
    """A zip that has its own end, else ValueError: where it holds another zip, that one's may be the last there is."""
    file.seek(max(0, file.seek(0, io.SEEK_END) - _LONGEST_END))
    tail = file.read()
    at = tail.rfind(_ZIP_END)
    comment = int.from_bytes(tail[at + _ZIP_END_SIZE - 2 : at + _ZIP_END_SIZE], "little")
    if at >= 0 and at + _ZIP_END_SIZE + comment == len(tail):
        return file
    with contextlib.suppress(zipfile.BadZipFile):
        if min((info.header_offset for info in zipfile.ZipFile(file).infolist()), default=1) == 0:
            return file
    raise ValueError(say("submission.breaks-off"))


def everything(file: IO[bytes]) -> tuple[list[File], list[str]]:
    """The files and folders of an archive on disk, each to be read when it is wanted. `file` is closed after the last.

    Made for a platform's own archive, which may hold as much as it likes; a file that may not be taken of it, because
    of what a student called it or made it, says so when it is read. Raises what zipfile and tarfile raise.
    """
    head = file.read(4)
    file.seek(0)
    if head[:2] == b"PK":
        packed = zipfile.ZipFile(_whole(file))
        weakref.finalize(packed, file.close)
        members = list(_zip_members(packed))
        folders = [_zip_name(info) for info in packed.infolist() if info.filename.endswith("/")]
    else:
        tar = _tar(file)
        weakref.finalize(tar, file.close)
        members = list(_tar_members(tar, []))
        folders = [info.name for info in tar.getmembers() if info.isdir()]
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


def _sorted_out(members: list[_Member], notes: list[str]) -> Opened:
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


def _judged(named: list[tuple[str, _Member]]) -> Iterator[tuple[str, _Member, str]]:
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


def _read(member: _Member, budget: _Budget, limit: int) -> bytes:
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


def _zip_members(archive: zipfile.ZipFile) -> Iterator[_Member]:
    for info in archive.infolist():
        if not info.filename.endswith("/"):
            read = partial(_zip_read, archive, info)
            yield _Member(_zip_name(info), info.file_size, info.compress_size, _zip_refused(info), read)


def _zip_name(info: zipfile.ZipInfo) -> str:
    """A member's name: also behind a zero, where zipfile ends it, and in UTF-8, which a Mac does not say that it is."""
    if "\0" in info.orig_filename:
        return info.orig_filename
    if info.flag_bits & _SAYS_UTF8 or info.filename.isascii():
        return info.filename
    try:
        return info.filename.encode("cp437").decode()
    except UnicodeError:
        return info.filename


def _zip_refused(info: zipfile.ZipInfo) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return say("submission.link")
    if kind not in (0, stat.S_IFREG):
        return say("submission.no-file")
    if info.flag_bits & 0x1:
        return say("submission.encrypted")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return say("submission.packed-otherwise")
    return ""


def _zip_read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes:
    with archive.open(info) as member:
        return member.read(limit + 1)


def _unpacked(data: bytes, notes: list[str]) -> bytes:
    """What gzip packed, up to a limit that tarfile itself does not know."""
    limit = min(MAX_UNPACKED, max(MAX_RATIO * len(data), 1 << 20))
    unpacking = zlib.decompressobj(wbits=31)
    whole = unpacking.decompress(data, limit)
    if unpacking.unconsumed_tail:
        notes.append(say("submission.unpacks-to-more", most=f"{limit:,}"))
    return whole


class _Header(tarfile.TarInfo):
    """A header that no size below zero sends backwards, which made older tarfiles read for ever (CVE-2025-8194).

    Nor any header in front of it: tarfile's patterns take the square of their lengths (CVE-2024-6232), and what is said
    of all members it copies for each.
    """

    def _block(self, count: int) -> int:
        if count < 0:
            raise tarfile.ReadError("a size below zero")
        return super()._block(count)  # type: ignore[misc, no-any-return]

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """The member behind a header that says more of it. What another says of all members, none of ours needs."""
        data = archive.fileobj.read(self._block(self.size))[: self.size]
        said = {} if self.type == tarfile.XGLTYPE else dict(_records(data))
        try:
            member = self.fromtarfile(archive)
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from None
        if b"path" in said:
            member.name = said[b"path"].decode("utf-8", "surrogateescape").rstrip("/")
        if any(key.startswith(b"GNU.sparse.") for key in said):
            member.sparse = b""
        if b"size" in said:
            member.size = int(said[b"size"])
            archive.offset = member.offset_data + (self._block(member.size) if member.isreg() else 0)
        return member


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """What an extended header says: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html."""
    end = 0
    while length := _LENGTH.match(data, end):
        end += int(length[1])
        if data[end - 1 : end] != b"\n":
            return
        key, _, value = data[length.end() : end - 1].partition(b"=")
        yield key, value


def _tar(file: IO[bytes]) -> tarfile.TarFile:
    return tarfile.open(fileobj=file, mode="r:", tarinfo=_Header)


def _tar_members(archive: tarfile.TarFile, notes: list[str]) -> Iterator[_Member]:
    for _ in range(MOST_MEMBERS):
        try:
            info = archive.next()
        except BROKEN:
            notes.append(say("submission.damaged-or-cut-off"))
            return
        if info is None:
            return
        if not info.isdir():
            read = partial(_tar_read, archive, info)
            yield _Member(info.name, info.size, max(info.size, 1), _tar_refused(info), read)
    notes.append(say("submission.more-members", most=f"{MOST_MEMBERS:,}"))


def _tar_refused(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return say("submission.link")
    if not info.isreg() or info.sparse is not None:
        return say("submission.no-file")
    return ""


def _tar_read(archive: tarfile.TarFile, info: tarfile.TarInfo, limit: int) -> bytes:
    member = archive.extractfile(info)
    return b"" if member is None else member.read(limit + 1)


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
