"""Every student of every platform's download is found, under the right name, with the work that counts."""

from __future__ import annotations

import gzip
import os
import tarfile
from pathlib import Path

import pytest

from grader.model.errors import NobodyToGrade
from grader.model.handed import Handed
from grader.model.pack import Pack
from grader.submission import archive
from grader.submission.intake import recognise

from .downloads import EVERY, Found
from .packing import EX01, tarred, zipped


def told(handed: Handed, expected: Found) -> Found:
    """What was found, in the words of what was expected."""
    source = handed.submission.modules.get(EX01, b"").decode() if handed.submission else ""
    word = expected.word if repr(expected.word) in source else source
    refused = expected.refused if expected.refused and handed.refused.startswith(expected.refused) else handed.refused
    who = handed.identity
    return Found(handed.id, who.name, word, who.user_id, who.email, who.late, tuple(sorted(handed.earlier)), refused)


@pytest.mark.parametrize("packed", ["zip", "tar.gz", "folder"])
@pytest.mark.parametrize("name", EVERY)
def test_every_student_is_found_with_the_work_that_counts(name: str, packed: str, tmp_path: Path, pack: Pack) -> None:
    download, path = EVERY[name](), tmp_path / f"download.{packed}"
    if packed == "zip":
        path.write_bytes(zipped(download.members))
    elif packed == "tar.gz":
        kinds = {member: tarfile.DIRTYPE for member in download.members if member.endswith("/")}
        path.write_bytes(tarred(download.members, kinds, gzipped=True))
    else:
        for member, content in download.members.items():
            file = path / member
            (file if member[-1] == "/" else file.parent).mkdir(parents=True, exist_ok=True)
            if member[-1] != "/":
                file.write_bytes(content)

    intake = recognise(path, pack)

    expected = {each.id: each for each in download.students}
    assert intake.layout == download.layout
    assert {each.id: told(each, expected.get(each.id, Found("", ""))) for each in intake} == expected


@pytest.mark.parametrize("packed", ["tar", "tar.gz"])
@pytest.mark.parametrize("kept", [700, 1536 + 20, 2048 + 100])  # in the first one's data, in a header, in later data
def test_a_tar_that_is_cut_off_is_refused_since_nobody_knows_who_is_missing(
    kept: int, packed: str, tmp_path: Path, pack: Pack
) -> None:
    whole = tarred({f"{who}/{EX01}.py": b"#" * 700 for who in ("ada", "bea", "cleo")})
    path = tmp_path / f"download.{packed}"
    path.write_bytes(gzip.compress(whole[:kept]) if packed == "tar.gz" else whole[:kept])

    with pytest.raises(NobodyToGrade, match=r"download.tar(.gz)? cannot be opened: "):
        recognise(path, pack)


def test_a_tar_that_is_damaged_in_a_header_is_refused(tmp_path: Path, pack: Pack) -> None:
    whole = bytearray(tarred({f"{who}/{EX01}.py": b"#" for who in ("ada", "bea")}))
    whole[1024 + 148 : 1024 + 156] = b"?" * 8  # the second one's checksum
    path = tmp_path / "download.tar"
    path.write_bytes(whole)

    with pytest.raises(NobodyToGrade, match="cannot be opened: "):
        recognise(path, pack)


def test_a_tar_may_have_as_many_members_as_it_likes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pack: Pack
) -> None:
    monkeypatch.setattr(archive, "MOST_MEMBERS", 2)  # of what a student hands in
    path = tmp_path / "download.tar"
    path.write_bytes(tarred({f"{who}/{EX01}.py": b"#" for who in ("ada", "bea", "cleo")}))

    assert [handed.id for handed in recognise(path, pack)] == ["ada", "bea", "cleo"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_what_is_there_and_neither_a_folder_nor_an_archive_is_told_as_that(tmp_path: Path, pack: Pack) -> None:
    path = tmp_path / "download.zip"
    os.mkfifo(path)

    with pytest.raises(NobodyToGrade, match=r"is neither a folder nor a zip, tar or tar.gz of submissions"):
        recognise(path, pack)
