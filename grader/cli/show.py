"""`grade show`: prints a stored report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.cli.paths import reports_in
from grader.cli.spoken import Spoken
from grader.cli.telling import echo
from grader.model.commands import HERE, hint_command_here
from grader.model.errors import GraderError, UsageError
from grader.words import language, languages, say, speaking

if TYPE_CHECKING:
    from grader.model.report import Report


@click.command(
    cls=Spoken, name="show", short_help="Print a stored report.", epilog="Example: grade show results/results/ada.json"
)
@click.argument("file", metavar="RESULT", type=options.PATH)
@options.language_option
def command(file: Path) -> None:
    """Print a report that was stored as JSON, as the terminal showed it, in the language that it was written in."""
    from grader.report.read import read_report
    from grader.report.terminal import Terminal

    if file.is_dir():
        if reports := reports_in(file):
            raise UsageError(say("show.folder", folder=file, report=reports[0]))
        raise UsageError(say("show.folder-without-report", folder=file))
    report = _with_sources(read_report(file))
    # Of a download's member no hints are remembered, since it lies nowhere by itself.
    if not Path(report.submission["path"]).exists():
        report = replace(report, submission={**report.submission, "path": str(HERE)})
    written_in = report.environment.get("language")
    with speaking(written_in if written_in in languages() else language()):
        echo(Terminal(None if _is_of_a_class(file) else hint_command_here).render(report), nl=False)


def _is_of_a_class(file: Path) -> bool:
    """Whether a report lies among a batch's results, where who looks at it teaches and needs no hint."""
    from grader.runner.batch import output, store

    folder = file.resolve().parent
    return folder.name == output.RESULTS and (folder.parent / store.NAME).is_file()


def _with_sources(report: Report) -> Report:
    """The report with the student's lines, where the very same code still lies where it was graded."""
    from grader.cli.pack import load
    from grader.plugins.registry import Plugins
    from grader.submission.read import read_submission

    path = Path(report.submission["path"])
    try:
        if not path.exists():
            return report
        submission = read_submission(path, load(Plugins()))
    except (GraderError, OSError, ValueError):
        return report
    is_same = submission.sha256 == report.submission["sha256"]
    return replace(report, sources=submission.sources) if is_same else report
