"""The fixtures are what the reference gives, byte for byte, and any change to them is found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from .conftest import ROOT, Grade

FIXTURES = ROOT / "fixtures"
FILES = sorted(path.name for path in FIXTURES.glob("*.safetensors"))


@pytest.mark.timeout(600)
def test_building_again_gives_the_same_bytes_as_those_that_are_kept(grade: Grade, tmp_path: Path) -> None:
    assert grade("fixtures", "build", "--out", tmp_path / "again").returncode == 0

    assert {path.name for path in (tmp_path / "again").iterdir()} == {*FILES, "manifest.json"}
    kept, built = (
        json.loads((folder / "manifest.json").read_text("utf-8")) for folder in (FIXTURES, tmp_path / "again")
    )
    for manifest in (kept, built):
        manifest.pop("versions")
    assert kept == built


def test_the_manifest_describes_every_file_and_no_other() -> None:
    manifest = json.loads((FIXTURES / "manifest.json").read_text("utf-8"))

    assert sorted(manifest["files"]) == FILES
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((FIXTURES / name).read_bytes()).hexdigest() == digest


def test_the_fixtures_hold_numbers_and_nothing_that_runs() -> None:
    for name in FILES:
        for tensor in safetensors.numpy.load((FIXTURES / name).read_bytes()).values():
            assert tensor.dtype.kind in "fbiu"


def test_fixtures_check_proves_them(grade: Grade) -> None:
    done = grade("fixtures", "check")

    assert done.returncode == 0
    assert "answers are what the reference gives" in done.stdout


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit_anywhere_in_a_file_is_found(name: str, grade: Grade, copied: Path) -> None:
    file = copied / "fixtures" / name
    content = bytearray(file.read_bytes())
    # Another place in every file: its header, its first number, somewhere in the middle, its last byte.
    place = [0, 12, len(content) // 2, len(content) - 1][FILES.index(name) % 4]
    content[place] ^= 1 << FILES.index(name) % 8
    file.write_bytes(content)

    done = grade("fixtures", "check", before=copied)

    assert done.returncode == 3
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_file_is_found(grade: Grade, copied: Path) -> None:
    (copied / "fixtures" / FILES[4]).unlink()

    done = grade("fixtures", "check", before=copied)

    assert done.returncode == 3
    assert FILES[4] in done.stderr


@pytest.mark.parametrize(
    "change",
    [
        lambda manifest: "no JSON at all",
        lambda manifest: json.dumps([]),
        lambda manifest: json.dumps({**manifest, "format": 99}),
        lambda manifest: json.dumps({**manifest, "exercises": {}}),
        lambda manifest: json.dumps({key: value for key, value in manifest.items() if key != "files"}),
        lambda manifest: json.dumps({key: value for key, value in manifest.items() if key != "exercises"}),
    ],
    ids=["no JSON", "no object", "another format", "no exercises", "no key for files", "no key for exercises"],
)
def test_a_broken_manifest_is_found(change: Callable[[dict[str, Any]], str], grade: Grade, copied: Path) -> None:
    manifest = copied / "fixtures/manifest.json"
    manifest.write_text(change(json.loads(manifest.read_text("utf-8"))), "utf-8")

    done = grade("fixtures", "check", before=copied)

    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("exercise", ["ex01_dot_product_scores", "ex12_multi_head_attention"])
def test_a_changed_answer_is_found_although_its_sha256_was_corrected(exercise: str, grade: Grade, copied: Path) -> None:
    key = _change_an_answer(copied / "fixtures", exercise)

    done = grade("fixtures", "check", before=copied)

    assert done.returncode == 3
    assert f"{key.split('/')[1]}/{key.split('/')[2]}" in done.stderr
    assert "not what the reference gives" in done.stderr


def _change_an_answer(folder: Path, exercise: str) -> str:
    """Make one number of one answer a thousandth larger, and the manifest agree; the answer's key."""
    file = folder / f"{exercise}.safetensors"
    tensors = safetensors.numpy.load(file.read_bytes())
    key = next(name for name in sorted(tensors) if name.startswith("answer/") and tensors[name].dtype == np.float64)
    changed = tensors[key].copy()
    changed.flat[0] *= 1.001
    content = safetensors.numpy.save({**tensors, key: changed})
    file.write_bytes(content)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["files"][file.name] = hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    return key
