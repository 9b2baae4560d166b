"""What a reporter is: one format that a report can be written in."""

from __future__ import annotations

from typing import Protocol

from grader.model.report import Report


class Reporter(Protocol):
    """A format, named by `--format`."""

    @property
    def name(self) -> str: ...

    def render(self, report: Report) -> str:
        """The whole report as text, with a newline at its end."""
        ...
