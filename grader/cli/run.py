"""`grade run`: grades one submission and prints the result."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.paths import check_named, named_by, nothing_at
from grader.cli.profile import profiled
from grader.cli.spoken import Spoken
from grader.cli.telling import echo
from grader.model.commands import HERE
from grader.model.errors import ExitCode, GraderError, NothingToGrade, NotWritten
from grader.model.profile import phase
from grader.model.text import clean
from grader.words import say

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack
    from grader.model.report import Report
    from grader.plugins.registry import Plugins
    from grader.report.outputs import Output
    from grader.runner.processes.spawner import Spawner


@click.command(
    cls=Spoken,
    name="run",
    short_help="Grade one submission.",
    epilog="Example: grade run exercises --exercise ex10 --format json=report.json",
)
@click.argument("path", type=options.PATH, default=HERE)
@click.option(
    "--min-score", type=options.Number("percent", 0, 100), default=100.0, show_default=True,
    metavar="PERCENT", help="Exit 0 from this share of the points that can be had here, else 1.",
)  # fmt: skip
@options.grading_options
@options.language_option
@click.pass_context
def command(context: click.Context, path: Path, min_score: float, given: options.Given) -> None:
    """Grade one submission: a folder with exercise modules, one module, a notebook, or a zip, tar or tar.gz."""
    from grader.runner.processes.start import start_worker

    context.with_resource(profiled(given.profile))
    # First of all, before plugins are looked for: the worker takes longest to be ready.
    worker = start_worker(frozenset(given.without)) if path.exists() else None
    try:
        from grader.plugins.registry import Plugins
        from grader.report.outputs import clear

        plugins = Plugins()
        outputs = options.find_outputs(plugins.reporters, given.formats)
        with _telling_of_failure(outputs):
            if worker is None:
                raise NothingToGrade(nothing_at(path))
            pack = load(plugins)
            asked = options.order(pack, replace(given, exercises=given.exercises or named_by(path, pack)))
            check_named(path, asked.exercises, pack)
            clear(outputs)
            report = _grade(plugins, pack, path, asked, outputs, worker)
            not_written = _written(outputs, report)
    finally:
        if worker is not None:
            worker.close()
    with phase("report"):
        _print(report, pack, outputs)
    if not_written is not None:
        raise not_written
    _note_progress(report, pack, path)
    is_enough = report.is_full or 100 * report.score >= min_score * report.max_score
    _say_what_else(context, outputs, min_score, report, is_enough=is_enough)
    context.exit(ExitCode.FULL_MARKS if is_enough else ExitCode.LESS_THAN_FULL)


@phase("report")
def _written(outputs: list[Output], report: Report) -> NotWritten | None:
    """Write what goes to files; what kept that from one of them, to be told once the report is printed."""
    from grader.report.outputs import write

    try:
        write(outputs, report)
    except NotWritten as error:
        return error
    return None


@contextlib.contextmanager
def _telling_of_failure(outputs: list[Output]) -> Iterator[None]:
    """Where grading fails, say so wherever a platform would look for a grade; what lay there before goes first."""
    from grader.report.outputs import clear, write_failure

    clear(each for each in outputs if each.is_default)  # another file goes only where it is sure to be replaced
    try:
        yield
    except Exception as error:
        why = _told(error)
        code = error.exit_code if isinstance(error, GraderError) else ExitCode.INTERNAL
        if code is not ExitCode.WRONG_USAGE:  # which is told to whoever typed it
            for text in write_failure(outputs, clean(why, 2000), code):
                echo(text.encode("utf-8", "replace"), nl=False)
        raise


def _told(error: Exception) -> str:
    """What a student reads of a failure. Only where nothing was handed in is it theirs to mend."""
    if isinstance(error, NothingToGrade):
        return f"{error} {error.remedy}".strip()
    why = str(error) if isinstance(error, GraderError) else say("cli.bug")
    return say("cli.tell-staff", why=why)


def _grade(
    plugins: Plugins,
    pack: Pack,
    path: Path,
    asked: Order,
    outputs: list[Output],
    worker: Spawner,
) -> Report:
    from grader.report.outputs import in_parts
    from grader.report.parts import Parts
    from grader.report.terminal import Live
    from grader.runner.grade import grade_submission
    from grader.runner.session import Session
    from grader.submission.many import said_of_many
    from grader.submission.read import read_submission

    submission = read_submission(path, pack)
    submission = replace(submission, notes=(*said_of_many(path), *submission.notes))
    asked = replace(asked, salt=submission.sha256)  # so that what one run can be made to tell helps no other
    with contextlib.ExitStack() as stack:
        if _is_watched(outputs):  # otherwise the report is printed whole at the end
            live = Live()
            plugins.manager.register(live)
            stack.callback(live.stop)
        if chosen := in_parts(outputs):
            plugins.manager.register(Parts(chosen))
        session = stack.enter_context(contextlib.closing(Session(plugins, pack, asked, worker)))
        return grade_submission(session, submission)


def _is_for_a_person(outputs: list[Output]) -> bool:
    """Whether the terminal format goes to standard output, as was asked for or because nothing else does."""
    return [each.reporter.name for each in outputs if each.place is None] in ([], ["terminal"])


def _is_watched(outputs: list[Output]) -> bool:
    return sys.stdout.isatty() and _is_for_a_person(outputs)


def _print(report: Report, pack: Pack, outputs: list[Output]) -> None:
    """What goes to standard output, unless it was printed as it came about."""
    from grader.model.commands import hint_command_here
    from grader.report.shown import rendered
    from grader.report.terminal import Terminal

    to_stdout = next((each.reporter for each in outputs if each.place is None), Terminal())
    if to_stdout.name != Terminal.name:  # which is for a program: the same bytes as in a file
        echo(rendered(to_stdout, report).encode("utf-8", "replace"), nl=False)
    elif not _is_watched(outputs):
        echo(rendered(Terminal(hint_command_here), report), nl=False)
    _say_why_it_works(report, pack, outputs)


def _say_why_it_works(report: Report, pack: Pack, outputs: list[Output]) -> None:
    """After full marks of one exercise, what there is to read of it, where the report itself is read by a person."""
    from grader.report.lines import PLAIN, text, wrapped

    if report.is_full and len(report.exercises) == 1 and _is_for_a_person(outputs):
        for line in wrapped(pack.exercise(report.exercises[0].id).after, "  ", PLAIN):
            echo(text(line))


def _note_progress(report: Report, pack: Pack, path: Path) -> None:
    """In a student's own folder, remember what is passed, so that `grade watch` goes on from there."""
    from grader.desk.bookmark import note_results

    if path.resolve() == pack.source.exercises.resolve():
        with contextlib.suppress(NotWritten):  # what was graded is graded
            note_results(path, pack, report.exercises)


def _say_what_else(
    context: click.Context, outputs: list[Output], min_score: float, report: Report, *, is_enough: bool
) -> None:
    """What was asked for and is not to be seen in a report: on standard error, so that the output stays as it is."""
    for each in outputs:
        if each.place is not None and not each.is_default:
            echo(say("cli.written-to", format=each.reporter.name, file=each.place.file), err=True)
    if context.get_parameter_source("min_score") is click.core.ParameterSource.COMMANDLINE:
        share = 100 * report.score / report.max_score if report.max_score else 100.0
        told = {"asked": f"{min_score:g}", "share": f"{share:.4g}"}
        said = say("cli.min-score-reached", **told) if is_enough else say("cli.min-score-not-reached", **told)
        echo(said, err=True)
