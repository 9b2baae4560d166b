"""`grade doctor`: what this machine can do."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import click

from grader.cli.run import load
from grader.model.errors import ExitCode, GraderError


@click.command(name="doctor", epilog="Example: grade doctor")
@click.pass_context
def command(context: click.Context) -> None:
    """Say what this machine can do: Python, torch, CUDA, isolation, plugins."""
    healthy = True
    for name, good, said in _findings():
        healthy = healthy and good
        click.echo(f"  {'✓' if good else '✗'} {name:<12}{said}")
    context.exit(ExitCode.FULL_MARKS if healthy else ExitCode.INTERNAL)


def _findings() -> Iterator[tuple[str, bool, str]]:
    yield "python", True, f"{platform.python_version()} on {platform.platform(terse=True)}"
    yield from _plugins()
    yield from _worker()


def _plugins() -> Iterator[tuple[str, bool, str]]:
    from grader.plugins.registry import Plugins

    try:
        plugins = Plugins()
        pack = load(plugins)
    except GraderError as error:
        yield "pack", False, str(error)
        return
    names = ", ".join(sorted(name for name, _ in plugins.manager.list_name_plugin()))
    yield "plugins", True, names + (f" (absent here: {', '.join(plugins.absent)})" if plugins.absent else "")
    yield "pack", True, f"{pack.name} {pack.version}: {len(pack.exercises)} exercises, {pack.points} points"
    fresh = "yes" if plugins.reference(pack.name) else "no: this copy has no reference, so only public cases are graded"
    yield "fresh cases", True, fresh


def _worker() -> Iterator[tuple[str, bool, str]]:
    from grader.runner.solver import Solver
    from grader.runner.zygote import Zygote

    zygote = None
    try:
        zygote = Zygote()
        hello = zygote.hello()
        solver = Solver(zygote, {}, {})
        solver.start()
        yield "torch", True, hello["torch"]
        yield "cuda", True, "yes" if hello["cuda"] else "no: everything is graded on the CPU, for full points"
        yield "isolation", True, ", ".join(solver.isolation) or "a process of its own, and nothing more"
    except GraderError as error:
        yield "torch", False, f"{error} Install torch (https://pytorch.org), then try again."
    finally:
        if zygote is not None:
            zygote.close()
