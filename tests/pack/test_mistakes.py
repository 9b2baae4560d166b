"""Edits of the reference: each matches once, those in different places compose, and what is wrong in a file is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.model.errors import RubricError
from grader.pack.mistakes import applied, combinations, read_edits

SOURCE = "scores = a @ b\nscaled = scores / d ** 0.5\nweights = softmax(scaled)\n"
KNOWN = ("scale-missing", "scale-no-sqrt", "softmax-missing")
FILE = """\
scale-missing:
  - - replace: " / d ** 0.5"
      with: ""
scale-no-sqrt:
  - - replace: " ** 0.5"
      with: ""
softmax-missing:
  - - replace: softmax(scaled)
      with: scaled
"""


def edits(folder: Path, text: str = FILE, source: str = SOURCE):  # type: ignore[no-untyped-def]
    (folder / "ex01.yaml").write_text(text, "utf-8")
    return read_edits(folder, "ex01", source, KNOWN)


def test_an_edit_changes_its_place_and_nothing_else(tmp_path: Path) -> None:
    missing, no_sqrt, _ = edits(tmp_path)

    assert applied(SOURCE, [missing]) == SOURCE.replace(" / d ** 0.5", "")
    assert applied(SOURCE, [no_sqrt]) == SOURCE.replace(" ** 0.5", "")


def test_edits_in_different_places_compose_and_others_do_not(tmp_path: Path) -> None:
    found = edits(tmp_path)

    pairs = [{edit.id for edit in pair} for pair in combinations(found, 2)]

    assert pairs == [{"scale-missing", "softmax-missing"}, {"scale-no-sqrt", "softmax-missing"}]
    assert applied(SOURCE, (found[0], found[2])).endswith("scaled = scores\nweights = scaled\n")


def test_an_exercise_without_a_file_has_no_edits(tmp_path: Path) -> None:
    assert read_edits(tmp_path, "ex02", SOURCE, KNOWN) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mask-eaten:\n  - - {replace: softmax, with: x}\n", "the rubric has no mistake 'mask-eaten'"),
        ("scale-missing:\n  - - {replace: s, with: x}\n", "'s' stands 8 times in the reference, not once"),
        ("scale-missing:\n  - - {replace: gone, with: x}\n", "'gone' stands 0 times in the reference, not once"),
        ("scale-missing:\n  - - {replace: softmax}\n", "an edit has the keys `replace` and `with`"),
        ("scale-missing:\n  - - {replace: softmax, with: 0.5}\n", "`replace` and `with` are texts"),
        ("scale-missing:\n  - x\n", "a way is a list of `replace` and `with`"),
        ("scale-missing: {replace: softmax, with: x}\n", "'scale-missing' has a list of ways"),
        ("scale-missing: x\n", "'scale-missing' has a list of ways"),
        ("- x\n", "each id has a list of ways"),
        ("scale-missing: [\n", "not YAML"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_place(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(RubricError) as error:
        edits(tmp_path, text)

    assert told in str(error.value)
    assert str(error.value).startswith(f"{tmp_path.name}/ex01.yaml:")


def test_bytes_that_are_no_text_are_told_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "ex01.yaml").write_bytes(b"scale-missing:\n  # \xf6\n  - []\n")

    with pytest.raises(RubricError, match=rf"{tmp_path.name}/ex01\.yaml:2:5: not UTF-8"):
        read_edits(tmp_path, "ex01", SOURCE, KNOWN)
