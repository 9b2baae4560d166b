"""The built-in executors, brought by the same hook as anybody's."""

from __future__ import annotations

from collections.abc import Iterable

from grader.plugins import hookimpl
from grader.plugins.executor import Executor
from grader.plugins.registry import Plugins
from grader.runner.cluster.executor import Dask
from grader.runner.local import Local


@hookimpl
def grader_executors() -> Iterable[Executor[Plugins]]:
    return [Local(), Dask()]
