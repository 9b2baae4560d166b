"""Every student of every platform's download is found, under the right name, with the work that counts."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from grader.model.handed import Handed
from grader.model.pack import Pack
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
