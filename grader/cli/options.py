"""Options that several commands share, and what their words stand for."""

from __future__ import annotations

import math
import os
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from grader.cli import ids
from grader.cli.paths import Place, look_at
from grader.cli.spoken import LANGUAGE, OneOf
from grader.model.commands import exercise_called
from grader.model.errors import UsageError
from grader.model.isolation import LAYERS, REQUIRED
from grader.model.order import SECRET_SEED, STEP_SECONDS, Order
from grader.model.pack import Exercise, Pack, Step, Visibility, name_of
from grader.model.reporter import Reporter
from grader.model.text import nearest
from grader.words import language, languages, say

if TYPE_CHECKING:
    from grader.report.outputs import Output

F = TypeVar("F", bound=Callable[..., Any])
PATH = Place(path_type=Path)
# Seeds are printed and typed again, so they are kept short; two billion are enough that none is met twice.
SEEDS = 2**31
# What is kept secret may be longer than anybody can try.
LARGEST_SEED = 2**128 - 1
# A day: beyond it nobody waits.
LONGEST = 86_400.0


class WholeNumber(click.IntRange):
    """A whole number within bounds, and a sentence for what is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number = int(value)
        except ValueError:
            self.fail(say("typed.no-whole-number", value=repr(value)), param, ctx)
        return int(_within(self, number, param, ctx))


class Seed(WholeNumber):
    """A seed. One from the environment is a secret, also where it is no seed."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            if value != os.environ.get(SECRET_SEED):
                raise
            self.fail(say("typed.no-secret-seed", digits=len(str(LARGEST_SEED))), param, ctx)


class Number(click.FloatRange):
    """A number between bounds. `nan` is neither below nor above any bound, so it has to be turned down by name."""

    def __init__(self, unit: str, min: float, max: float) -> None:
        super().__init__(min, max)
        self._unit = unit

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            self.fail(say(f"typed.no-number.{self._unit}", value=repr(value)), param, ctx)
        return float(_within(self, number, param, ctx))


def _within(
    range: click.IntRange | click.FloatRange, number: float, param: click.Parameter | None, ctx: click.Context | None
) -> float:
    """The number, which has to lie in the range."""
    least, most = range.min, range.max
    if (least is not None and number < least) or (most is not None and number > most):
        bounds = "x".join((f"{least}<=" if least is not None else "", f"<={most}" if most is not None else ""))
        range.fail(say("typed.out-of-range", value=number, range=bounds), param, ctx)
    return number


@dataclass(frozen=True, slots=True)
class Given:
    """What was given of how to grade: the options that `run` and `batch` share, by their names.

    formats: each NAME[=FILE]. seed: None for a new one. requires_sandbox: None where nobody said. spared, without:
    layers of the sandbox.
    """

    exercises: tuple[str, ...] = ()
    device: str = "all"
    seed: int | None = None
    formats: tuple[str, ...] = ()
    timeout: float = STEP_SECONDS
    requires_sandbox: bool | None = None
    spared: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    profile: Path | None = None


def exercise_option(told: str) -> Callable[[F], F]:
    """The exercises that a command is for, as `exercises`. told: what `--help` says of it."""
    return click.option(
        "--exercise", "exercises", multiple=True, metavar="ID", shell_complete=ids.exercises,
        help=f"{told}; may be repeated.",
    )  # fmt: skip


def layout_option(command: F) -> F:
    """How a download of many is laid out, as `layout`. The names stand here, or `--help` would have to read layouts."""
    option = click.option(
        "--layout", default="auto", show_default=True, metavar="NAME",
        help="How PATH is laid out: folder, canvas, github, gradescope or moodle; auto finds out.",
    )  # fmt: skip
    return option(command)


def timeout_option(command: F) -> F:
    """A step's limit, as `timeout`."""
    option = click.option(
        "--timeout", type=Number("seconds", 0.1, LONGEST), default=STEP_SECONDS, show_default=True,
        metavar="SECONDS", help="Wall-clock limit of each step.",
    )  # fmt: skip
    return option(command)


