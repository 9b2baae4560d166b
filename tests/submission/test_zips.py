"""The members of a zip: what each is called and of what kind it is, and which data are a zip at all."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.submission import archive, zips
from grader.submission.members import Member

from .packing import tarred, zipped


def members(data: bytes) -> dict[str, Member]:
    return {member.name: member for member in zips.members(zips.opened(io.BytesIO(data)))}


def called(name: bytes, data: bytes = b"x") -> bytes:
    """A zip with one member of a name in whatever encoding, which nothing says to be UTF-8."""
    plain = "n" * len(name)
    return zipped({plain: data}).replace(plain.encode(), name)


@pytest.mark.parametrize("mark", [b"", b"PK00", b"PK\x07\x08"])  # as packers for several disks begin
def test_a_zip_begins_like_one_also_without_members_or_behind_a_mark(mark: bytes) -> None:
    assert zips.is_zip(mark + zipped({"a.py": b"x"}))
    assert zips.is_zip(zipped({}))


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03", b"PK00", b"PK\x07\x08 no", b"\x1f\x8b\x08\x00", b"PK/a.py"])
def test_what_only_begins_with_its_letters_is_no_zip(data: bytes) -> None:
    assert not zips.is_zip(data)


@pytest.mark.parametrize("name", ["PK/a.py", "PK00/a.py", "PKOLL_Ada/a.py"])
def test_a_tar_whose_first_name_has_a_zip_s_letters_is_a_tar_for_whoever_opens_it(name: str) -> None:
    data = tarred({name: b"x = 1\n"})

    files, _ = archive.everything(io.BytesIO(data))

    assert [(file.name, file.read(100)) for file in files] == [(name, b"x = 1\n")]
    assert [(file.name, file.read(100)) for file in archive.opened(data).files] == [(name, b"x = 1\n")]


NAMES = st.text("abc/é ", min_size=1, max_size=9).filter(lambda name: not name.endswith("/"))


@given(st.dictionaries(NAMES, st.binary(max_size=99)))
def test_each_member_is_given_as_it_was_packed(packed: dict[str, bytes]) -> None:
    found = members(zipped(packed))

    assert {name: member.read(100) for name, member in found.items()} == packed
    assert all(member.size == len(packed[name]) and not member.refused for name, member in found.items())


@given(st.binary(min_size=2, max_size=200), st.integers(0, 1))
def test_no_more_is_read_of_a_member_than_one_byte_beyond_the_limit(data: bytes, beyond: int) -> None:
    member = members(zipped({"a.py": data}))["a.py"]
    limit = len(data) - 1 - beyond

    assert member.read(limit) == data[: limit + 1]


def test_folders_are_no_members() -> None:
    assert [*members(zipped({"week1/": b"", "week1/a.py": b"x"}))] == ["week1/a.py"]


@pytest.mark.parametrize(
    ("name", "read_as"),
    [
        ("Übung.py".encode(), "Übung.py"),  # of a Mac's own packer
        ("Übung.py".encode("cp437"), "Übung.py"),
        (b"a.py\0.png", "a.py\0.png"),
        (b"plain.py", "plain.py"),
    ],
)
def test_a_name_is_what_whoever_packed_it_saw(name: bytes, read_as: str) -> None:
    assert [*members(called(name))] == [read_as]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (0, ""),
        (stat.S_IFREG, ""),
        (stat.S_IFLNK, "is a link"),
        (stat.S_IFIFO, "is no regular file"),
        (stat.S_IFDIR, "is no regular file"),  # whatever its name looks like
    ],
)
def test_why_a_member_is_refused_is_known_before_it_is_read(kind: int, said: str) -> None:
    refused = members(zipped({"a.py": b"x", "b.py": b"y"}, {"a.py": kind}))

    assert refused["a.py"].refused.startswith(said) and bool(refused["a.py"].refused) == bool(said)
    assert not refused["b.py"].refused


def test_a_table_has_at_most_so_many_entries_whatever_the_end_says_of_it() -> None:
    data = zipped({f"{number}.py": b"" for number in range(4)})
    lying = data[:-14] + bytes(4) + data[-10:]  # which says that there is none

    zips.check_count(data, 4)
    for each in (data, lying):
        with pytest.raises(ValueError, match="more than 3 files"):
            zips.check_count(each, 3)


@given(st.integers(1, 200))
def test_a_zip_that_breaks_off_is_no_shorter_zip(left_out: int) -> None:
    inner = zipped({"inner.py": b"x = 1\n"})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as whole:
        whole.writestr("a.py", "y = 1\n")
        whole.writestr("inner.zip", inner)

    with pytest.raises((ValueError, zipfile.BadZipFile)):
        zips.opened(io.BytesIO(packed.getvalue()[:-left_out]))


def test_a_zip_with_a_comment_or_with_more_behind_its_end_is_whole() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("a.py", "x")
        made.comment = b"of Ada"

    assert [*members(packed.getvalue())] == ["a.py"]
    assert [*members(zipped({"a.py": b"x"}) + b"\n")] == ["a.py"]
