"""What is said to a person: on whatever terminal, and where something went wrong."""

from __future__ import annotations

import os
import platform
import sys
import traceback

import click

from grader import __version__
from grader.model.errors import ExitCode
from grader.words import say


def echo(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print a text as standard output can show it. nl: end its line. err: print it to standard error.

    Who reads either may close it, which changes nothing of what is done. Raises OSError for standard output that cannot
    take it otherwise, such as a full disk.
    """
    from grader.report.terminal import encodable

    stream = sys.stderr if err else sys.stdout
    try:
        click.echo(encodable(text, stream), nl=nl, err=err)
    except OSError as error:
        if not err and not isinstance(error, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def tell(message: str, remedy: str, code: ExitCode) -> ExitCode:
    """Say what a person can mend, and how."""
    echo(f"grade: {message}", err=True)
    if remedy:
        echo(remedy, err=True)
    return code


def report_bug() -> ExitCode:
    """Say what nobody but us can mend: the error that is being handled, and where it was."""
    where = traceback.format_exc()
    machine = f"grade {__version__}, Python {platform.python_version()}, {platform.platform()}"
    echo(f"{where}\n{say('cli.report-bug', machine=machine)}", err=True)
    return ExitCode.INTERNAL