def grading_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that `run` and `batch` share. The command takes them together, as `given`."""

    @wraps(command)
    def collected(*arguments: Any, **named: Any) -> None:
        given = Given(**{field.name: named.pop(field.name) for field in fields(Given)})
        command(*arguments, given=given, **named)

    for option in (
        timeout_option,
        click.option("--format", "formats", multiple=True, metavar="NAME[=FILE]",
                     help="Report format, to a file, to where its platform looks, or to standard output; may be "
                          "repeated.  [default: terminal]"),
        click.option("--seed", type=Seed(0, LARGEST_SEED), default=None, metavar="N", envvar=SECRET_SEED,
                     show_envvar=True,
                     help="Seed of the fresh cases; the report names it, unless it is from the environment.  "
                          "[default: a new one]"),
        click.option("--device", type=OneOf(["cpu", "cuda", "all"]), default="all", show_default=True,
                     help="Where to compute; `all` is the CPU, and CUDA where there is one."),
        click.option("--require-sandbox/--allow-unsandboxed", "requires_sandbox", default=None,
                     help="Refuse to grade where a layer of the sandbox is missing, or do not.  "
                          "[default: refuse in CI and in a batch]"),
        click.option("--allow-without", "spared", multiple=True, type=OneOf(REQUIRED), metavar="LAYER",
                     help="Require every layer of the sandbox but this one, as in a container that has no bubblewrap; "
                          "may be repeated."),
        click.option("--without-layer", "without", multiple=True, hidden=True, type=click.Choice(LAYERS)),
        click.option("--profile", type=Place(path_type=Path, dir_okay=False), metavar="FILE",
                     help="Write how many seconds each phase took, as JSON; no grade rests on them."),
        exercise_option("Grade this exercise alone; `ex10` is enough"),
    ):  # fmt: skip
        collected = option(collected)
    return collected


def language_option(command: F) -> F:
    """The language of what is said to a student, of a command that is Spoken."""
    option = click.option(
        LANGUAGE, type=OneOf(languages()), metavar="CODE", default=None, expose_value=False,
        help=f"Language of what is said: {', '.join(languages())}.  [default: as LANG has it]",
    )  # fmt: skip
    return option(command)


def order(pack: Pack, given: Given) -> Order:
    """What the options ask for. Raises UsageError for an exercise that there is none of, and for a contradiction."""
    but, required = frozenset(given.spared), given.requires_sandbox
    if but and required is False:
        raise UsageError(say("cli.allow-one"))
    return Order(
        exercises=tuple(find_exercise(pack, name).id for name in given.exercises),
        device=given.device,
        seed=secrets.randbelow(SEEDS) if given.seed is None else given.seed,
        seed_is_secret=_source_of("seed") is ParameterSource.ENVIRONMENT,
        seconds=given.timeout,
        requires_sandbox=(bool(but) or _is_ci()) if required is None else required,
        spared=but,
        device_is_asked=_source_of("device") is ParameterSource.COMMANDLINE,
        without=frozenset(given.without),
        language=language(),
        tries=True,
    )


def _source_of(name: str) -> ParameterSource | None:
    """Where an option of the command that runs was taken from; None where no command does."""
    context = click.get_current_context(silent=True)
    return context.get_parameter_source(name) if context is not None else None


def _is_ci() -> bool:
    """Whether a grade may be worth something to somebody: every CI service sets `CI`."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


