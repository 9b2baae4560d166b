"""Archives are read member by member: what cannot be trusted is refused by name, and the rest is graded."""

from __future__ import annotations

import gzip
import io
import random
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.submission import archive
from grader.submission.files import Unreadable
from grader.submission.read import read_submission

from .packing import EX01, EX02, headed, many_records, notebook, record, tarred, zipped

GOOD = {f"{EX02}.py": b"y = 2\n"}
Read = Callable[..., Submission]


@pytest.fixture
def read(tmp_path: Path, pack: Pack) -> Read:
    """Reads an archive of these bytes."""

    def reading(data: bytes, name: str = "ada.zip") -> Submission:
        path = tmp_path / name
        path.write_bytes(data)
        return read_submission(path, pack)

    return reading


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        ("ada.zip", zipped),
        ("ada.tar", tarred),
        ("ada.tar.gz", lambda members: tarred(members, gzipped=True)),
        ("ada.tgz", lambda members: tarred(members, gzipped=True)),
    ],
)
@pytest.mark.parametrize("folder", ["", "exercises/", "ada/", "homework/exercises/", "./"])
def test_an_archive_is_read_like_the_folder_that_was_packed(
    read: Read, name: str, packed: Callable[[dict[str, bytes]], bytes], folder: str
) -> None:
    submission = read(packed({f"{folder}{EX01}.py": b"x = 1\n", f"{folder}extra.py": b"", "README.md": b"x"}), name)

    assert submission.modules == {EX01: b"x = 1\n", "extra": b""}
    assert (submission.id, submission.notes, submission.unreadable) == ("ada", (), {})


def test_the_exercises_of_several_folders_are_put_together(read: Read) -> None:
    submission = read(zipped({f"week1/{EX01}.py": b"1", f"week2/{EX02}.py": b"2"}))

    assert submission.modules == {EX01: b"1", EX02: b"2"}


def test_a_module_that_was_saved_as_a_text_is_read_in_an_archive_too(read: Read) -> None:
    submission = read(zipped({f"{EX01}.py.txt": b"x = 1\n", f"{EX02}.PY": b"y = 1\n"}))

    assert submission.modules == {EX01: b"x = 1\n", EX02: b"y = 1\n"}


def test_why_something_was_not_taken_is_told_where_there_is_nothing_else(read: Read) -> None:
    with pytest.raises(NothingToGrade) as told:
        read(zipped({"work.zip": zipped(GOOD), f"{EX01}.txt": b"x = 1\n"}))

    assert "work.zip in ada.zip is an archive inside the archive; hand in its files themselves." in str(told.value)
    assert f"{EX01}.txt was not graded: it has to be called {EX01}.py." in str(told.value)


def test_noise_is_passed_over_without_a_word(read: Read) -> None:
    noise = {f"__MACOSX/._{EX01}.py": b"", ".DS_Store": b"", f".ipynb_checkpoints/{EX01}.py": b"",
             f"__pycache__/{EX01}.py": b"", f".venv/lib/{EX01}.py": b"",
             f"my env/lib/site-packages/lab/{EX01}.py": b""}  # fmt: skip

    submission = read(zipped({**GOOD, **noise}))

    assert (set(submission.modules), submission.notes) == ({EX02}, ())


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (f"/{EX01}.py", "has an absolute path"),
        (f"\\{EX01}.py", "has an absolute path"),
        (f"../{EX01}.py", "leads out of the archive"),
        (f"a/../../{EX01}.py", "leads out of the archive"),
        (f"a\\..\\..\\{EX01}.py", "leads out of the archive"),
        (f"a/../{EX01}.py", "has `..` in its name, which is not taken"),
        (f"a\\..\\{EX01}.py", "has `..` in its name, which is not taken"),
        (f"C:{EX01}.py", "names a drive"),
        (f"c:\\{EX01}.py", "names a drive"),
        (f"\x1b[31m/{EX01}.py", "has a name that cannot be shown"),
        (f"\u202e/{EX01}.py", "has a name that cannot be shown"),
    ],
)
@pytest.mark.parametrize("packed", [zipped, tarred])
def test_a_name_that_leads_elsewhere_is_refused_and_the_rest_is_graded(
    read: Read, packed: Callable[..., bytes], name: str, why: str
) -> None:
    submission = read(packed({name: b"bad\n", **GOOD}))

    assert submission.modules == {EX02: b"y = 2\n"}
    assert len(submission.notes) == 1
    assert why in submission.notes[0]


