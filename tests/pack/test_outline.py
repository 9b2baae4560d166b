"""A pack in outline: the same ids and titles as in full, and never an error."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from grader.model.pack import Pack
from grader.pack.outline import outline


def test_the_outline_has_every_id_and_title_of_the_pack(pack: Pack) -> None:
    found = list(outline(pack.source))

    assert [(each.short, each.title) for each in found] == [(each.short, each.title) for each in pack.exercises]
    assert [each.steps for each in found] == [{s.id: s.title for s in exercise.steps} for exercise in pack.exercises]


def test_what_is_broken_is_left_out(pack: Pack, tmp_path: Path) -> None:
    shutil.copytree(pack.source.exercises, tmp_path / "exercises", ignore=shutil.ignore_patterns("*.py"))
    for name, text in (
        ("ex01_dot_product_scores", "title: [\n"), ("ex02_softmax_weights", "- no\n- rubric\n"),
        ("ex03_context_vectors", ""), ("ex04_qkv_projections", "title: x\nsteps: 3\n"),
        ("ex05_scaled_scores", "title: !!python/object/apply:os.system [true]\n"),
    ):  # fmt: skip
        (tmp_path / "exercises" / f"{name}.yaml").write_text(text)

    found = list(outline(replace(pack.source, exercises=tmp_path / "exercises")))

    assert [each.short for each in found] == [each.short for each in pack.exercises[5:]]
