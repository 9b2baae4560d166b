"""The fixtures are what the reference gives, and any change to them is found."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy

from tests.command import ROOT, Grade
from tests.sampling import every_time

FIXTURES = ROOT / "fixtures"
FILES = sorted(path.name for path in FIXTURES.glob("*.safetensors"))


# What another processor may change: the last bits of a float64, and by how much float32 is off where it is hardly off.
LAST_BITS = 1e-14
FLOOR_LEAST, FLOOR_FACTOR = 5e-7, 1.5


def test_fixtures_that_cannot_be_written_are_no_bug_of_ours(grade: Grade, tmp_path: Path) -> None:
    (tmp_path / "taken").touch()

    done = grade("fixtures", "build", "--exercise", "ex01", "--out", tmp_path / "taken")

    assert done.returncode == 2
    assert f"grade: {tmp_path}/taken cannot be written: File exists." in done.stderr


@pytest.mark.no_cover
@pytest.mark.long
@pytest.mark.timeout(600)
def test_building_again_gives_the_fixtures_that_are_kept_but_for_last_bits(grade: Grade, tmp_path: Path) -> None:
    again = tmp_path / "again"

    assert grade("fixtures", "build", "--out", again).returncode == 0

    assert {path.name for path in again.iterdir()} == {*FILES, "manifest.json", "stubs"}
    for stub in sorted((FIXTURES / "stubs").iterdir()):
        assert (again / "stubs" / stub.name).read_bytes() == stub.read_bytes()
    for name in FILES:
        kept, built = (safetensors.numpy.load((folder / name).read_bytes()) for folder in (FIXTURES, again))
        assert kept.keys() == built.keys()
        for key, tensor in kept.items():
            if key.startswith("answer/"):
                largest = np.abs(tensor[np.isfinite(tensor)]).max(initial=0)
                np.testing.assert_allclose(built[key], tensor, LAST_BITS, LAST_BITS * largest, err_msg=key)
            else:
                np.testing.assert_array_equal(built[key], tensor, key, strict=True)
    (kept_floors, kept_rest), (built_floors, built_rest) = (_manifest(folder) for folder in (FIXTURES, again))
    assert built_rest == kept_rest
    assert built_floors == pytest.approx(kept_floors, rel=FLOOR_FACTOR - 1, abs=FLOOR_LEAST)


def test_one_exercise_is_built_and_the_others_stay_as_they_are(grade: Grade, copied_pack: Path) -> None:
    rubric = copied_pack / "exercises/ex09_attention_dropout.yaml"
    rubric.write_text(rubric.read_text("utf-8").replace("[16, 24]", "[16, 25]"), "utf-8")
    folder = copied_pack / "fixtures"
    for name in FILES:  # as another processor might have written it, last digits apart
        if "ex09" not in name:
            (folder / name).write_bytes((folder / name).read_bytes() + b"\n")

    done = grade("fixtures", "build", "--exercise", "9", pack=copied_pack)

    assert (done.returncode, done.stdout[:11]) == (0, "10 cases an"), done.stderr
    assert all((folder / name).read_bytes()[-1:] == b"\n" for name in FILES if "ex09" not in name)
    kept, built = (json.loads((each / "manifest.json").read_text("utf-8")) for each in (FIXTURES, folder))
    own = {part: [name for name in kept[part] if built[part][name] != kept[part][name]] for part in ("files", "stubs")}
    assert own == {"files": ["ex09_attention_dropout.safetensors"], "stubs": []}
    content = (folder / "ex09_attention_dropout.safetensors").read_bytes()
    assert safetensors.numpy.load(content)["input/weights/weights"].shape == (16, 25)


@pytest.mark.long
def test_an_exercise_alone_is_not_built_where_the_others_are_missing(
    grade: Grade, copied_pack: Path, tmp_path: Path
) -> None:
    done = grade("fixtures", "build", "--exercise", "ex09", "--out", tmp_path / "new", pack=copied_pack)

    assert done.returncode == 3
    assert "manifest.json of the fixtures cannot be read" in done.stderr

    shutil.copytree(copied_pack / "fixtures", tmp_path / "other")
    manifest = tmp_path / "other/manifest.json"
    found = json.loads(manifest.read_text("utf-8"))
    del found["exercises"]["ex02_softmax_weights"]
    manifest.write_text(json.dumps(found), "utf-8")
    done = grade("fixtures", "build", "--exercise", "ex09", "--out", tmp_path / "other", pack=copied_pack)

    assert done.returncode == 3
    assert "no fixtures of ex02_softmax_weights to be kept; build all of them" in done.stderr


@pytest.mark.parametrize(("answer", "said"), [("weights / 0 * 0", "NaN"), ("None", "None")])
def test_an_answer_that_nobody_can_give_is_no_answer(answer: str, said: str, grade: Grade, copied_pack: Path) -> None:
    reference = copied_pack / "solutions/reference/ex09_attention_dropout.py"
    reference.write_text(f"def dropout_weights(weights, p, training, generator=None):\n    return {answer}\n", "utf-8")

    done = grade("fixtures", "build", "--exercise", "ex09", pack=copied_pack)

    assert done.returncode == 3
    assert f"ex09.extremes, case p-zero: the reference gives {said}" in done.stderr


def test_few_numbers_that_may_come_to_nearly_nothing_are_refused(grade: Grade, copied_pack: Path) -> None:
    rubric = copied_pack / "exercises/ex05_scaled_scores.yaml"
    before, named, after = rubric.read_text("utf-8").partition("  one-token:\n    inputs:\n      queries: ")
    rubric.write_text(before + named + "[1, 3]" + after[after.index("\n") :], "utf-8")

    done = grade("fixtures", "build", "--exercise", "ex05", pack=copied_pack)

    assert done.returncode == 3
    assert "ex05.scaled, case one-token: 1 of the result's numbers may come to nearly 0" in done.stderr


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

    assert done.returncode == 0, done.stdout + done.stderr
    assert "answers are what the reference gives" in done.stdout


@pytest.mark.parametrize("name", every_time(FILES[:4], FILES))  # of each of the places below one
def test_a_flipped_bit_anywhere_in_a_file_is_found(name: str, grade: Grade, copied_pack: Path) -> None:
    file = copied_pack / "fixtures" / name
    content = bytearray(file.read_bytes())
    # Another place in every file: its header, its first number, somewhere in the middle, its last byte.
    place = [0, 12, len(content) // 2, len(content) - 1][FILES.index(name) % 4]
    content[place] ^= 1 << FILES.index(name) % 8
    file.write_bytes(content)

    done = grade("fixtures", "check", pack=copied_pack)

    assert done.returncode == 3, done.stdout + done.stderr
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_file_is_found(grade: Grade, copied_pack: Path) -> None:
    (copied_pack / "fixtures" / FILES[4]).unlink()

    done = grade("fixtures", "check", pack=copied_pack)

    assert done.returncode == 3, done.stdout + done.stderr
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
def test_a_broken_manifest_is_found(change: Callable[[dict[str, Any]], str], grade: Grade, copied_pack: Path) -> None:
    manifest = copied_pack / "fixtures/manifest.json"
    manifest.write_text(change(json.loads(manifest.read_text("utf-8"))), "utf-8")

    done = grade("fixtures", "check", pack=copied_pack)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "exercise", every_time(["ex01_dot_product_scores"], ["ex01_dot_product_scores", "ex12_multi_head_attention"])
)
def test_a_changed_answer_is_found_although_its_sha256_was_corrected(
    exercise: str, grade: Grade, copied_pack: Path
) -> None:
    key = _change_an_answer(copied_pack / "fixtures", exercise)

    done = grade("fixtures", "check", pack=copied_pack)

    assert done.returncode == 3, done.stdout + done.stderr
    assert f"{key.split('/')[1]}/{key.split('/')[2]}" in done.stderr
    assert "not what the reference gives" in done.stderr


STAGE = "stage/ex05.scaled/scores/scaled"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(
            lambda t: t.pop(STAGE),
            "there are no fixtures for the stages of ex05.scaled, case scores",
            id="lost",
            marks=pytest.mark.long,
        ),
        pytest.param(
            lambda t: t.update({STAGE: 1.001 * t[STAGE]}),
            "ex05.scaled, case scores, are not what the reference gives",
            id="changed",
        ),
    ],
)
@pytest.mark.long
def test_a_stage_that_is_lost_or_changed_is_found(
    change: Callable[[dict[str, Any]], object], told: str, grade: Grade, copied_pack: Path
) -> None:
    _change(copied_pack / "fixtures", "ex05_scaled_scores", change)

    done = grade("fixtures", "check", pack=copied_pack)

    assert done.returncode == 3, done.stdout + done.stderr
    assert told in done.stderr


def _change_an_answer(folder: Path, exercise: str) -> str:
    """Make one number of one answer a thousandth larger, and the manifest agree; the answer's key."""
    tensors = safetensors.numpy.load((folder / f"{exercise}.safetensors").read_bytes())
    key = next(name for name in sorted(tensors) if name.startswith("answer/") and tensors[name].dtype == np.float64)
    changed = tensors[key].copy()
    changed.flat[0] *= 1.001
    _change(folder, exercise, lambda tensors: tensors.update({key: changed}))
    return key


def _change(folder: Path, exercise: str, change: Callable[[dict[str, Any]], object]) -> None:
    """Change an exercise's tensors, and make the manifest agree."""
    file = folder / f"{exercise}.safetensors"
    tensors = safetensors.numpy.load(file.read_bytes())
    change(tensors)
    content = safetensors.numpy.save(tensors)
    file.write_bytes(content)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["files"][file.name] = hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")


def _manifest(folder: Path) -> tuple[dict[str, float], dict[str, Any]]:
    """The noise floors of a manifest by their place, and all else in it that every machine writes alike."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    del manifest["versions"], manifest["files"]
    floors = {
        f"{name} {target} {key}": floor
        for exercise in manifest["exercises"].values()
        for name, answer in exercise["answers"].items()
        for target, by_key in answer.pop("floors").items()
        for key, floor in by_key.items()
    }
    return floors, manifest
