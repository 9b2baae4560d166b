"""`grade list`: the exercises, their steps and points."""

from __future__ import annotations

import click

from grader.cli.run import load


@click.command(name="list", short_help="List exercises, steps and points.", epilog="Example: grade list")
def command() -> None:
    """List the exercises, their steps and points."""
    from grader.plugins.registry import Plugins

    pack = load(Plugins())
    for exercise in pack.exercises:
        click.echo(f"{exercise.id:<42}{exercise.title:<34}{exercise.points:>4}")
        for step in exercise.steps:
            click.echo(f"    {step.id:<20}{step.title[:52]:<52}{step.points:>4}")
    click.echo(f"{'total':<76}{pack.points:>4}")