def test_a_name_of_a_zip_does_not_end_at_a_zero(read: Read) -> None:
    submission = read(zipped({f"{EX01}.py\0.png": b"bad\n", **GOOD}))

    assert submission.modules == {EX02: b"y = 2\n"}
    assert "has a name that cannot be shown" in submission.notes[0]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_a_member_of_a_zip_that_is_no_regular_file_is_refused(read: Read, kind: int) -> None:
    submission = read(zipped({f"{EX01}.py": b"/etc/passwd", **GOOD}, {f"{EX01}.py": kind}))

    said = "is a link; hand in the file itself" if kind == stat.S_IFLNK else "is no regular file"
    assert submission.modules == {EX02: b"y = 2\n"}
    assert submission.unreadable == {EX01: f"{EX01}.py in ada.zip {said}."}


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.CONTTYPE]
)
def test_a_member_of_a_tar_that_is_no_regular_file_is_refused(read: Read, kind: bytes) -> None:
    submission = read(tarred({f"{EX01}.py": b"", **GOOD}, {f"{EX01}.py": kind}), "ada.tar")

    assert EX02 in submission.modules
    assert submission.modules.get(EX01, b"") == b""
    assert (EX01 in submission.unreadable) == (kind != tarfile.CONTTYPE)  # an old name for a regular file


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (f"{EX01}.py", "stands there 2 times"),
        (f"{EX01}.PY", "but for its case"),
        (f"{EX01.upper()}.py", "for its case"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_members_that_cannot_be_told_apart_neither_is_taken(read: Read, other: str, said: str) -> None:
    submission = read(zipped([(f"{EX01}.py", b"one\n"), (other, b"two\n"), *GOOD.items()]))

    assert submission.modules == {EX02: b"y = 2\n"}
    assert said in submission.unreadable[EX01]


def test_an_encrypted_member_is_refused(read: Read) -> None:
    data = bytearray(zipped({f"{EX01}.py": b"x", **GOOD}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1

    submission = read(bytes(data))

    assert submission.unreadable == {EX01: f"{EX01}.py in ada.zip is encrypted."}
    assert submission.modules == {EX02: b"y = 2\n"}


def test_an_archive_inside_the_archive_is_refused(read: Read) -> None:
    submission = read(zipped({"inner.zip": zipped({f"{EX01}.py": b"x"}), **GOOD}))

    assert set(submission.modules) == {EX02}
    assert submission.notes == ("inner.zip in ada.zip is an archive inside the archive; hand in its files themselves",)


def test_another_way_of_packing_is_refused(read: Read, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr(f"{EX01}.py", "x = 1\n", zipfile.ZIP_LZMA)
        packed.writestr(f"{EX02}.py", "y = 2\n", zipfile.ZIP_STORED)

    submission = read((tmp_path / "a.zip").read_bytes())

    assert (set(submission.modules), set(submission.unreadable)) == ({EX02}, {EX01})


@pytest.mark.parametrize("packed", [zipped, tarred])
def test_a_member_at_the_limit_is_read_and_one_byte_more_is_told(read: Read, packed: Callable[..., bytes]) -> None:
    data = random.Random(0).randbytes((1 << 20) + 1)

    submission = read(packed({f"{EX01}.py": data[: 1 << 20], f"{EX02}.py": data}))

    assert len(submission.modules[EX01]) == 1 << 20
    assert submission.unreadable[EX02] == f"{EX02}.py has 1,048,577 bytes; at most 1,048,576 are read."


def test_a_bomb_is_refused_by_its_ratio_before_it_is_unpacked(read: Read) -> None:
    submission = read(zipped({"big.ipynb": b" " * (12 << 20), **GOOD}))

    assert submission.modules == {EX02: b"y = 2\n"}
    assert submission.notes == ("big.ipynb unpacks to more than 200 times its size",)


def test_what_is_read_of_one_archive_has_an_end(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_TOTAL", 100)

    submission = read(zipped({f"{EX01}.py": b"#" * 60, f"{EX02}.py": b"#" * 60}))

    assert set(submission.modules) == {EX01}
    assert "is too much" in submission.unreadable[EX02]


def test_a_gzip_bomb_is_unpacked_to_a_limit_and_what_stands_before_it_is_graded(read: Read) -> None:
    submission = read(tarred({**GOOD, "zeros.bin": bytes(64 << 20)}, gzipped=True), "ada.tar.gz")

    assert submission.modules == {EX02: b"y = 2\n"}
    assert any("unpacks to more than" in note for note in submission.notes)


def test_a_tar_that_is_cut_off_is_graded_up_to_there(read: Read) -> None:
    whole = tarred([*GOOD.items(), (f"{EX01}.py", b"#" * 5000)])

    submission = read(whole[:2000], "ada.tar")

    assert EX02 in submission.modules
    assert EX01 not in submission.modules


def test_a_crowd_of_members_is_cut_and_told(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 50)

    submission = read(zipped({**{f"deep/er/{number}.py": b"" for number in range(60)}, **GOOD}))

    assert EX02 in submission.modules
    assert "holds 61 files; only the 50 outermost are looked at" in submission.notes[0]


def test_a_table_of_far_too_many_members_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_MEMBERS", 10)

    with pytest.raises(Unreadable, match="more than 10 files"):
        archive.opened(zipped({f"{number}.py": b"" for number in range(11)}))


def test_refusals_beyond_ten_are_counted(read: Read) -> None:
    submission = read(zipped({**{f"../{number}.py": b"" for number in range(25)}, **GOOD}))

    assert len(submission.notes) == 11
    assert submission.notes[-1] == "15 more files were not taken"


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"PK\x03\x04 no", b"\x1f\x8b no", b"no archive", gzip.compress(b"no tar", mtime=0)]
)
@pytest.mark.parametrize("name", ["ada.zip", "ada.tar", "ada.tar.gz"])
def test_what_is_no_archive_is_nothing_to_grade_in_a_sentence(read: Read, data: bytes, name: str) -> None:
    with pytest.raises(NothingToGrade, match=r"cannot be opened as zip, tar or tar\.gz|holds no exercise"):
        read(data, name)


def test_a_zip_that_breaks_off_is_told_to(read: Read) -> None:
    whole = zipped({f"{EX01}.py": b"x = 1\n" * 500})

    with pytest.raises(NothingToGrade, match=r"ada\.zip cannot be opened .*it breaks off before its end"):
        read(whole[: len(whole) // 2])


def test_a_zip_that_breaks_off_is_not_the_zip_inside_it(read: Read) -> None:
    inner = zipped({f"{EX01}.py": b"x = 1\n"})
    whole = zipped({f"{EX02}.py": b"y = 1\n", "old.zip": inner})

    assert {*read(whole).modules} == {EX02}
    with pytest.raises(NothingToGrade, match="it breaks off before its end"):
        read(whole[:-60])


def test_an_archive_without_exercises_is_nothing_to_grade(read: Read) -> None:
    with pytest.raises(NothingToGrade, match="holds no exercise"):
        read(zipped({"essay.txt": b"x"}))


def test_an_archive_that_is_a_link_is_not_followed(tmp_path: Path, pack: Pack) -> None:
    (tmp_path / "real.zip").write_bytes(zipped(GOOD))
    (tmp_path / "ada.zip").symlink_to(tmp_path / "real.zip")

    with pytest.raises(NothingToGrade, match="is a link"):
        read_submission(tmp_path / "ada.zip", pack)


def test_a_notebook_in_an_archive_is_read(read: Read) -> None:
    submission = read(zipped({"lab/attention.ipynb": notebook("def softmax(scores):\n    return scores")}))

    assert set(submission.modules) == {EX02}


PIECES = ["a", "A", "/", "\\", "..", ".", ":", "C:", "\0", "\u202e", "é", "e\u0301", f"{EX01}.py", ".py", "\n"]
NAMES = st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.text(max_size=20)


@given(st.lists(st.tuples(NAMES, st.binary(max_size=30)), max_size=6), st.booleans())
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_no_name_gets_through_that_is_not_plain(members: list[tuple[str, bytes]], is_zip: bool) -> None:
    named = [(name.encode("utf-8", "replace").decode(), data) for name, data in members]
    found = archive.opened(zipped([*named, ("good.py", b"")]) if is_zip else tarred([*named, ("good.py", b"")]))

    names = [file.name for file in found.files]
    assert len({name.casefold() for name in names}) == len(names)
    for name in names:
        assert not name.startswith("/") and "\\" not in name and ".." not in name.split("/")
        assert name.isprintable()


HEADERS = {
    "digits": (tarfile.XHDTYPE, lambda: b"1" * 400_000),
    "records": (tarfile.XHDTYPE, lambda: b"2 " * 400_000 + b"="),
    "marks": (tarfile.XHDTYPE, lambda: record("path", "\u0315\u0300" * 200_000)),
    "marks in a row": (tarfile.XHDTYPE, lambda: record("path", "\u302e\U0001d165" * 200_000)),
    "of all": (tarfile.XGLTYPE, lambda: many_records(200_000)),
}


@pytest.mark.no_cover
@pytest.mark.timeout(30)
@pytest.mark.parametrize("kind", HEADERS)
def test_no_header_of_a_tar_takes_time(read: Read, kind: str) -> None:
    letter, said = HEADERS[kind]
    members = {"first.py": b"", **{f"{number}.txt": b"" for number in range(1000)}, **GOOD}

    submission = read(headed(letter, said()) + tarred(members), "ada.tar")

    assert submission.modules[EX02] == GOOD[f"{EX02}.py"]


def test_what_an_extended_header_says_of_a_member_is_read() -> None:
    names = ["ä" * 120 + "/x.py", "plain.py"]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT, pax_headers={"comment": "all"}) as tar:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = 3, 1.5
            info.pax_headers = {"size": "3"}
            tar.addfile(info, io.BytesIO(b"abc"))

    found = archive.opened(packed.getvalue())

    assert [(file.name, file.read(10)) for file in found.files] == [(name, b"abc") for name in names]


def test_a_file_of_holes_is_refused_however_it_says_so(read: Read) -> None:
    holes = headed(tarfile.XHDTYPE, record("GNU.sparse.major", "1") + record("GNU.sparse.minor", "0"))

    submission = read(holes + tarred({f"{EX01}.py": b"1\n0\n1\n", **GOOD}), "ada.tar")

    assert EX01 in submission.unreadable
    assert submission.modules[EX02] == GOOD[f"{EX02}.py"]


@given(st.integers(0, 600), st.binary(min_size=1, max_size=8), st.sampled_from(["zip", "tar", "gz"]))
def test_a_damaged_archive_ends_in_a_sentence_or_in_whole_files(at: int, noise: bytes, kind: str) -> None:
    members = {f"{EX01}.py": b"x = 1\n" * 20, **GOOD}
    whole = bytearray(zipped(members) if kind == "zip" else tarred(members, gzipped=kind == "gz"))
    whole[at % len(whole) : at % len(whole) + len(noise)] = noise

    try:
        found = archive.opened(bytes(whole))
        for file in found.files:
            try:
                file.read(1 << 20)
            except Unreadable as why:
                assert str(why)
    except Unreadable as why:
        assert str(why)
