"""`grade check-signature`: whether a report is what was signed."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli import options
from grader.cli.telling import echo


@click.command(
    name="check-signature",
    short_help="Check a report's signature.",
    epilog="Example: grade check-signature report.json --key course.key.pub",
)
@click.argument("report", type=options.PATH)
@click.option("--key", type=options.PATH, required=True, metavar="FILE", help="The public key.")
def command(report: Path, key: Path) -> None:
    """Say whether REPORT is, to the byte, what was signed with the key. Exits 1 where it is not."""
    from grader.report.signature import check

    echo(f"{report} is what was signed with the key {check(report, key)}.")
