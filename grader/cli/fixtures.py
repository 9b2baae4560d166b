"""`grade fixtures`: writes the fixtures, or proves that they are what the reference gives."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.telling import echo
from grader.model.text import plural


@click.group(name="fixtures", short_help="Write or prove the public cases.", epilog="Example: grade fixtures check")
def command() -> None:
    """Write the public cases' tensors, or prove them."""


@command.command(short_help="Write the public cases and their answers.", epilog="Example: grade fixtures build")
@click.option("--out", type=options.PATH, default=None, help="Another folder than the pack's own.")
@options.exercise_option("Write this exercise alone, and leave the others' files as they are")
def build(out: Path | None, exercises: tuple[str, ...]) -> None:
    """Write every public case and the reference's answers to it; the same bytes on every run."""
    from grader.plugins.registry import Plugins
    from grader.proof.build import build_fixtures

    plugins = Plugins()
    pack = load(plugins)
    folder = out or pack.source.fixtures
    only = [options.find_exercise(pack, name) for name in exercises]
    cases, answers = build_fixtures(plugins, pack, folder, only)
    echo(f"{plural(cases, 'case')} and {plural(answers, 'answer')} in {folder}")


@command.command(short_help="Prove that they are as written.", epilog="Example: grade fixtures check")
def check() -> None:
    """Prove that the fixtures are unaltered and are what the reference gives. Exits 3 where they are not."""
    from grader.plugins.registry import Plugins
    from grader.proof.unchanged import check_fixtures

    plugins = Plugins()
    answers = check_fixtures(plugins, load(plugins))
    echo(f"{answers} answers are what the reference gives, and every file is as it was written")
