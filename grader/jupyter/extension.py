"""What `%load_ext grader` brings: `%%grade`, `%grade_hint` and `%grade_status`.

A cell that begins with `%%grade` is run by IPython like any other, with the one line made a comment: its output, its
traceback and what it leaves in the namespace are those of a cell without it. It is graded when it has been run.
"""

from __future__ import annotations

import atexit
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from grader.cli import options
from grader.cli.ladder import ladder
from grader.cli.telling import echo, report_bug, tell
from grader.jupyter import cells
from grader.jupyter.desk import KernelDesk
from grader.jupyter.shown import HINT, Below, ask, status
from grader.model.errors import GraderError, UsageError
from grader.model.pack import Exercise, Pack
from grader.submission import hints
from grader.words import languages, of_environment, say, speak

_loaded: list[Extension] = []


def load(shell: Any) -> None:
    """Register the magics with an IPython shell, and start the worker."""
    unload(shell)
    speak(of_environment(os.environ))
    try:
        extension = Extension(shell, KernelDesk(Path.cwd()))
    except GraderError as error:
        tell(str(error), error.remedy)
        return
    _loaded.append(extension)
    extension.register()


def unload(shell: Any) -> None:
    """Take the magics back, and end the worker."""
    for extension in _loaded:
        if extension.shell is shell:
            extension.forget()
    _loaded[:] = [extension for extension in _loaded if extension.shell is not shell]


class Extension:
    """The magics of one shell."""

    def __init__(self, shell: Any, desk: KernelDesk) -> None:
        self.shell, self.desk = shell, desk

    def register(self) -> None:
        self.shell.register_magic_function(self.grade, "cell", "grade")
        self.shell.register_magic_function(self.hint, "line", "grade_hint")
        self.shell.register_magic_function(self.status, "line", "grade_status")
        self.shell.input_transformers_cleanup.append(cells.transformed)
        self.shell.events.register("post_run_cell", self.was_run)
        atexit.register(self.desk.close)

    def forget(self) -> None:
        """Undo `register`; the names of the magics stay, as IPython knows no way to take them back."""
        self.shell.input_transformers_cleanup.remove(cells.transformed)
        self.shell.events.unregister("post_run_cell", self.was_run)
        atexit.unregister(self.desk.close)
        self.desk.close()

    def grade(self, line: str, cell: str) -> None:
        """%%grade ex10 [ex11 ...] [--timeout SECONDS] [--lang CODE]

        Run the cell, then grade what the notebook defines so far: of these exercises, or of those that the cell
        defines something for. A function that hangs is stopped; nothing in the notebook is changed. A language, such
        as de, is spoken from then on.
        """
        self.shell.run_cell(f"{cells.MAGIC} {line}\n{cell}")

    def was_run(self, result: Any) -> None:
        """Grade a cell that begins with `%%grade`, once it has been run. result: IPython's."""
        source = result.info.raw_cell or ""
        head = cells.head_of(source)
        # What is no Python, and what somebody stopped, is left alone: IPython has said so.
        if head is None or result.error_before_exec or isinstance(result.error_in_exec, KeyboardInterrupt):
            return
        below = Below(self.shell)
        try:
            self._in_words(lambda: self._grade(head, source, result.execution_count, below))
        except KeyboardInterrupt:  # whenever it came: in this thread it can be at any line
            below.text(say("jupyter.interrupted"))

    def _grade(self, head: str, source: str, number: int | None, below: Below) -> None:
        exercises, seconds = _asked(head, self.desk.pack)
        sources = cells.history(self.shell)
        current = number or len(sources)
        sources += [""] * (current + 1 - len(sources))
        sources[current] = source
        exercises = exercises or _defined_in(source, self.desk.pack)
        submission = cells.submission_of(sources, exercises, self.desk.pack, self.desk.folder)
        below.text(say("jupyter.grading", exercises=say("join.and").join(exercise.short for exercise in exercises)))
        try:
            report = self.desk.grade(submission, exercises, seconds)
        except Exception:
            below.text(say("jupyter.nothing-graded"))
            raise
        below.report(report)

    def hint(self, line: str) -> None:
        """%grade_hint ex10.output

        Show one more hint of a step: a question first, then the idea, then nearly the answer.
        """
        self._in_words(lambda: self._hint(line.strip()))

    def _hint(self, name: str) -> None:
        if not name:
            example = f"{HINT} {self.desk.pack.exercises[0].steps[0].id}"
            raise UsageError(say("cli.which-of-all", example=example))
        step = options.find_step(self.desk.pack, name)
        level = hints.following(self.desk.folder, step)
        for shown in ladder(step, level, ask(step.id, self.desk.folder)):
            echo(shown)
        hints.remember(self.desk.folder, step, level)

    def status(self, _: str) -> None:
        """%grade_status

        Show what was graded in this notebook so far: the points, and which steps have not passed.
        """
        for each in status(self.desk.pack, self.desk.results):
            echo(each)

    @staticmethod
    def _in_words(act: Callable[[], None]) -> None:
        """Do it; what goes wrong is told as the command line does, and nothing of it ends the kernel or the cell."""
        try:
            act()
        except GraderError as error:
            tell(str(error), error.remedy)
        except click.ClickException as error:
            tell(f"{cells.MAGIC}: {error.format_message()}")
        except Exception:
            report_bug()


@click.command(cells.MAGIC, add_help_option=False)
@click.argument("names", nargs=-1)
@options.timeout_option
@click.option("--lang", type=click.Choice(languages()), default=None)
def _head(names: tuple[str, ...], timeout: float, lang: str | None) -> None:
    """What may stand after `%%grade`."""


def _asked(head: str, pack: Pack) -> tuple[tuple[Exercise, ...], float]:
    """The exercises that are named, none where there are none, and a step's limit. Raises UsageError, click's too.

    A language that is named is spoken from here on.
    """
    try:
        words = shlex.split(head)
    except ValueError:
        raise UsageError(say("jupyter.open-quotation", line=f"{cells.MAGIC} {head}")) from None
    given = _head.make_context(cells.MAGIC, words).params
    if given["lang"] is not None:
        speak(given["lang"])
    named = {options.find_exercise(pack, name).id for name in given["names"]}
    return tuple(exercise for exercise in pack.exercises if exercise.id in named), given["timeout"]


def _defined_in(source: str, pack: Pack) -> tuple[Exercise, ...]:
    """The exercises whose functions or classes a cell defines. Raises UsageError where there are none."""
    found = cells.defined_in(source, pack)
    if not found:
        raise UsageError(say("jupyter.defines-nothing", example=f"{cells.MAGIC} ex01"))
    return found
