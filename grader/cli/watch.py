"""`grade watch`: grades the current exercise at every save."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.paths import named_by, nothing_at
from grader.cli.spoken import Spoken
from grader.model.commands import HERE
from grader.model.errors import NothingToGrade


@click.command(
    cls=Spoken,
    name="watch",
    short_help="Grade the current exercise at every save.",
    epilog="Example: grade watch --exercise ex05",
)
@click.argument("path", type=options.PATH, default=HERE)
@click.option("--exercise", metavar="ID", default=None, help="Begin with this exercise.  [default: where you were]")
@click.option(
    "--poll", is_flag=True, help="Look at the files twice a second. For folders that send no events when a file is "
    "saved; network folders are recognised.",
)  # fmt: skip
@options.timeout_option
@options.language_option
def command(path: Path, exercise: str | None, poll: bool, timeout: float) -> None:
    """Grade the current exercise whenever it is saved, until you quit: a folder with modules, one module, a notebook.

    Ends with 0 after `q`. What was passed is kept in .grade-progress beside the exercises.
    """
    from grader.runner.processes.start import start_worker

    if not path.exists():
        raise NothingToGrade(nothing_at(path, "watch"))
    worker = start_worker()
    try:
        from grader.desk.bookmark import Bookmark
        from grader.desk.desk import Desk
        from grader.desk.saves import why_to_poll
        from grader.desk.screen import Screen
        from grader.plugins.registry import Plugins

        plugins = Plugins()
        pack = load(plugins)
        meant = exercise or next(iter(named_by(path, pack)), "")
        start = options.find_exercise(pack, meant) if meant else None
        # On the CPU alone: a context on a GPU takes a child longer than all that is graded here.
        asked = options.order(pack, options.Given(device="cpu", timeout=timeout))
        polls = "--poll" if poll else why_to_poll(path)
        desk = Desk(plugins, Bookmark(path, pack, start), asked, worker, Screen(), polls)
    except BaseException:
        worker.close()
        raise
    desk.run()
