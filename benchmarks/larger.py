"""A copy of the kit whose rubrics ask for more: more cases, or larger tensors. Its fixtures are built anew."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

from benchmarks.grading import ROOT, environment
from benchmarks.processes import Used, run

PARTS = ("grader", "exercises", "fixtures", "solutions")
Rubric = dict[str, Any]


class Kit:
    """A copy of the kit in a folder. edit: changes each exercise's rubric, which it is given by the exercise's id.

    Known mistakes are left out: they are no part of grading what is right, and take most of the time to build.
    """

    def __init__(self, folder: Path, edit: Callable[[str, Rubric], None]) -> None:
        self.folder = folder
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        for mistakes in (folder / "solutions" / "mistakes").glob("ex*.yaml"):
            mistakes.unlink()
        for file in sorted((folder / "exercises").glob("ex*.yaml")):
            rubric = yaml.safe_load(file.read_text("utf-8"))
            edit(file.stem, rubric)
            file.write_text(yaml.safe_dump(rubric, sort_keys=False, allow_unicode=True, width=100), "utf-8")
        self.built = self.grade("fixtures", "build")

    def grade(self, *words: str, memory: bool = False) -> Used:
        """Run its own `grade`, not the installed one. Raises CannotRun, also for less than full marks."""
        command = [sys.executable, "-m", "grader", *words]
        return run(command, folder=self.folder, environment=environment(), memory=memory)


def repeat_cases(times: int) -> Callable[[str, Rubric], None]:
    """An edit by which each case is there so many times, drawn anew under other names."""

    def edit(_: str, rubric: Rubric) -> None:
        for step in rubric["steps"]:
            step["cases"] = [name for case in step["cases"] for name in _names(case, times)]
        # Deep copies: written once and referred to, a case would be a YAML alias, which no rubric may have.
        cases = {name: deepcopy(case) for own, case in rubric["cases"].items() for name in _names(own, times)}
        rubric["cases"] = cases

    return edit


def enlarge(exercise: str, case: str, inputs: dict[str, Any]) -> Callable[[str, Rubric], None]:
    """An edit that gives one case other inputs."""

    def edit(name: str, rubric: Rubric) -> None:
        if name.startswith(exercise):
            rubric["cases"][case]["inputs"] = inputs

    return edit


def _names(case: str, times: int) -> list[str]:
    return [case, *(f"{case}-{number}" for number in range(2, times + 1))]
