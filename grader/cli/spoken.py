"""Commands that students type: what is wrong with one is said in their language, which click does not speak."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import click

from grader.cli import ids
from grader.model.commands import GRADE, program
from grader.model.errors import UsageError
from grader.words import languages, of_environment, say, speak

LANGUAGE, EXERCISE = "--lang", "--exercise"
# By click, of which no kind of error tells it.
EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)$")


class Mistyped(UsageError):
    """A command that cannot be understood."""

    def __init__(self, said: str, context: click.Context) -> None:
        super().__init__(said)
        called = context.command_path.replace(GRADE, program(), 1)
        usage = " ".join([called, *map(_piece, context.command.collect_usage_pieces(context))])
        self.remedy = say("typed.usage", usage=usage, command=f"{called} --help")


class Spoken(click.Command):
    """A command that speaks the language that `--lang` names, else the machine's, from its first word on."""

    allow_extra_args = True  # which are turned down here

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        speak_as(args)
        if name := _without_value(args, ctx.command.get_params(ctx)):
            raise Mistyped(say("typed.needs-value", name=name), ctx)
        try:
            left = super().parse_args(ctx, args)
        except click.UsageError as error:
            raise Mistyped(said_of(error, ctx), ctx) from None
        if left and not ctx.resilient_parsing:
            said = say("typed.extra", words=" ".join(left))
            meant = _as_options(left, ctx)
            raise Mistyped(f"{said}. {say('cli.did-you-mean', name=meant)}" if meant else said, ctx)
        return left


class OneOf(click.Choice[str]):
    """A word out of several."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            known = ", ".join(map(repr, self.choices))
            self.fail(say("typed.not-one-of", value=repr(value), known=known), param, ctx)
        return str(value)


def said_of(error: click.UsageError, ctx: click.Context) -> str:
    """What click found wrong with a command, in our words, which are the same whatever version of click there is."""
    match error:
        case click.NoSuchOption(option_name=name, possibilities=near):
            meant = f" {say('cli.did-you-mean', name=near[0])}" if near else ""
            return say("typed.no-such-option", name=name) + meant
        case click.BadOptionUsage(option_name=name):
            takes_none = any(
                name in each.opts and getattr(each, "is_flag", False) for each in ctx.command.get_params(ctx)
            )
            return say("typed.takes-no-value" if takes_none else "typed.needs-value", name=name)
        case click.MissingParameter(param=click.Parameter() as param):
            return say("typed.missing", name=_piece(param.get_error_hint(ctx)))
        case click.BadParameter(param=click.Parameter() as param):
            return say("typed.bad-value", name=_piece(param.get_error_hint(ctx)), why=error.message)
        case _ if found := EXTRA.match(error.format_message()):
            return say("typed.extra", words=found[1])
        case _:
            return error.format_message()


def _as_options(words: Sequence[str], ctx: click.Context) -> str:
    """What words at which nothing is due may have been meant for: exercises, where the command takes these; else ""."""
    option = next((each for each in ctx.command.get_params(ctx) if EXERCISE in each.opts), None)
    takes_all = isinstance(option, click.Option) and (option.multiple or len(words) == 1)
    return " ".join(f"{EXERCISE} {word}" for word in words) if takes_all and all(map(ids.is_exercise, words)) else ""


def _without_value(args: Sequence[str], known: Sequence[click.Parameter]) -> str:
    """The first option behind which another one stands where its value is due; "" for none. Click takes any word."""
    names = {name for each in known for name in (*each.opts, *each.secondary_opts)}
    takes = {name for each in known if isinstance(each, click.Option) and not each.is_flag for name in each.opts}
    options = [*args[: args.index("--")]] if "--" in args else args
    return next((name for name, value in pairwise(options) if name in takes and value in names), "")


def _piece(usage: str) -> str:
    """A part of a command as it is used, such as `[OPTIONS]`, with what stands in for words in the language spoken."""
    stand_ins = {
        "OPTIONS": say("typed.of-options"),
        "STEP": say("typed.of-step"),
        "PATH": say("typed.of-path"),
        "DIR": say("typed.of-folder"),
        "RESULT": say("typed.of-result"),
    }
    return re.sub(r"\b[A-Z]+\b", lambda found: stand_ins.get(found[0], found[0]), usage)


def speak_as(words: Sequence[str]) -> None:
    """Speak the language that the words of a command ask for, even if these cannot be understood otherwise."""
    named = [word.removeprefix(f"{LANGUAGE}=") for word in words if word.startswith(f"{LANGUAGE}=")]
    named += [word for option, word in pairwise(words) if option == LANGUAGE]
    speak(next((code for code in named if code in languages()), of_environment(os.environ)))
