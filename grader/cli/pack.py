"""The pack in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.profile import phase
from grader.words import language

if TYPE_CHECKING:
    from grader.model.pack import Pack
    from grader.plugins.registry import Plugins


@phase("start")
def load(plugins: Plugins) -> Pack:
    """The pack in use, in the language that is spoken. Raises PackError, with every problem of its rubrics."""
    from grader.pack.load import load_pack
    from grader.pack.words import translated

    return translated(load_pack(plugins.pack(), plugins.checks), language())
