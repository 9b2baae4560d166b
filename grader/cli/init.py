"""`grade init`: makes a workspace, which grades by itself and holds no solutions, or brings one up to date."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.spoken import Spoken
from grader.cli.telling import echo
from grader.model.errors import UsageError
from grader.words import language, say

if TYPE_CHECKING:
    from grader.model.pack import Pack


@click.command(
    cls=Spoken, name="init", short_help="Make a student's workspace.", epilog="Example: grade init my-attention"
)
@click.argument("folder", metavar="DIR", type=options.PATH)
@click.option(
    "--update", is_flag=True, help="Bring the workspace in DIR to this version; what was written there stays."
)
@options.language_option
def command(folder: Path, update: bool) -> None:
    """Make a student's workspace in DIR: stubs, public cases and the grader; no solutions.

    With git, it is a repository with a first commit. GETTING_STARTED.md there is the page to begin with.
    """
    from grader.plugins.registry import Plugins

    pack = load(Plugins())
    if update:
        _update(folder, pack)
    else:
        _make(folder, pack)


def _make(folder: Path, pack: Pack) -> None:
    from grader.handout import repository
    from grader.handout.checks import check_free, check_outside, check_stubs, said_of_stubs
    from grader.handout.contents import is_workspace, write
    from grader.handout.machine import said_of_machine
    from grader.runner.kit import torch_version

    if is_workspace(folder):
        raise UsageError(f"{say('init.not-empty', folder=folder)} {say('init.give-update')}")
    check_free(folder)
    check_outside(folder)
    worked_on = check_stubs(pack)
    with _whole(folder):
        write(pack, folder, pack.handed_out if pack.chosen else ())
    git = repository.begin(folder)
    held = say("init.holds", folder=folder, exercises=say("count.exercises", count=len(pack.handed_out)))
    echo(f"{held} {git}".rstrip())
    if said := said_of_stubs(worked_on, pack):
        echo(said)
    echo(said_of_machine(torch_version()))
    echo(say("init.begin", page=_first_page(folder), file=f"exercises/{pack.handed_out[0].file}"))
    echo(f"  cd {shlex.quote(str(folder))} && make watch")


@contextmanager
def _whole(folder: Path) -> Iterator[None]:
    """Leave nothing in a folder that was empty or not there, where it is not filled to the end. Raises NotWritten."""
    from grader.model.write import telling

    is_new = not folder.exists()
    try:
        with telling(folder):
            yield
    except BaseException:
        for path in folder.iterdir() if folder.exists() else ():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if is_new and folder.exists():
            folder.rmdir()
        raise


def _first_page(folder: Path) -> str:
    """The page to begin with, in the language that is spoken if there is one."""
    own = f"GETTING_STARTED.{language()}.md"
    return own if (folder / own).exists() else "GETTING_STARTED.md"


def _update(folder: Path, pack: Pack) -> None:
    from grader import __version__
    from grader.handout.checks import check_stubs
    from grader.handout.update import said, update

    if not folder.exists():
        raise UsageError(say("init.nothing-to-update", folder=folder))
    done = update(folder, pack, lambda: check_stubs(pack))
    if done.version in ("", __version__):
        echo(say("init.is-now", folder=folder, version=__version__))
    else:
        echo(say("init.is-now-and-was", folder=folder, version=__version__, former=done.version))
    for sentence in said(done):
        echo(f"  {sentence}")
