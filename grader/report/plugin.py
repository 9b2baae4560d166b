"""The built-in reporters, brought by the same hook as anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from grader.model.reporter import Reporter
from grader.plugins import hookimpl
from grader.report.html.student import Html
from grader.report.json import Json
from grader.report.terminal import Terminal


@hookimpl
def grader_reporters() -> Iterable[Reporter]:
    return [Terminal(), Json(), Html()]
