"""`grade hint`: one more rung of a step's ladder of hints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import ids, options
from grader.cli.run import load
from grader.model.commands import HERE, hint_command
from grader.model.errors import NothingToGrade
from grader.words import say

if TYPE_CHECKING:
    from grader.model.pack import Step


@click.command(name="hint", short_help="Show one more hint of a step.", epilog="Example: grade hint ex10.output")
@click.argument("step", metavar="STEP", shell_complete=ids.steps)
@click.option("--level", type=options.Whole(min=1), default=None, help="Show this many hints instead of one more.")
@click.option(
    "--in", "path", type=click.Path(path_type=Path), default=HERE, show_default=True,
    help="The student's folder, which remembers what was shown.",
)  # fmt: skip
@options.language_option
def command(step: str, level: int | None, path: Path) -> None:
    """Show the next hint of STEP: a question first, then the idea, then nearly the answer."""
    from grader.plugins.registry import Plugins
    from grader.submission import hints

    if path != HERE and not path.exists():
        raise NothingToGrade(say("submission.nothing-at", path=path))
    found = options.find_step(load(Plugins()), step)
    if level is None:
        level = hints.following(path, found) if path.exists() else 1
    for line in ladder(found, level, hint_command(found.id, path)):
        click.echo(line)
    if path.exists():
        hints.remember(path, found, min(level, len(found.hints)))


def ladder(step: Step, level: int, again: str) -> Iterator[str]:
    """The lines that show so many hints of a step. again: the command for one more."""
    yield f"{step.id}  {step.title}"
    for number, text in enumerate(step.hints[:level], 1):
        yield f"  {number}. {text}"
    left = len(step.hints) - level
    yield f"  {say('hint.more-left', left=left, again=again) if left > 0 else say('hint.was-last')}"
