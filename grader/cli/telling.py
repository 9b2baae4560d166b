"""What is said to a person: on whatever terminal, and where something went wrong."""

from __future__ import annotations

import os
import platform
import sys
import traceback

import click

from grader import __version__
from grader.model.errors import ExitCode, NotWritten
from grader.words import say


def echo(text: str | bytes, *, nl: bool = True, err: bool = False) -> None:
    """Print a text as standard output can show it, or bytes as they are. nl: end its line. err: print it to standard
    error.

    Who reads either may close it, which changes nothing of what is done. Raises NotWritten for standard output that
    cannot take it otherwise, such as a full disk.
    """
    from grader.report.terminal import encodable

    stream = sys.stderr if err else sys.stdout
    try:
        click.echo(encodable(text, stream) if isinstance(text, str) else text, nl=nl, err=err)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not err and not isinstance(error, BrokenPipeError):
            why = {"file": say("cli.standard-output"), "why": error.strerror}
            raise NotWritten(say("error.cannot-write", **why)) from None


def tell(message: str, remedy: str = "") -> None:
    """Say what a person can mend, and how."""
    echo(f"grade: {message}", err=True)
    if remedy:
        echo(remedy, err=True)


def report_bug() -> ExitCode:
    """Say what nobody but us can mend: the error that is being handled, and where it was."""
    where = traceback.format_exc()
    machine = f"grade {__version__}, Python {platform.python_version()}, {platform.platform()}"
    echo(f"{where}\n{say('cli.report-bug', machine=machine)}", err=True)
    return ExitCode.INTERNAL
