"""Every rubric's texts in every language: all of them, none more, and the same code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grader.model.pack import Pack
from grader.pack import yaml
from grader.pack.outline import rubric_files
from grader.pack.words import check_translations
from tests.end_to_end.submissions import ROOT

EXERCISES = ROOT / "exercises"
CODE = re.compile(r"`[^`]*`")
OVERLAYS = sorted((EXERCISES / "words").glob("*/*.yaml"))


def texts(rubric: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each text of a rubric, or of an overlay, by its place."""
    yield from ((key, rubric[key]) for key in ("title", "task", "after") if key in rubric)
    for key in ("meanings", "mistakes"):
        yield from ((f"{key}.{name}", text) for name, text in rubric.get(key, {}).items())
    steps = rubric["steps"]
    named = steps.items() if isinstance(steps, dict) else [(step["id"], step) for step in steps]
    for name, step in named:
        yield f"steps.{name}.title", step["title"]
        yield from ((f"steps.{name}.hints.{number}", hint) for number, hint in enumerate(step["hints"]))


def read(file: Path) -> dict[str, str]:
    document = yaml.read(file.read_text("utf-8"), file.name)
    assert document.problems == []
    return dict(texts(document.value))


@pytest.mark.parametrize("code", ["de", "es"])
def test_every_rubric_is_there_in_german_and_in_spanish(code: str) -> None:
    there = {file.name for file in OVERLAYS if file.parent.name == code}

    assert there == {file.name for file in rubric_files(EXERCISES)}


@pytest.mark.parametrize("overlay", OVERLAYS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_an_overlay_has_the_rubrics_texts_and_their_code(overlay: Path) -> None:
    original, translation = read(EXERCISES / overlay.name), read(overlay)

    assert translation.keys() == original.keys()
    for place, text in original.items():
        assert Counter(CODE.findall(translation[place])) == Counter(CODE.findall(text)), place
        assert translation[place].strip() != "", place


def test_every_overlay_is_read_without_a_complaint(pack: Pack) -> None:
    check_translations(pack)
