"""The ids of exercises and of steps, without the pack that they are of: what a shell offers, and what a word means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from grader.model.commands import is_called
from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.pack.outline import Outlined


def exercises(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The exercises that begin so: `ex10`, each with its title where the shell shows one."""
    return _beginning(incomplete, {exercise.short: exercise.title for exercise in _outline()})


def steps(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The steps that begin so: `ex10.output`."""
    return _beginning(incomplete, {name: title for each in _outline() for name, title in each.steps.items()})


def is_exercise(word: str) -> bool:
    """Whether a word that was typed means an exercise of the pack in use, whose rubrics are not read for that."""
    from grader.pack.outline import rubric_files
    from grader.plugins.registry import Plugins

    try:
        return any(is_called(file.stem, word) for file in rubric_files(Plugins().pack().exercises))
    except GraderError:
        return False


def _beginning(incomplete: str, titles: dict[str, str]) -> list[CompletionItem]:
    return [CompletionItem(name, help=title) for name, title in titles.items() if name.startswith(incomplete)]


def _outline() -> list[Outlined]:
    """The pack in outline; nothing where there is none, since nobody reads an error while they type."""
    from grader.pack.outline import outline
    from grader.plugins.registry import Plugins

    try:
        return list(outline(Plugins().pack()))
    except GraderError:
        return []
