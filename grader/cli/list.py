"""`grade list`: the exercises, their steps and points."""

from __future__ import annotations

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.spoken import Spoken
from grader.cli.telling import echo
from grader.model.text import clean
from grader.words import say


@click.command(cls=Spoken, name="list", short_help="List exercises, steps and points.", epilog="Example: grade list")
@options.language_option
def command() -> None:
    """List the exercises, their steps and points."""
    from grader.plugins.registry import Plugins

    pack = load(Plugins())
    total = 0
    for exercise in pack.handed_out:
        shown = options.shown_steps(exercise)
        own = sum(step.points for step in shown)
        total += own
        if shown:
            echo(f"{exercise.id:<42}{clean(exercise.title, 34):<34}{own:>4}")
        for step in shown:
            echo(f"    {step.id:<20}{clean(step.title, 52):<52}{step.points:>4}")
    echo(f"{say('cli.total'):<76}{total:>4}")
