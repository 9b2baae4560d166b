"""`grade init`: makes a student's workspace, which grades by itself and holds no solutions."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from grader.cli.run import load
from grader.model.errors import UsageError

ENGINE = Path(__file__).resolve().parents[1]
TEMPLATES = ENGINE / "workspace"
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", "submissions", ".grade-hints")
DOTTED = {"gitignore": ".gitignore"}  # a file called .gitignore in the kit would work on the kit


@click.command(name="init", short_help="Make a student's workspace.", epilog="Example: grade init my-attention")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Make a student's workspace in DIR: stubs, public cases and the grader; no solutions."""
    from grader.pack.fixtures import Fixtures
    from grader.plugins.registry import Plugins

    pack = load(Plugins())
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already and not empty; name a new folder.")
    fixtures = Fixtures(pack)
    fixtures.check_bytes()
    worked_on = fixtures.changed_stubs(pack)
    if worked_on:
        raise UsageError(
            f"{worked_on[0]}.py has been worked on, and a workspace needs untouched stubs: "
            f"put your work elsewhere and restore {pack.source.exercises}, then try again."
        )
    try:
        _copy(pack.source.exercises, pack.source.fixtures, folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from None
    click.echo(f"{folder} holds {len(pack.exercises)} exercises. Begin with exercises/{pack.exercises[0].id}.py, then:")
    click.echo(f"  cd {folder} && grade")


def _copy(exercises: Path, fixtures: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for source, name in ((exercises, "exercises"), (fixtures, "fixtures"), (ENGINE, "grader")):
        shutil.copytree(source, folder / name, ignore=LEFT_OUT)
    for template in TEMPLATES.iterdir():
        shutil.copyfile(template, folder / DOTTED.get(template.name, template.name))
