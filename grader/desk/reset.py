"""Puts an exercise's stub back in the place of what was written, which is kept beside it."""

from __future__ import annotations

import itertools
from pathlib import Path

from grader.model.errors import NotWritten
from grader.model.write import whole
from grader.words import say


def reset(file: Path, stub: bytes) -> Path | None:
    """Put the stub there. Returns what the former file is called now; None where there was none. Raises NotWritten."""
    kept = _kept(file)
    with whole(file) as written:
        written.write(stub)
    return kept


def _kept(file: Path) -> Path | None:
    """Keep a copy under the first name that is free. `.py.1` is no module, so it is never graded."""
    try:
        content = file.read_bytes()
        for number in itertools.count(1):
            copy = file.with_name(f"{file.name}.{number}")
            try:
                with copy.open("xb") as written:
                    written.write(content)
            except FileExistsError:
                continue
            return copy
    except FileNotFoundError:
        pass
    except OSError as error:
        raise NotWritten(say("desk.left-as-it-is", file=file, why=error.strerror)) from None
    return None
