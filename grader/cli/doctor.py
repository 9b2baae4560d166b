"""`grade doctor`: what this machine can do."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.pack import load
from grader.cli.telling import echo
from grader.model.errors import DeviceUnusable, ExitCode, GraderError
from grader.model.isolation import LAYERS
from grader.model.text import plural

if TYPE_CHECKING:
    from grader.runner.processes.spawner import Spawner

# What was looked at, the exit code of what is wrong with it (none for what one can do without), and what to say.
Finding = tuple[str, ExitCode | None, str]
# A part of torch that what a submission uses may bring along, such as an optimizer, and `import torch` does not.
COMPILER = "_dynamo"
OK = ExitCode.FULL_MARKS
LACKING = None
MARKS = {OK: "✓", LACKING: "–"}


@click.command(name="doctor", short_help="Say what this machine can do.", epilog="Example: grade doctor")
@click.pass_context
def command(context: click.Context) -> None:
    """Say what this machine can do: Python, torch, CUDA, isolation, plugins."""
    code = ExitCode.FULL_MARKS
    for name, finding, said in _findings():
        code = code or finding or OK
        echo(f"  {MARKS.get(finding, '✗')} {name:<14}{said}")
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
    yield (
        "pack",
        OK,
        f"{pack.name} {pack.version}: {plural(len(pack.exercises), 'exercise')}, {plural(pack.points, 'point')}",
    )
    fresh = "yes" if plugins.reference(pack.name) else "no: this copy has no reference, so only public cases are graded"
    yield "fresh cases", OK, fresh


def _worker() -> Iterator[Finding]:
    from grader.runner.processes.start import start_worker
    from grader.runner.solver import Solver

    try:
        with closing(start_worker()) as worker:
            hello = worker.hello()
            with closing(Solver(worker, {}, {})) as solver:
                solver.start()
                isolation = solver.isolation
            yield "torch", OK, hello["torch"]
            yield from _compiled()
            yield _cuda(worker)
            yield "sandbox", OK, ", ".join(isolation) or "none: a process of its own, and nothing more"
            missing = worker.missing()
            yield from ((layer, LACKING, missing[layer]) for layer in LAYERS if layer in missing)
    except GraderError as error:
        yield "torch", error.exit_code, f"{error} Install torch (https://pytorch.org), then try again."


def _cuda(worker: Spawner) -> Finding:
    """Whether CUDA can be used inside the sandbox, where it was tried."""
    from grader.runner.processes import bubblewrap
    from grader.runner.solver import Solver

    instead = "everything is graded on the CPU, for full points"
    if not worker.hello()["cuda"]:
        if bubblewrap.gpus():
            return "cuda", LACKING, f"no: torch does not see the GPU of this machine (https://pytorch.org); {instead}"
        return "cuda", OK, f"no: {instead}"
    try:
        with closing(Solver(worker, {}, {}, device="cuda")) as solver:
            solver.start()
    except DeviceUnusable as error:
        return "cuda", LACKING, f"no: {str(error).removesuffix('.')}; {instead}"
    return "cuda", OK, "yes"


def _compiled() -> Iterator[Finding]:
    """Something only where packages are as they were unpacked: a sandboxed worker cannot keep what it compiles."""
    spec = find_spec("torch")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        # `import torch` does without it, so that the worker which was started just now has not compiled it either.
        if not all(Path(cache_from_source(str(path))).exists() for path in Path(folder, COMPILER).glob("*.py")):
            advice = shlex.join([sys.executable, "-m", "compileall", "-q", folder])
            said = "torch is not, so that a submission may wait for it again and again; once and for all, run"
            yield "compiled", LACKING, f"{said} `{advice}`"
