"""`make test` proves the kit as it is handed out, and says so to who has worked in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.command import ROOT

STUB = "exercises/ex08_causal_mask.py"


@pytest.fixture
def kit(tmp_path: Path) -> Path:
    """What the question needs of a clone."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for folder in ("fixtures/stubs", "exercises"):
        shutil.copytree(ROOT / "fixtures/stubs", tmp_path / folder)
    return tmp_path


def make(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a make says that nobody calls from another one, as `make test` does."""
    own = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return subprocess.run(["make", *words], cwd=folder, env=own, capture_output=True, text=True, check=False)


def asked(kit: Path) -> subprocess.CompletedProcess[str]:
    return make("untouched", folder=kit)


def test_stubs_as_they_are_handed_out_are_no_hindrance(kit: Path) -> None:
    done = asked(kit)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("is_filled", [True, False])
def test_who_has_worked_in_a_clone_is_told_so_before_anything_is_tested(is_filled: bool, kit: Path) -> None:
    if is_filled:
        shutil.copy(ROOT / "solutions/reference/ex08_causal_mask.py", kit / STUB)
    else:
        (kit / STUB).unlink()

    done = asked(kit)

    assert done.returncode != 0
    assert f"{STUB} is not the stub as it is handed out" in done.stdout
    assert "git stash" in done.stdout


def test_every_file_that_was_worked_in_is_named(kit: Path) -> None:
    for name in (STUB, "exercises/ex13_wrapper_vs_split.py"):
        (kit / name).write_text("# mine\n", "utf-8")

    named = [line.split()[0] for line in asked(kit).stdout.splitlines() if "is not the stub" in line]

    assert named == [STUB, "exercises/ex13_wrapper_vs_split.py"]


def test_that_is_seen_to_first_of_all() -> None:
    listed = make("-n", "test", folder=ROOT).stdout

    assert listed.find("cmp -s") < listed.find("ruff check")
    assert listed.find("cmp -s") >= 0
