"""What several platforms' bundles have in common: what grades, what sets up, and which sandbox is required."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.bundle import templates
from grader.bundle.kit import write_kit
from grader.bundle.packages import write_packages
from grader.plugins.bundle import Course

# In a container bubblewrap can rarely start, and the container, one for each submission, is the wall that it would be.
IN_A_CONTAINER = ("--allow-without", "bubblewrap")
EVERY_LAYER = ("--require-sandbox",)
GRADING = ("grade_submission", "start_grader.py", "settings.sh")


def write_grading(folder: Path, course: Course, sandbox: tuple[str, ...], *, with_solutions: bool = True) -> None:
    """What grades: the kit, its settings and `grade_submission`. sandbox: unless the course says otherwise."""
    write_kit(folder / "kit", course, with_solutions=with_solutions)
    chosen = replace(course, sandbox=sandbox if course.sandbox is None else course.sandbox)
    templates.write(folder, {name: f"common/{name}" for name in GRADING}, chosen, sandbox=chosen.sandbox)


def write_setup(folder: Path, course: Course) -> None:
    """What sets up the environment that grading runs in: `setup.sh` and the packages."""
    templates.write(folder, {"setup.sh": "common/setup.sh"}, course)
    write_packages(folder)


def write_own(folder: Path, platform: str, names: Iterable[str], course: Course, **more: Any) -> None:
    """The platform's own files, each from the template of its last name."""
    templates.write(folder, {name: f"{platform}/{Path(name).name}" for name in names}, course, **more)


def read_json(file: Path) -> dict[str, Any] | None:
    """A result, None where there is none. Raises ValueError where it is no JSON object."""
    if not file.exists():
        return None
    result = json.loads(file.read_text("utf-8"))
    if not isinstance(result, dict):
        raise ValueError(f"{file.name} holds no object")
    return result
