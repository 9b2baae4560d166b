"""A stub that is put back costs nobody what they had."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.desk.reset import reset
from grader.model.errors import NotWritten


def test_what_was_written_is_kept_each_time_under_a_name_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "ex01.py"
    kept = []
    for text in ("first", "second"):
        file.write_text(text, "utf-8")
        kept.append(reset(file, b"stub"))

    assert [path.name for path in kept if path] == ["ex01.py.1", "ex01.py.2"]
    assert [path.read_text("utf-8") for path in kept if path] == ["first", "second"]
    assert file.read_bytes() == b"stub"


def test_a_module_that_is_gone_is_put_back(tmp_path: Path) -> None:
    assert reset(tmp_path / "ex01.py", b"stub") is None
    assert (tmp_path / "ex01.py").read_bytes() == b"stub"


def test_what_cannot_be_kept_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "ex01.py").mkdir()

    with pytest.raises(NotWritten, match="is left as it is"):
        reset(tmp_path / "ex01.py", b"stub")
