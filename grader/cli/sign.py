"""`grade sign`: signs a report, and makes the key for it."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli import options
from grader.cli.telling import echo
from grader.model.commands import program
from grader.model.errors import UsageError


@click.command(name="sign", short_help="Sign a report.", epilog="Example: grade sign report.json --key course.key")
@click.argument("report", type=options.PATH, required=False)
@click.option("--key", type=options.PATH, metavar="FILE", help="The secret key.")
@click.option("--new-key", "new", type=options.PATH, metavar="FILE", help="Make a key in FILE instead.")
def command(report: Path | None, key: Path | None, new: Path | None) -> None:
    """Sign REPORT, a JSON report, with a secret key: the signature is REPORT.sig.

    --new-key makes the secret key, to be kept where no student's code runs, and FILE.pub, which everybody may have.
    """
    from grader.report.signature import new_key, sign

    if new is not None:
        if report is not None or key is not None:
            raise UsageError("--new-key makes a key and signs nothing; sign with it in a second command.")
        public = new_key(new)
        echo(f"{new} is the secret key; {public} is what others check with.")
        return
    if report is None or key is None:
        raise UsageError(f"Give a report and a key, as in: {program()} sign report.json --key course.key")
    echo(f"{sign(report, key)} is the signature of {report}.")
