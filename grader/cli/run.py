"""`grade run`: grades one submission and prints the result."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import options
from grader.model.errors import ExitCode, NothingToGrade

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack
    from grader.model.report import Report
    from grader.model.reporter import Reporter
    from grader.plugins.registry import Plugins
    from grader.runner.processes.spawner import Spawner

HERE = Path("exercises")


@click.command(
    name="run",
    short_help="Grade one submission.",
    epilog="Example: grade run exercises --exercise ex10 --format json=report.json",
)
@click.argument("path", type=click.Path(path_type=Path), default=HERE)
@options.grading_options
@click.pass_context
def command(
    context: click.Context,
    path: Path,
    exercises: tuple[str, ...],
    device: str,
    seed: int | None,
    formats: tuple[str, ...],
    timeout: float,
    requires_sandbox: bool | None,
    without: tuple[str, ...],
) -> None:
    """Grade one submission: a folder with exercise modules, one module, a notebook, or a zip, tar or tar.gz."""
    from grader.runner.processes.spawner import start_worker

    if not path.exists():
        raise NothingToGrade(_nothing_at(path))
    # First of all, before plugins are looked for: the worker takes longest to be ready.
    worker = start_worker(frozenset(without))
    try:
        from grader.plugins.registry import Plugins

        plugins = Plugins()
        outputs = options.find_formats(plugins.reporters, formats)
        pack = load(plugins)
        asked = options.order(
            pack,
            exercises or _only(path, pack),
            device=device,
            seed=seed,
            timeout=timeout,
            requires_sandbox=requires_sandbox,
            without=without,
        )
        report = _grade(plugins, pack, path, asked, outputs, worker)
    finally:
        worker.close()
    _write(report, outputs)
    context.exit(ExitCode.FULL_MARKS if report.is_full else ExitCode.LESS_THAN_FULL)


def load(plugins: Plugins) -> Pack:
    """The pack in use. Raises PackError, with every problem of its rubrics."""
    from grader.pack.load import load_pack

    return load_pack(plugins.pack(), plugins.checks)


def _grade(
    plugins: Plugins,
    pack: Pack,
    path: Path,
    asked: Order,
    outputs: list[tuple[Reporter, Path | None]],
    worker: Spawner,
) -> Report:
    from grader.runner.grade import grade_submission
    from grader.runner.session import Session
    from grader.submission.read import read_submission

    submission = read_submission(path, pack)
    with _live(plugins, outputs), Session(plugins, pack, asked, worker) as session:
        return grade_submission(session, submission)


@contextlib.contextmanager
def _live(plugins: Plugins, outputs: list[tuple[Reporter, Path | None]]) -> Iterator[None]:
    """Print as steps are graded, where a person watches; otherwise the report is printed whole at the end."""
    if not _is_watched(outputs):
        yield
        return
    from grader.report.terminal import Live

    live = Live()
    plugins.manager.register(live)
    try:
        yield
    finally:
        live.stop()
        plugins.manager.unregister(live)


def _is_watched(outputs: list[tuple[Reporter, Path | None]]) -> bool:
    """Whether the terminal format goes to a terminal, because it was asked for or because nothing else goes there."""
    to_stdout = [reporter.name for reporter, file in outputs if file is None]
    return sys.stdout.isatty() and to_stdout in ([], ["terminal"])


def _write(report: Report, outputs: list[tuple[Reporter, Path | None]]) -> None:
    from grader.report.terminal import Terminal, encodable
    from grader.report.write import write_whole

    to_stdout = next((reporter for reporter, file in outputs if file is None), Terminal())
    if not _is_watched(outputs):
        click.echo(encodable(to_stdout.render(report), sys.stdout), nl=False)
    for reporter, file in outputs:
        if file is not None:
            write_whole(file, reporter.render(report))


def _only(path: Path, pack: Pack) -> tuple[str, ...]:
    """The one exercise that a path to a module names."""
    return (path.stem,) if path.is_file() and path.stem in {e.id for e in pack.exercises} else ()


def _nothing_at(path: Path) -> str:
    if path == HERE:
        return (
            "There is no folder ./exercises here. `grade init DIR` makes a workspace; `grade run PATH` grades another."
        )
    return f"There is nothing at {path}."
