"""What a shell offers where the id of an exercise or of a step is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from grader.model.errors import GraderError

if TYPE_CHECKING:
    from grader.pack.outline import Outlined


def exercises(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The exercises that begin so: `ex10`, each with its title where the shell shows one."""
    return _beginning(incomplete, {exercise.short: exercise.title for exercise in _outline()})


def steps(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The steps that begin so: `ex10.output`."""
    return _beginning(incomplete, {name: title for each in _outline() for name, title in each.steps.items()})


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
