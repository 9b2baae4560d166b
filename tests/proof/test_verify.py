"""`grade verify` holds for the pack as it is, and names the step where it does not hold."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from .conftest import ROOT, Grade


@pytest.fixture
def few(copied: Path) -> Path:
    """A copy whose only alternatives are one folder of them, so that proving it takes a moment."""
    for folder in (copied / "solutions/alternatives").iterdir():
        if folder.name != "einsum":
            shutil.rmtree(folder)
    return copied


def changed(file: Path, old: str, new: str) -> None:
    """Replace a piece of a file that stands there once."""
    source = file.read_text("utf-8")
    assert source.count(old) == 1
    file.write_text(source.replace(old, new), "utf-8")


def test_the_pack_holds(grade: Grade) -> None:
    done = grade("verify")

    assert done.returncode == 0, done.stdout
    assert "The pack holds." in done.stdout
    named = {line.split()[0] for line in done.stdout.splitlines()}
    alternatives = {path.name for path in (ROOT / "solutions/alternatives").iterdir() if any(path.glob("*.py"))}
    assert {"reference", "zeros", "stubs"} | alternatives <= named


@pytest.mark.parametrize("seed", ["1", "20"])
def test_the_pack_holds_for_another_seed(seed: str, grade: Grade, few: Path) -> None:
    assert grade("verify", "--seed", seed, before=few).returncode == 0


def test_a_broken_reference_is_named_with_its_step(grade: Grade, few: Path) -> None:
    changed(
        few / "solutions/reference/ex03_context_vectors.py",
        "torch.softmax(scores, dim=-1)",
        "torch.softmax(scores, dim=0)",
    )

    done = grade("verify", before=few)

    assert done.returncode == 3
    assert "ex03.contexts is failed, expected passed" in done.stdout
    assert "ex03.context " not in done.stdout


def test_a_reference_that_cannot_answer_is_a_broken_pack_and_no_bug(grade: Grade, few: Path) -> None:
    changed(
        few / "solutions/reference/ex03_context_vectors.py",
        "    contexts = weights @ inputs",
        "    contexts = weights @ nothing",
    )

    done = grade("verify", before=few)

    assert done.returncode == 3
    assert "ex03.contexts" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_alternative_is_named_with_its_step(grade: Grade, few: Path) -> None:
    file = few / "solutions/alternatives/einsum/ex03_context_vectors.py"
    file.write_text(
        file.read_text("utf-8") + "\n\ndef context_vector(weights, inputs):\n    return inputs[0]\n", "utf-8"
    )

    done = grade("verify", before=few)

    assert done.returncode == 3
    assert "ex03.context is failed, expected passed" in done.stdout


def test_a_stub_that_earns_a_point_is_named(grade: Grade, few: Path) -> None:
    reference = (few / "solutions/reference/ex01_dot_product_scores.py").read_text("utf-8")
    (few / "exercises/ex01_dot_product_scores.py").write_text(reference, "utf-8")

    done = grade("verify", before=few)

    assert done.returncode == 3
    assert re.search(r"^stubs .* not$", done.stdout, re.M)
    assert "ex01.query is passed, expected unstarted" in done.stdout


def test_zeros_that_earn_a_point_are_named(grade: Grade, few: Path) -> None:
    shutil.copyfile(
        few / "solutions/reference/ex01_dot_product_scores.py", few / "solutions/zeros/ex01_dot_product_scores.py"
    )

    done = grade("verify", before=few)

    assert done.returncode == 3
    assert "ex01.query is passed, expected no point" in done.stdout
