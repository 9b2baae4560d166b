"""What a student types: commands that they are told, and an exercise as they call it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from grader.model.pack import Exercise, short_of
from grader.words import language, of_environment

GRADE = "grade"
Ask = Callable[[str, Path], str]
"""What shows the next hint: a command, by a step's id and the path of what is graded."""
HERE = Path("exercises")
"""Where the exercises lie for whoever types a command in a folder of the kit's: what `grade` takes without a path."""


def program() -> str:
    """How whoever called this program calls it again: by its path from here, where no shell finds it by its name."""
    own = Path(sys.argv[0])
    if own.name != GRADE or own == Path(GRADE) or shutil.which(GRADE) is not None:
        return GRADE
    path = _from_here(own.absolute())
    return GRADE if path.is_absolute() else shlex.quote(str(path))


def python_here() -> str:
    """How whoever called this program calls the Python that runs it: no other may have its packages."""
    return shlex.quote(str(_from_here(Path(sys.executable))))


def _from_here(path: Path) -> Path:
    """A path without the current folder, where it lies below that."""
    here = Path.cwd()
    return path.relative_to(here) if here in path.parents else path


def hint_command(step: str, path: Path, by: str = GRADE) -> str:
    """The command that shows the next hint of a step, in the language that is spoken.

    by: how the program is called. In what is kept it is by its name alone, for whoever may read that elsewhere.
    path: of what was graded, or the folder that it lies in.
    """
    where = "" if path == HERE else f" --in {shlex.quote(str(path))}"
    spoken = "" if language() == of_environment(os.environ) else f" --lang {language()}"
    return f"{by} hint {step}{where}{spoken}"


def hint_command_here(step: str, path: Path) -> str:
    """The same for whoever reads it where they called this program."""
    return hint_command(step, path, program())


def exercise_called(name: str, exercises: Iterable[Exercise]) -> Exercise | None:
    """The exercise of that id or number: `ex10_causal_attention`, `ex10`, `10`; None where there is none."""
    return next((exercise for exercise in exercises if is_called(exercise.id, name)), None)


def is_called(exercise: str, name: str) -> bool:
    """Whether the exercise of this id is meant by a name, as above."""
    wanted = name.removesuffix(".py").lower()
    number = re.fullmatch(r"(?:ex)?0*(\d+)", wanted)
    own = re.fullmatch(r"\D*0*(\d+)", short_of(exercise))
    return wanted in (exercise, short_of(exercise)) or bool(number and own and number[1] == own[1])
