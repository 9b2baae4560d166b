"""`grade diff`: whose points or mistakes changed between two gradings, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from grader.cli import options
from grader.cli.paths import reports_in, there_is_nothing
from grader.cli.telling import echo
from grader.model.errors import UsageError
from grader.model.text import clean, plural


@click.command(name="diff", short_help="Compare two gradings.", epilog="Example: grade diff monday tuesday")
@click.argument("old", type=options.PATH)
@click.argument("new", type=options.PATH)
def command(old: Path, new: Path) -> None:
    """Say whose points or mistakes changed from OLD to NEW, and in which steps.

    Both are output folders of a batch, or reports.
    """
    before, after = _reports(old), _reports(new)
    if old.is_file() and new.is_file():  # two files are compared whatever they are called
        before, after = {"": old}, {"": new}
    changed = 0
    for lines in _changes(before, after):
        changed += 1
        for line in lines:
            echo(line)
    for names, where in ((before.keys() - after.keys(), old), (after.keys() - before.keys(), new)):
        if names:
            echo(f"only in {where}: {', '.join(clean(name, 60) for name in sorted(names))}")
    if not before.keys() & after.keys():
        echo("nobody is in both: submissions are told by the names of their reports")
        return
    echo(f"{changed} of {plural(len(before.keys() & after.keys()), 'submission')} changed")


def _changes(before: Mapping[str, Path], after: Mapping[str, Path]) -> Iterator[list[str]]:
    """The lines of each submission that changed, by name; two reports in memory at a time."""
    from grader.report.changes import change, lines
    from grader.report.read import read_report

    for name in sorted(before.keys() & after.keys()):
        found = change(read_report(before[name]), read_report(after[name]))
        if found:
            yield list(lines(found))


def _reports(path: Path) -> Mapping[str, Path]:
    """Each report by the name of its file; of a batch's folder those that were handed in last.

    Raises UsageError where there is none.
    """
    from grader.runner.batch.store import left_over_in

    if not path.exists():
        raise UsageError(there_is_nothing(path))
    if path.is_file():
        return {path.stem: path}
    left_over = left_over_in(path)
    found = {file.stem: file for file in reports_in(path) if file.name not in left_over}
    if not found:
        raise UsageError(f"{path} holds no reports; name an output folder of `grade batch`, or a report.")
    return found
