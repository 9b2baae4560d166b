"""What is said to a person: on whatever terminal, and where something went wrong."""

from __future__ import annotations

import platform
import sys
import traceback

import click

from grader import __version__
from grader.model.errors import ExitCode
from grader.words import say


def echo(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print a text as standard output can show it. nl: end its line. err: print it to standard error."""
    from grader.report.terminal import encodable

    click.echo(encodable(text, sys.stdout), nl=nl, err=err)


def tell(message: str, remedy: str, code: ExitCode) -> ExitCode:
    """Say what a person can mend, and how."""
    click.echo(f"grade: {message}", err=True)
    if remedy:
        click.echo(remedy, err=True)
    return code


def report_bug() -> ExitCode:
    """Say what nobody but us can mend: the error that is being handled, and where it was."""
    traceback.print_exc()
    machine = f"grade {__version__}, Python {platform.python_version()}, {platform.platform()}"
    click.echo(f"\n{say('cli.report-bug', machine=machine)}", err=True)
    return ExitCode.INTERNAL
