"""What `--profile` writes: how long each phase of a command took."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grader.cli import options
from grader.model import profile


@contextmanager
def profiled(file: Path | None) -> Iterator[None]:
    """While this lasts, note what each phase takes; then write it, a JSON object, to a file if there is one.

    Raises UsageError or NotWritten where that file cannot be written, before anything is done if that is plain by then.
    """
    if file is None:
        yield
        return
    options.check_file(file)
    noted = profile.begin()
    try:
        yield
    finally:
        profile.end()
        from grader.model.write import write_whole

        write_whole(file, json.dumps(noted.whole(), indent=1) + "\n")
