"""Writes a bundle's own files: templates beside this module, with `@{name}` where something of the course belongs.

Not Jinja's own braces, because GitHub's workflows and shell scripts are full of them.
"""

from __future__ import annotations

import shlex
import stat
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.model.text import plural, points
from grader.plugins.bundle import Course

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).resolve().parent / "templates"
SHEBANG = "#!"


def write(folder: Path, names: Mapping[str, str], course: Course, **more: Any) -> None:
    """Render templates into a folder: where each goes, and the template's own name.

    What begins with `#!` can be executed. more: what only one platform's templates name.
    """
    known = {**_of(course), **more}
    for place, template in names.items():
        text = _environment().get_template(template).render(known)
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="\n")
        if text.startswith(SHEBANG):
            file.chmod(rights(stat.S_IXUSR))


def rights(mode: int) -> int:
    """What everybody may do with a file or a folder whose maker may do so much."""
    return 0o755 if mode & stat.S_IXUSR else 0o644


def _of(course: Course) -> dict[str, Any]:
    """What every template may name."""
    modules = [exercise.file for exercise in course.exercises]
    return {
        "pack": course.pack.name,
        "title": course.pack.name.capitalize(),
        "modules": modules,
        "exercises": "" if course.is_whole else " ".join(exercise.short for exercise in course.exercises),
        "first": course.exercises[0].id,
        "first_short": course.exercises[0].short,
        "first_step": course.exercises[0].steps[0].id,
        "count": plural(len(modules), "exercise"),
        "total": points(sum(exercise.points for exercise in course.exercises)),
        "seconds": f"{course.seconds:g}",
        "image": course.image or "attention-grader",
        "words": shlex.join,
    }


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER),
        # Only one kind of file is markup; in the others an escape would be a mistake.
        autoescape=lambda name: (name or "").endswith(".html"),
        variable_start_string="@{",
        variable_end_string="}",
        block_start_string="@%",
        block_end_string="%@",
        comment_start_string="@#",
        comment_end_string="#@",
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
