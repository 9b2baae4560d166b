"""`grade doctor`: what this machine can do."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator

import click

from grader.cli.run import load
from grader.model.errors import ExitCode, GraderError
from grader.report.terminal import encodable

# What was looked at, the exit code of what is wrong with it, and what to say.
Finding = tuple[str, ExitCode, str]
OK = ExitCode.FULL_MARKS


@click.command(name="doctor", short_help="Say what this machine can do.", epilog="Example: grade doctor")
@click.pass_context
def command(context: click.Context) -> None:
    """Say what this machine can do: Python, torch, CUDA, isolation, plugins."""
    code = ExitCode.FULL_MARKS
    for name, finding, said in _findings():
        code = code or finding
        click.echo(encodable(f"  {'✗' if finding else '✓'} {name:<12}{said}", sys.stdout))
    context.exit(code)


def _findings() -> Iterator[Finding]:
    yield "python", OK, f"{platform.python_version()} on {platform.platform(terse=True)}"
    yield from _plugins()
    yield from _worker()


def _plugins() -> Iterator[Finding]:
    from grader.pack.fixtures import Fixtures
    from grader.plugins.registry import Plugins

    try:
        plugins = Plugins()
        pack = load(plugins)
        Fixtures(pack).check_bytes()
    except GraderError as error:
        yield "pack", error.exit_code, str(error)
        return
    names = ", ".join(sorted(name for name, _ in plugins.manager.list_name_plugin()))
    yield "plugins", OK, names + (f" (absent here: {', '.join(plugins.absent)})" if plugins.absent else "")
    yield "pack", OK, f"{pack.name} {pack.version}: {len(pack.exercises)} exercises, {pack.points} points"
    fresh = "yes" if plugins.reference(pack.name) else "no: this copy has no reference, so only public cases are graded"
    yield "fresh cases", OK, fresh


def _worker() -> Iterator[Finding]:
    from grader.runner.solver import Solver
    from grader.runner.zygote import Zygote

    zygote = None
    try:
        zygote = Zygote()
        hello = zygote.hello()
        solver = Solver(zygote, {}, {})
        solver.start()
        yield "torch", OK, hello["torch"]
        yield "cuda", OK, "yes" if hello["cuda"] else "no: everything is graded on the CPU, for full points"
        yield "isolation", OK, ", ".join(solver.isolation) or "a process of its own, and nothing more"
    except GraderError as error:
        yield "torch", error.exit_code, f"{error} Install torch (https://pytorch.org), then try again."
    finally:
        if zygote is not None:
            zygote.close()
