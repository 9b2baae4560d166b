"""`grade bundle`: makes what an instructor gives to a platform, and proves that it grades."""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli import options
from grader.cli.pack import load
from grader.cli.telling import echo
from grader.model.commands import program
from grader.model.errors import BundleError, UsageError
from grader.model.text import clean, nearest

if TYPE_CHECKING:
    from grader.model.pack import Pack
    from grader.plugins.registry import Plugins

CHECK = "check"
# What a bundle brings for whoever made it, unless it says otherwise.
README = "README.md"
# It goes into JSON and scripts as it is. https://pkg.go.dev/github.com/distribution/reference has it in full.
IMAGE = re.compile(r"[a-z0-9][\w./:@-]*", re.ASCII)


class Bundles(click.Group):
    """A command for each platform that some plugin makes bundles for, and `check`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_plugins().bundles, CHECK]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name == CHECK:
            return check
        return _command(name) if name in _plugins().bundles else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            meant = nearest(args[0], known)
            hint = f" Did you mean {meant}?" if meant else ""
            raise UsageError(f"There is no bundle {args[0]!r}.{hint} There are: {', '.join(known)}.")
        return super().resolve_command(ctx, args)


@click.group(
    name="bundle",
    cls=Bundles,
    short_help="Make what a platform grades with.",
    epilog="Example: grade bundle gradescope autograder.zip && grade bundle check autograder.zip",
)
def command() -> None:
    """Make what an instructor gives to a platform so that it grades with this kit; each has a README of a page."""


def _command(name: str) -> click.Command:
    suffix = _plugins().bundles[name].suffix
    what = f"OUT{suffix}" if suffix else "DIR"
    example = f"autograder{suffix}" if suffix else name

    @click.command(
        name,
        help=f"Make a bundle for {name}: {what}.",
        short_help=f"Make a bundle for {name}.",
        epilog=f"Example: grade bundle {name} {example} --exercise ex01",
    )
    @click.argument("out", type=options.PATH, metavar=what)
    @options.exercise_option("Have this exercise count alone; `ex10` is enough")
    @options.timeout_option
    @click.option(
        "--image", default="", metavar="NAME",
        help="What a registry calls the container image.  [default: attention-grader]",
    )  # fmt: skip
    @click.option(
        "--allow-unsandboxed", "is_unsandboxed", is_flag=True,
        help="Have the bundle grade without the sandbox: a submission could then read the solutions.",
    )  # fmt: skip
    def command(**given: Any) -> None:
        _make(name, **given)

    return command


def _make(name: str, out: Path, exercises: tuple[str, ...], timeout: float, image: str, is_unsandboxed: bool) -> None:
    from grader.bundle.kit import course
    from grader.bundle.write import write_bundle
    from grader.handout.checks import check_stubs, said_of_stubs

    if image and not IMAGE.fullmatch(image):
        raise UsageError(f"--image {clean(image, 80)}: give a name that `docker pull` takes, such as me/attention:1.")
    plugins = _plugins()
    pack = load(plugins)
    chosen = [options.find_exercise(pack, each) for each in exercises]
    worked_on = check_stubs(pack)
    sandbox = ("--allow-unsandboxed",) if is_unsandboxed else None
    made = course(plugins, pack, chosen, seconds=timeout, sandbox=sandbox, image=image)
    platform = plugins.bundles[name]
    write_bundle(platform, made, out)
    if said := said_of_stubs(worked_on, pack):
        echo(said)
    readme = getattr(platform, "readme", README)
    where = f"{readme} in it" if platform.suffix else str(out / readme)
    echo(f"{out} is ready. {where} says what to do with it; this proves it:")
    echo(f"  {program()} bundle check {shlex.quote(str(out))}")


@click.command(
    name=CHECK, short_help="Run a bundle as its platform would.", epilog="Example: grade bundle check autograder.zip"
)
@click.argument("bundle", type=options.PATH)
@click.option("--fresh", "is_fresh", is_flag=True,
              help="Set up an environment of its own, as the platform will: a download of about 200 MB.")  # fmt: skip
def check(bundle: Path, is_fresh: bool) -> None:
    """Lay BUNDLE out as its platform does, run its own scripts, and say what the platform would see.

    A right submission, one with a mistake in each module, the untouched stubs, one that hangs, and a grader in trouble,
    which must be nobody's failure.
    """
    from grader.bundle.check import check_bundle

    if not bundle.exists():
        raise UsageError(f"There is nothing at {bundle}; `grade bundle` makes one.")
    plugins = _plugins()
    pack = load(plugins)
    right, stubs = _right(plugins, pack), _stubs(pack)
    mistaken, platforms = _mistaken(plugins, pack, right), plugins.bundles.values()
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="grade-bundle-") as scratch:
        outcomes = check_bundle(
            bundle, Path(scratch), platforms, right, mistaken, stubs,
            find=lambda name: options.find_exercise(pack, name).id, is_fresh=is_fresh,
        )  # fmt: skip
        for outcome in outcomes:
            wrong += not outcome.is_right
            mark = "✓" if outcome.is_right else "✗"
            echo(f"  {mark} {outcome.trial:<8} {outcome.said}")
            for line in outcome.output.splitlines():
                echo(f"      {line}")
    if wrong:
        raise BundleError(f"{bundle} does not grade as it should: {wrong} of the above is wrong.")


def _right(plugins: Plugins, pack: Pack) -> Mapping[str, bytes]:
    """The reference's modules."""
    reference = plugins.reference(pack.name)
    if reference is None:
        raise UsageError("This copy has no solutions, so there is nothing right to hand in.")
    return {exercise.file: (reference.folder / exercise.file).read_bytes() for exercise in pack.exercises}


def _mistaken(plugins: Plugins, pack: Pack, right: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The reference with the first known mistake in each module; as it is where none is known."""
    from grader.pack.mistakes import applied, edits_of

    made = {}
    for exercise in pack.exercises:
        source = right[exercise.file].decode("utf-8")
        edits = edits_of(plugins.solutions(pack.name), exercise, source)
        made[exercise.file] = applied(source, edits[:1]).encode("utf-8")
    return made


def _stubs(pack: Pack) -> Mapping[str, bytes]:
    """The stubs as they are handed out, whatever was written into those that lie here."""
    from grader.pack.fixtures import Fixtures

    fixtures = Fixtures(pack)
    return {exercise.file: fixtures.stub(exercise) for exercise in pack.exercises}


def _plugins() -> Plugins:
    """Every plugin, found once."""
    from grader.plugins.registry import Plugins

    context = click.get_current_context().find_root()
    if not isinstance(context.obj, Plugins):
        context.obj = Plugins()
    return context.obj
