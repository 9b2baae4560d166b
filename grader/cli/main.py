"""`grade`: finds the subcommand, and turns whatever goes wrong into one sentence and the right exit code."""

from __future__ import annotations

import importlib
import os
import shlex
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import TextIO

import click

from grader import __version__
from grader.cli import ids
from grader.cli.interrupts import give_back_cursor, handle
from grader.cli.paths import LEADS_NOWHERE
from grader.cli.spoken import Mistyped, said_of, speak_as
from grader.cli.telling import report_bug, tell
from grader.model.commands import program
from grader.model.errors import ExitCode, GraderError
from grader.model.text import clean, nearest
from grader.words import say

# Subcommand to its module in this package; each holds one click command called `command`. In the order of `--help`.
COMMANDS: Mapping[str, str] = {
    "run": "run",
    "watch": "watch",
    "hint": "hint",
    "list": "list",
    "batch": "batch",
    "show": "show",
    "diff": "diff",
    "sign": "sign",
    "check-signature": "check_signature",
    "export": "export",
    "init": "init",
    "bundle": "bundle",
    "doctor": "doctor",
    "completion": "completion",
    "verify": "verify",
    "fixtures": "fixtures",
}
# A group without a command is told its help, from click 8.2 on by an exception.
IS_HELP: tuple[type[click.ClickException], ...] = tuple(
    filter(None, [getattr(click.exceptions, "NoArgsIsHelpError", None)])
)


class Commands(click.Group):
    """Imports a subcommand only when it is asked for, and says what a mistaken one may have meant."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`grade` alone, or with options that are not its own, is `grade run`."""
        if "" in args:
            speak_as(args)
            raise Mistyped(say("typed.empty"), ctx)
        own = {name for option in self.get_params(ctx) for name in option.opts}
        is_run = args[0].startswith("-") and args[0] not in ("--", *own) if args else not ctx.resilient_parsing
        for word in args if is_run else ():
            if word in COMMANDS and not Path(word).exists():
                speak_as(args)
                raise Mistyped(say("typed.options-behind", example=f"{program()} {word} {args[0]} ..."), ctx)
        return super().parse_args(ctx, ["run", *args] if is_run else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            speak_as(args)
            raise Mistyped(say("typed.no-such-command", name=repr(args[0])) + _meant(args[0]), ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"grader.cli.{COMMANDS[name]}").command
        return command


@click.group(
    cls=Commands,
    subcommand_metavar="[COMMAND] [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Example: grade    (grades ./exercises, like `grade run exercises`)",
)
@click.version_option(__version__, prog_name="grade")
def cli() -> None:
    """Grade exercises: tell what is right, what is wrong, and why."""


def main() -> None:
    """Run the command line and end the process with the contract's exit code."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    presses: list[int] = []
    is_ending = False

    def interrupt(number: int, _: FrameType | None) -> None:
        presses.append(number)
        if not is_ending:  # else an impatient second one ends in the middle of the first one's sentence
            raise KeyboardInterrupt

    handle(interrupt)
    try:
        code = cli.main(prog_name="grade", standalone_mode=False)
        sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        is_ending = True
        # Within an import, or a library that takes any error for its own, an interruption comes out as another one.
        code = _told(KeyboardInterrupt() if presses else error)
    handle(signal.SIG_DFL)  # what Python itself does at Ctrl-C is an error wherever it is, also where it shuts down
    sys.exit(code)


def _told(error: BaseException) -> int:
    """Say what went wrong. Returns the exit code."""
    if isinstance(error, (click.Abort, KeyboardInterrupt)):
        give_back_cursor()
        tell(say("cli.interrupted"))
        return ExitCode.INTERRUPTED
    if isinstance(error, GraderError):
        tell(str(error), error.remedy)
        return error.exit_code
    if isinstance(error, IS_HELP):
        error.show()
        return error.exit_code
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return _told(Mistyped(said_of(error, error.ctx), error.ctx))
    if isinstance(error, click.ClickException):
        tell(error.format_message())
        return error.exit_code
    if isinstance(error, BrokenPipeError):  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERNAL
    if isinstance(error, OSError) and (said := _of_place(error)):
        tell(said)
        return ExitCode.WRONG_USAGE
    return report_bug()


def _nowhere() -> TextIO:
    """A stream for one that is closed: who wants to see nothing of it wants to be graded all the same."""
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _of_place(error: OSError) -> str:
    """Why a path that somebody typed leads nowhere; "" for what is no matter of a path."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return say("cli.no-current-folder")
    if error.filename is None or error.errno not in LEADS_NOWHERE:
        return ""
    named = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else str(error.filename)
    return say("cli.leads-nowhere", path=clean(named, 200), why=error.strerror)


def _meant(word: str) -> str:
    """What a word that is no command may have been meant for."""
    if Path(word).exists():
        meant = f"run {shlex.quote(word)}"
    elif ids.is_exercise(word):
        meant = f"run exercises --exercise {word}"
    else:
        meant = nearest(word, COMMANDS)
    return f" {say('typed.meant-command', command=f'{program()} {meant}')}" if meant else ""
