"""What an executor is: a way of grading submissions, on this machine or on many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from grader.model.order import Order
    from grader.model.pack import Pack
    from grader.model.report import Report
    from grader.model.submission import Submission
    from grader.plugins.registry import Plugins


class Executor(Protocol):
    """Grades submissions one after the other or side by side; reports come as they are finished."""

    @property
    def name(self) -> str: ...

    def warm(self) -> None:
        """Begin what takes long. Called as early as a command knows that it will grade."""
        ...

    def close(self) -> None:
        """Let go of what `warm` began. Called when the command ends, also where nothing was graded."""
        ...

    def grade(self, plugins: Plugins, pack: Pack, submissions: Iterable[Submission], order: Order) -> Iterator[Report]:
        """Grade each submission. Never raises for what a submission does."""
        ...
