"""`grade hint`: one more rung of a step's ladder of hints."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from grader.cli import options
from grader.cli.run import HERE, load
from grader.model.errors import NothingToGrade


@click.command(name="hint", short_help="Show one more hint of a step.", epilog="Example: grade hint ex10.output")
@click.argument("step", metavar="STEP")
@click.option("--level", type=click.IntRange(min=1), default=None, help="Show this many hints instead of one more.")
@click.option(
    "--in", "path", type=click.Path(path_type=Path), default=HERE, show_default=True,
    help="The student's folder, which remembers what was shown.",
)  # fmt: skip
def command(step: str, level: int | None, path: Path) -> None:
    """Show the next hint of STEP: a question first, then the idea, then nearly the answer."""
    from grader.plugins.registry import Plugins
    from grader.submission import hints

    if path != HERE and not path.exists():
        raise NothingToGrade(f"There is nothing at {path}.")
    found = options.find_step(load(Plugins()), step)
    if level is None:
        level = hints.show_next(path, found) if path.exists() else 1
    elif path.exists():
        hints.remember(path, found, min(level, len(found.hints)))
    click.echo(f"{found.id}  {found.title}")
    for number, text in enumerate(found.hints[:level], 1):
        click.echo(f"  {number}. {text}")
    left = len(found.hints) - level
    again = f"grade hint {found.id}" + ("" if path == HERE else f" --in {shlex.quote(str(path))}")
    click.echo(f"  ({left} more: {again})" if left > 0 else "  (that was the last hint)")