def find_exercise(pack: Pack, name: str) -> Exercise:
    """The exercise of that id or number: `ex10_causal_attention`, `ex10`, `10`. Raises UsageError with the nearest."""
    if "," in name:
        raise UsageError(say("cli.one-exercise-each"))
    if found := exercise_called(name, pack.exercises):
        return found
    wanted = name.removesuffix(".py").lower()
    if head := wanted.partition(".")[0] if "." in wanted else "":
        exercise = find_exercise(pack, head)
        raise UsageError(say("cli.is-a-step", name=name, exercise=exercise.short))
    shorts, ids = [e.short for e in pack.exercises], [e.id for e in pack.exercises]
    raise UsageError(say("cli.no-such-exercise", name=repr(name), known=_known(name, shorts, ids)))


def find_step(pack: Pack, name: str) -> Step:
    """The step of that id. Raises UsageError with the nearest one, or with the exercise's steps."""
    steps = {step.id: step for exercise in pack.exercises for step in shown_steps(exercise)}
    if name in steps:
        return steps[name]
    if alike := [each for each in steps if name == name_of(each)]:
        meant = say("join.or").join([", ".join(alike[:-1]), alike[-1]] if alike[1:] else alike)
        raise UsageError(say("cli.no-such-step", name=repr(name), known=say("cli.did-you-mean", name=meant)))
    exercise = find_exercise(pack, name.partition(".")[0] or name)
    own = [step.id for step in shown_steps(exercise)]
    if "." in name:
        raise UsageError(say("cli.no-such-step", name=repr(name), known=_known(name, own)))
    raise UsageError(say("cli.which-step", exercise=exercise.short, steps=", ".join(own)))


def shown_steps(exercise: Exercise) -> list[Step]:
    """The steps that students hear of."""
    return [step for step in exercise.steps if step.visibility is Visibility.VISIBLE]


def find_format(reporters: Mapping[str, Reporter], entry: str) -> tuple[Reporter, str]:
    """The reporter of an entry NAME[=FILE], and the file, "" for none. Raises UsageError for an unknown format."""
    name, separator, file = entry.partition("=")
    if name not in reporters:
        raise UsageError(say("cli.no-such-format", name=repr(name), known=_known(name, list(reporters))))
    if separator and not file:
        raise UsageError(say("cli.no-file-named", option=f"--format {entry}"))
    return reporters[name], file


def check_file(file: Path) -> None:
    """Raises UsageError where a file cannot be written that is all that a command's long work is for."""
    from grader.model.write import check_writable

    _check_place(file)
    check_writable(file)


def _check_place(file: Path) -> None:
    look_at(file)
    if not file.parent.is_dir():
        raise UsageError(say("cli.no-folder", file=file, folder=file.parent))
    if file.is_dir():
        raise UsageError(say("cli.is-a-folder", file=file))


def find_outputs(reporters: Mapping[str, Reporter], formats: Iterable[str]) -> list[Output]:
    """Where each format goes. Raises UsageError for an unknown format, or two to one place."""
    from grader.report.outputs import output

    chosen = []
    for entry in formats:
        reporter, file = find_format(reporters, entry)
        if file:  # whether it can be written is seen when it is: the other formats are written all the same
            _check_place(Path(file))
        chosen += output(reporter, file, os.environ)
    if sum(each.place is None for each in chosen) > 1:
        raise UsageError(say("cli.one-to-standard-output"))
    files = [each.place.file.resolve() for each in chosen if each.place is not None and not each.place.is_shared]
    twice = next((file for file in files if files.count(file) > 1), None)
    if twice is not None:
        raise UsageError(say("cli.two-to-one-file", file=twice))
    return chosen


def _known(name: str, known: Sequence[str], longer: Sequence[str] = ()) -> str:
    """The sentences for a name that is not there: the nearest that is, and all there are. longer: other spellings."""
    is_a_number = re.fullmatch(r"(ex)?\d+", name.lower()) is not None  # which is no other's misspelt
    meant = nearest(name, [*known, *longer], likeness=0.75) if not is_a_number else ""
    there_are = say("cli.there-are", names=", ".join(known))
    return f"{say('cli.did-you-mean', name=meant)} {there_are}" if meant else there_are
