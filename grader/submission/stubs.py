"""Whether a module is a stub as it was handed out, which a student's folder holds beside the notebook they wrote.

It is known by its digest in the fixtures: the pack's own `exercises/` may be the very folder that somebody works in.
"""

from __future__ import annotations

import hashlib

from grader.model.pack import Pack
from grader.model.text import source_lines


def is_untouched(exercise: str, source: bytes, pack: Pack) -> bool:
    """Whether a source is the exercise's stub, whatever an editor did to its line endings and its last lines."""
    return hashlib.sha256(_plain(source)).hexdigest() == pack.stubs.get(exercise)


def _plain(source: bytes) -> bytes:
    lines = [line.rstrip() for line in source_lines(source.decode("utf-8", "replace").strip())]
    return "".join(f"{line}\n" for line in lines).encode()
