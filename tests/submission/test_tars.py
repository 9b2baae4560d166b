"""The members of a tar: what each is called and of what kind it is, as far as the tar is sound."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.submission import tars
from grader.submission.members import Member

from .packing import headed, record, tarred

BLOCK = tarfile.BLOCKSIZE
CUT_OFF = "is damaged or cut off; what stands before that place is graded"
NAMES = st.text("abc/é ", min_size=1, max_size=9).filter(lambda name: name.strip("/") == name)


def members(data: bytes, most: int = 100) -> tuple[list[Member], list[str]]:
    notes: list[str] = []
    return list(tars.members(tars.opened(io.BytesIO(data)), most, notes)), notes


def names(data: bytes) -> list[str]:
    return [member.name for member in members(data)[0]]


@given(st.dictionaries(NAMES, st.binary(max_size=600), max_size=5))
def test_each_member_is_given_as_it_was_packed(packed: Mapping[str, bytes]) -> None:
    found, notes = members(tarred(packed))

    assert {member.name: member.read(1000) for member in found} == packed
    assert all(member.size == len(packed[member.name]) and not member.refused for member in found)
    assert notes == []


@given(st.binary(min_size=2, max_size=200), st.integers(0, 1))
def test_no_more_is_read_of_a_member_than_one_byte_beyond_the_limit(data: bytes, beyond: int) -> None:
    ((member,), _) = members(tarred({"a.py": data}))
    limit = len(data) - 1 - beyond

    assert member.read(limit) == data[: limit + 1]


def test_folders_are_no_members() -> None:
    assert names(tarred({"week1": b"", "week1/a.py": b"x"}, {"week1": tarfile.DIRTYPE})) == ["week1/a.py"]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (tarfile.REGTYPE, ""),
        (tarfile.AREGTYPE, ""),
        (tarfile.SYMTYPE, "is a link"),
        (tarfile.LNKTYPE, "is a link"),
        (tarfile.FIFOTYPE, "is no regular file"),
        (tarfile.CHRTYPE, "is no regular file"),
    ],
)
def test_why_a_member_is_refused_is_known_before_it_is_read(kind: bytes, said: str) -> None:
    (refused, taken), _ = members(tarred({"a.py": b"", "b.py": b"y"}, {"a.py": kind}))

    assert refused.refused.startswith(said) and bool(refused.refused) == bool(said)
    assert not taken.refused


def test_at_most_so_many_members_are_looked_at_and_told() -> None:
    data = tarred({f"{number}.py": b"" for number in range(4)})

    found, notes = members(data, most=3)

    assert [member.name for member in found] == ["0.py", "1.py", "2.py"]
    assert notes == ["holds more than 3 members; only those were looked at"]
    assert members(data, most=5)[1] == []


@given(st.integers(0, 6 * BLOCK), st.binary(min_size=1, max_size=BLOCK))
def test_where_a_tar_is_damaged_what_stands_before_is_given(at: int, noise: bytes) -> None:
    whole = tarred({f"{number}.py": b"x" * 600 for number in range(2)})  # three blocks each
    damaged = bytearray(whole)
    damaged[at : at + len(noise)] = noise

    try:
        found, _ = members(bytes(damaged))
    except tarfile.ReadError:
        assert at < BLOCK  # of which nothing stands before
        return
    if at >= 3 * BLOCK:
        assert found[0].name == "0.py" and found[0].read(1000) == b"x" * 600


@pytest.mark.parametrize("left", [0, 1, 100, BLOCK - 1, BLOCK + 1, 2 * BLOCK], ids=str)
def test_what_is_cut_off_in_a_header_or_in_a_member_is_told(left: int) -> None:
    whole = tarred({"0.py": b"x" * 600, "1.py": b"y" * 600})

    found, notes = members(whole[: 3 * BLOCK + left])

    assert found[0].name == "0.py"
    assert notes == ([CUT_OFF] if left else [])  # of what ends behind a member nobody knows that there was more


def test_a_header_that_is_damaged_is_told() -> None:
    whole = bytearray(tarred({"0.py": b"x" * 600, "1.py": b"y" * 600}))
    whole[3 * BLOCK] ^= 1

    found, notes = members(bytes(whole))

    assert [member.name for member in found] == ["0.py"]
    assert notes == [CUT_OFF]


@pytest.mark.parametrize("size", [-1, -512, -(1 << 40)])
@pytest.mark.no_cover
@pytest.mark.timeout(30)
def test_a_size_below_zero_leads_nowhere(size: int) -> None:
    info = tarfile.TarInfo("back.py")
    info.size = size

    found, notes = members(tarred({"0.py": b"x"})[: 2 * BLOCK] + info.tobuf(tarfile.GNU_FORMAT) + bytes(2 * BLOCK))

    assert [member.name for member in found] == ["0.py"]
    assert notes == [CUT_OFF]


def test_an_extended_header_gives_its_member_another_name_and_size() -> None:
    said = headed(tarfile.XHDTYPE, record("path", "Übung/a.py") + record("size", "3"))

    (first, second), _ = members(said + tarred({"plain.py": b"abc", "next.py": b"y"}))

    assert (first.name, first.size, first.read(10)) == ("Übung/a.py", 3, b"abc")
    assert (second.name, second.read(10)) == ("next.py", b"y")


def test_what_a_header_says_of_all_members_gives_none_another_name() -> None:
    said = headed(tarfile.XGLTYPE, record("path", "secret.py"))

    assert names(said + tarred({"a.py": b"x", "b.py": b"y"})) == ["a.py", "b.py"]


def test_what_is_packed_once_more_is_not_unpacked_here() -> None:
    with pytest.raises(tarfile.ReadError):
        tars.opened(io.BytesIO(tarred({"a.py": b"x"}, gzipped=True)))
