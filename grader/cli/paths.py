"""What a path that a command was given stands for."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli import ids
from grader.model.commands import HERE, program
from grader.model.errors import UsageError
from grader.model.text import clean, nearest
from grader.words import say

if TYPE_CHECKING:
    from grader.model.pack import Pack

# Of a path in a sentence.
LONGEST_PATH = 200
# What a path may be that cannot be looked at: below a folder that is closed, too long, or in circles.
LEADS_NOWHERE = (errno.EACCES, errno.ENAMETOOLONG, errno.ELOOP)
# Where a command's context has how each path was typed: a path is the same with `./` and without.
TYPED = f"{__name__}.typed"


class Place(click.Path):
    """A path that can be looked at, whether or not anything is there. Raises what LEADS_NOWHERE has of one that cannot.

    Asked here, since from Python 3.14 on `Path.exists` and its like say of such a path that nothing is there.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not self.dir_okay and os.path.isdir(value):  # noqa: PTH112 - of text, bytes or a path
            self.fail(say("cli.is-a-folder", file=clean(os.fsdecode(value), LONGEST_PATH)), param, ctx)
        path = super().convert(value, param, ctx)
        if ctx is not None:
            ctx.meta.setdefault(TYPED, {})[path] = value
        look_at(path)
        return path


def look_at(path: str | bytes | os.PathLike[Any]) -> None:
    """Raise what LEADS_NOWHERE has of a path that cannot be looked at."""
    try:
        os.stat(path)  # noqa: PTH116 - of text, bytes or a path
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) in LEADS_NOWHERE:
            raise


def named_by(path: Path, pack: Pack) -> tuple[str, ...]:
    """The one exercise that a path to a module names."""
    return (path.stem,) if path.is_file() and path.stem in {e.id for e in pack.exercises} else ()


def check_named(path: Path, chosen: Iterable[str], pack: Pack) -> None:
    """Raises UsageError where a path is the module of one exercise, and others are to be graded."""
    named = named_by(path, pack)
    if named and (others := sorted({*chosen} - {*named})):
        raise UsageError(say("cli.module-of-another", file=path.name, exercises=", ".join(others)))


def reports_in(folder: Path) -> list[Path]:
    """The stored reports of a batch's output folder, or of any other."""
    inner = folder / "results"
    found = (inner if inner.is_dir() else folder).glob("*.json")
    return sorted(file for file in found if file.is_file())  # for a pipe one would wait for ever


def nothing_at(path: Path, command: str = "run") -> str:
    """The sentence where there is nothing to grade. command: that was given the path."""
    if path == HERE and Path.cwd().name == HERE.name:
        return say("cli.inside-exercises", command=f"{program()} {command} .")
    if path == HERE:
        return say("cli.no-exercises-here", command=f"{program()} {command} PATH")
    if _typed(path) == path.stem and ids.is_exercise(path.stem):  # a folder or an ending makes it a path
        return say("cli.names-an-exercise", path=path, command=f"{program()} {command} --exercise {path}")
    return there_is_nothing(path)


def _typed(path: Path) -> str:
    """A path as it was typed."""
    context = click.get_current_context(silent=True)
    return str(context.meta.get(TYPED, {}).get(path, path) if context is not None else path)


def there_is_nothing(path: Path) -> str:
    """The same of any path, with what lies beside it under a name that is like it."""
    said = say("submission.nothing-at", path=clean(str(path), LONGEST_PATH))
    try:
        near = nearest(path.name, [name for name in os.listdir(path.parent) if not name.startswith(".")])  # noqa: PTH208
    except OSError:  # nor is there a folder
        return said
    return f"{said} {say('cli.did-you-mean', name=clean(str(path.parent / near), LONGEST_PATH))}" if near else said
