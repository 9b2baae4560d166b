"""The members of a tar, read so that no header of it takes time or leads backwards."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from functools import partial
from typing import IO, Self

from grader.submission.members import BROKEN, Member
from grader.words import say

# What a record in an extended header begins with.
LENGTH = re.compile(rb"([1-9]\d{0,9}) ")


def opened(file: IO[bytes]) -> tarfile.TarFile:
    """A tar that is not packed. Raises what tarfile raises."""
    return tarfile.open(fileobj=file, mode="r:", tarinfo=_Header)


def members(archive: tarfile.TarFile, most: int, notes: list[str]) -> Iterator[Member]:
    """What a tar holds, folders aside, as far as it is sound. notes: get a sentence where that is not all."""
    for _ in range(most):
        try:
            info = archive.next()
        except BROKEN:
            notes.append(say("submission.damaged-or-cut-off"))
            return
        if info is None:
            return
        if not info.isdir():
            read = partial(_read, archive, info)
            yield Member(info.name, info.size, max(info.size, 1), _refused(info), read)
    notes.append(say("submission.more-members", most=f"{most:,}"))


def _refused(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return say("submission.link")
    if not info.isreg() or info.sparse is not None:
        return say("submission.no-file")
    return ""


def _read(archive: tarfile.TarFile, info: tarfile.TarInfo, limit: int) -> bytes:
    member = archive.extractfile(info)
    return b"" if member is None else member.read(limit + 1)


class _Header(tarfile.TarInfo):
    """A header that no size below zero sends backwards, which made older tarfiles read for ever (CVE-2025-8194).

    Nor any header in front of it: tarfile's patterns take the square of their lengths (CVE-2024-6232), and what is said
    of all members it copies for each.
    """

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        """The next member. Of a header that is damaged or cut off, tarfile itself would say that nothing follows."""
        try:
            return super().fromtarfile(archive)
        except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
            raise tarfile.ReadError(str(error)) from None

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
    while length := LENGTH.match(data, end):
        end += int(length[1])
        if data[end - 1 : end] != b"\n":
            return
        key, _, value = data[length.end() : end - 1].partition(b"=")
        yield key, value
