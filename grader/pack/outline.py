"""A pack in outline: the ids and titles of its exercises and steps, read in the time that a key press may take.

Nothing is validated; what is broken is left out. `grader.pack.load` reads a pack to grade with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from grader.model.pack import PackSource, short_of

PACK_FILE = "pack.yaml"
LESSON_FILE = "lesson.yaml"
# In a copy for some of the exercises, their ids, one a line. No part of the pack: it changes no grade.
CHOSEN_FILE = "chosen.txt"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Outlined:
    """An exercise. steps: the title of each by its id, such as "ex10.output"."""

    short: str
    title: str
    steps: dict[str, str]


def outline(source: PackSource) -> Iterator[Outlined]:
    """The exercises of a pack in order."""
    for file in rubric_files(source.exercises):
        try:
            rubric = yaml.load(file.read_text("utf-8"), _LOADER)  # a safe loader, whatever its name
            yield _outlined(short_of(file.stem), rubric)
        except (OSError, ValueError, LookupError, TypeError, yaml.YAMLError):
            continue


def rubric_files(folder: Path) -> list[Path]:
    """Every rubric, in the order of names. Whether its stub is there is a matter of who works in the folder."""
    return [path for path in sorted(folder.glob("*.yaml")) if path.name not in (PACK_FILE, LESSON_FILE)]


def chosen(folder: Path) -> frozenset[str]:
    """The ids of the exercises that a copy is for; none where it is for all."""
    try:
        return frozenset((folder / CHOSEN_FILE).read_text("utf-8").split())
    except (FileNotFoundError, UnicodeDecodeError):
        return frozenset()


def _outlined(short: str, rubric: Any) -> Outlined:
    steps = {f"{short}.{step['id']}": str(step["title"]) for step in rubric["steps"]}
    return Outlined(short, str(rubric["title"]), steps)
