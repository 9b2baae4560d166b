"""Of both kinds of archive a member is told alike: what it is, and how large, before a byte of it is read."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable

import pytest

from grader.submission import tars, zips
from grader.submission.members import Member

from .packing import tarred, zipped


def of_zip(data: bytes) -> list[Member]:
    return list(zips.members(zips.opened(io.BytesIO(data))))


def of_tar(data: bytes) -> list[Member]:
    return list(tars.members(tars.opened(io.BytesIO(data)), 10, []))


KINDS = pytest.mark.parametrize(("packed", "listed"), [(zipped, of_zip), (tarred, of_tar)], ids=["zip", "tar"])
Packed = Callable[..., bytes]
Listed = Callable[[bytes], list[Member]]


@KINDS
def test_a_member_is_the_same_of_either_kind(packed: Packed, listed: Listed) -> None:
    (member,) = listed(packed({"week1/a.py": b"x" * 5000}))

    assert (member.name, member.size, member.refused) == ("week1/a.py", 5000, "")
    assert member.read(5000) == b"x" * 5000


@KINDS
def test_members_stand_in_the_order_of_the_archive_and_are_read_in_any(packed: Packed, listed: Listed) -> None:
    found = listed(packed({name: name.encode() for name in ("c", "a", "b")}))

    assert [member.name for member in found] == ["c", "a", "b"]
    assert [member.read(9) for member in reversed(found)] == [b"b", b"a", b"c"]


@KINDS
def test_what_a_member_takes_there_is_never_nothing_where_it_holds_anything(packed: Packed, listed: Listed) -> None:
    (member,) = listed(packed({"a.py": b"\0" * 100_000}))

    assert 0 < member.packed <= member.size


def test_nobody_changes_what_was_seen_of_a_member() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Member("a.py", 1, 1, "", lambda _: b"x").refused = "no"  # type: ignore[misc]
