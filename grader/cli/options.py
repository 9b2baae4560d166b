"""Options that several commands share, and what their words stand for."""

from __future__ import annotations

import difflib
import os
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from grader.model.errors import UsageError
from grader.model.isolation import LAYERS
from grader.model.order import STEP_SECONDS, Order
from grader.model.pack import Exercise, Pack, Step
from grader.model.reporter import Reporter

F = TypeVar("F", bound=Callable[..., Any])
# Seeds are printed and typed again, so they are kept short; two billion are enough that none is met twice.
SEEDS = 2**31
# A day: beyond it nobody waits.
LONGEST = 86_400.0


class Seconds(click.FloatRange):
    """A number of seconds. `nan` is neither below nor above any bound, so it has to be turned down by name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        if seconds != seconds:
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return seconds


def grading_options(command: F) -> F:
    """The options that `run` and `batch` share."""
    for option in (
        click.option("--timeout", type=Seconds(min=0.1, max=LONGEST), default=STEP_SECONDS, show_default=True,
                     metavar="SECONDS", help="Wall-clock limit of each step."),
        click.option("--format", "formats", multiple=True, metavar="NAME[=FILE]",
                     help="Report format, to standard output or to a file; may be repeated.  [default: terminal]"),
        click.option("--seed", type=click.IntRange(0, SEEDS - 1), default=None, metavar="N",
                     help="Seed of the fresh cases; the report names it.  [default: a new one]"),
        click.option("--device", type=click.Choice(["cpu", "cuda", "all"]), default="all", show_default=True,
                     help="Where to compute; `all` is the CPU, and CUDA where there is one."),
        click.option("--require-sandbox/--allow-unsandboxed", "requires_sandbox", default=None,
                     help="Refuse to grade where a layer of the sandbox is missing, or do not.  "
                          "[default: refuse in CI and in a batch]"),
        click.option("--without-layer", "without", multiple=True, hidden=True, type=click.Choice(LAYERS)),
        click.option("--exercise", "exercises", multiple=True, metavar="ID",
                     help="Grade this exercise alone; `ex10` is enough; may be repeated."),
    ):  # fmt: skip
        command = option(command)
    return command


def order(
    pack: Pack,
    exercises: Iterable[str],
    *,
    device: str,
    seed: int | None,
    timeout: float,
    requires_sandbox: bool | None,
    without: Iterable[str],
) -> Order:
    """What the options ask for. Raises UsageError for an exercise that there is none of."""
    return Order(
        exercises=tuple(find_exercise(pack, name).id for name in exercises),
        device=device,
        seed=secrets.randbelow(SEEDS) if seed is None else seed,
        seconds=timeout,
        requires_sandbox=_is_ci() if requires_sandbox is None else requires_sandbox,
        without=frozenset(without),
    )


def _is_ci() -> bool:
    """Whether a grade may be worth something to somebody: every CI service sets `CI`."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


def find_exercise(pack: Pack, name: str) -> Exercise:
    """The exercise of that id or number: `ex10_causal_attention`, `ex10`, `10`. Raises UsageError with the nearest."""
    if "," in name:
        raise UsageError("Give one exercise an option: --exercise ex01 --exercise ex02.")
    wanted = name.removesuffix(".py").lower()
    number = re.fullmatch(r"(?:ex)?0*(\d+)", wanted)
    for exercise in pack.exercises:
        own = re.fullmatch(r"\D*0*(\d+)", exercise.short)
        if wanted in (exercise.id, exercise.short) or (number and own and number[1] == own[1]):
            return exercise
    if "." in wanted:
        exercise = find_exercise(pack, wanted.split(".")[0])
        raise UsageError(f"{name} is a step; --exercise takes an exercise, such as {exercise.short}.")
    raise UsageError(_unknown("exercise", name, [e.short for e in pack.exercises], [e.id for e in pack.exercises]))


def find_step(pack: Pack, name: str) -> Step:
    """The step of that id. Raises UsageError with the nearest one, or with the exercise's steps."""
    steps = {step.id: step for exercise in pack.exercises for step in exercise.steps}
    if name in steps:
        return steps[name]
    exercise = find_exercise(pack, name.split(".")[0])
    own = [step.id for step in exercise.steps]
    if "." in name:
        raise UsageError(_unknown("step", name, own))
    raise UsageError(f"Which step of {exercise.short}? {', '.join(own)}")


def find_formats(reporters: Mapping[str, Reporter], formats: Iterable[str]) -> list[tuple[Reporter, Path | None]]:
    """Each reporter with the file to write, if any. Raises UsageError for an unknown format."""
    chosen = []
    for entry in formats:
        name, separator, file = entry.partition("=")
        if name not in reporters:
            raise UsageError(_unknown("format", name, list(reporters)))
        if separator and not file:
            raise UsageError(f"--format {entry}: no file is named after the equals sign.")
        if separator and not Path(file).parent.is_dir():
            raise UsageError(f"{file} cannot be written: there is no folder {Path(file).parent}.")
        chosen.append((reporters[name], Path(file) if file else None))
    if sum(file is None for _, file in chosen) > 1:
        raise UsageError("Only one format can go to standard output; give the others a file, as in json=report.json.")
    return chosen


def _unknown(what: str, name: str, known: list[str], longer: list[str] | None = None) -> str:
    """The sentence for a name that is not there: the nearest that is, and all there are. longer: other spellings."""
    nearest = difflib.get_close_matches(name, [*known, *(longer or [])], n=1, cutoff=0.75)
    hint = f" Did you mean {nearest[0]}?" if nearest else ""
    return f"There is no {what} {name!r}.{hint} There are: {', '.join(known)}."
