"""The members of a zip, as they are called and of what kind they are."""

from __future__ import annotations

import contextlib
import io
import stat
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import IO

from grader.submission.members import Member
from grader.words import say

# With what a member begins, each entry of the table, and the end of that.
FILE, ENTRY, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
# What packers for several disks may write in front of the first member of all.
MARKS = (b"PK00", b"PK\x07\x08")
# With so many bytes a file says whether it is one.
HEAD = 8
SAYS_UTF8 = 0x800
# Without its comment, of which the last two bytes give the length.
END_SIZE, LONGEST_END = 22, 22 + (1 << 16)


def is_zip(data: bytes) -> bool:
    """Whether data begins like a zip, also like one that holds nothing."""
    return data[:4] in (FILE, END) or (data[:4] in MARKS and data[4:HEAD] == FILE)


def check_count(data: bytes, most: int) -> None:
    """Raise ValueError for more members than that: zipfile believes what the end of the file says of the table."""
    if data.count(ENTRY) > most:
        raise ValueError(say("submission.too-many-files", most=f"{most:,}"))


def opened(file: IO[bytes]) -> zipfile.ZipFile:
    """A zip that is whole. Raises what zipfile raises."""
    return zipfile.ZipFile(_whole(file))


def members(archive: zipfile.ZipFile) -> Iterator[Member]:
    """What a zip holds, folders aside."""
    for info in archive.infolist():
        if not info.filename.endswith("/"):
            read = partial(_read, archive, info)
            yield Member(name_of(info), info.file_size, info.compress_size, _refused(info), read)


def name_of(info: zipfile.ZipInfo) -> str:
    """A member's name: also behind a zero, where zipfile ends it, and in UTF-8, which a Mac does not say that it is."""
    if "\0" in info.orig_filename:
        return info.orig_filename
    if info.flag_bits & SAYS_UTF8 or info.filename.isascii():
        return info.filename
    try:
        return info.filename.encode("cp437").decode()
    except UnicodeError:
        return info.filename


def _refused(info: zipfile.ZipInfo) -> str:
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


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes:
    with archive.open(info) as member:
        return member.read(limit + 1)


def _whole(file: IO[bytes]) -> IO[bytes]:
    """A zip that has its own end, else ValueError: where it holds another zip, that one's may be the last there is."""
    file.seek(max(0, file.seek(0, io.SEEK_END) - LONGEST_END))
    tail = file.read()
    at = tail.rfind(END)
    comment = int.from_bytes(tail[at + END_SIZE - 2 : at + END_SIZE], "little")
    if at >= 0 and at + END_SIZE + comment == len(tail):
        return file
    with contextlib.suppress(zipfile.BadZipFile):
        if min((info.header_offset for info in zipfile.ZipFile(file).infolist()), default=1) == 0:
            return file
    raise ValueError(say("submission.breaks-off"))
