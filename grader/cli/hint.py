"""`grade hint`: one more rung of a step's ladder of hints."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from grader.cli import ids, options
from grader.cli.ladder import ladder
from grader.cli.pack import load
from grader.cli.paths import there_is_nothing
from grader.cli.spoken import Spoken
from grader.cli.telling import echo, tell
from grader.model.commands import HERE, hint_command_here
from grader.model.errors import NothingToGrade, NotWritten, UsageError
from grader.words import say


@click.command(
    cls=Spoken, name="hint", short_help="Show one more hint of a step.", epilog="Example: grade hint ex10.output"
)
@click.argument("step", metavar="STEP", shell_complete=ids.steps, default="")
@click.option(
    "--level", type=options.WholeNumber(min=1), default=None, metavar="N",
    help="Show this many hints instead of one more.",
)  # fmt: skip
@click.option(
    "--in", "path", type=options.PATH, default=HERE, show_default=True,
    help="The student's folder, which remembers what was shown.",
)  # fmt: skip
@options.language_option
def command(step: str, level: int | None, path: Path) -> None:
    """Show the next hint of STEP: a question first, then the idea, then nearly the answer."""
    from grader.plugins.registry import Plugins
    from grader.report.lines import lay_out_within
    from grader.submission import hints

    if path != HERE and not path.exists():
        raise NothingToGrade(there_is_nothing(path))
    pack = load(Plugins())
    if not step:
        example = next(each for exercise in pack.exercises for each in options.shown_steps(exercise))
        raise UsageError(say("cli.which-of-all", example=hint_command_here(example.id, path)))
    found = options.find_step(pack, step)
    if level is None:
        level = hints.following(path, found) if path.exists() else 1
    lay_out_within(shutil.get_terminal_size().columns)
    for line in ladder(found, level, hint_command_here(found.id, path)):
        echo(line)
    if path.exists():
        try:
            hints.remember(path, found, min(level, len(found.hints)))
        except NotWritten as error:  # it was shown, which is what was asked for
            tell(str(error), error.remedy)
