"""Whether a module is as it was handed out: a stub, which a student's folder holds beside the notebook they wrote, or a
stand-in, which lies beside the stubs and is no answer to them.

A stub is known by its digest in the fixtures: the pack's own `exercises/` may be the very folder that somebody works
in. What a course hands out as a notebook is known by having no work in it.
"""

from __future__ import annotations

import hashlib

from grader.model import syntax
from grader.model.pack import Pack
from grader.model.text import source_lines
from grader.submission.encodings import text_of


def is_untouched(exercise: str, source: bytes, pack: Pack) -> bool:
    """Whether a source is the exercise's stub, whatever an editor did to its line ends, last lines and encoding."""
    return hashlib.sha256(_plain(source)).hexdigest() == pack.stubs.get(exercise)


def is_stand_in(exercise: str, source: bytes, pack: Pack) -> bool:
    """Whether a source is what the grader itself puts in the place of the exercise, just as loosely."""
    stand_in = pack.stand_ins.get(exercise)
    return stand_in is not None and _plain(source) == _plain(stand_in)


def has_work(source: bytes) -> bool:
    """Whether a function of a module does more than a stub does; of what has none, or cannot be read, it is so."""
    tree = syntax.parse_if_python(source.decode("utf-8", "replace"))
    functions = syntax.functions_in(tree) if tree is not None else []
    return not functions or not all(syntax.is_of_a_stub(part) for function in functions for part in function.body)


def _plain(source: bytes) -> bytes:
    lines = [line.rstrip() for line in source_lines(text_of(source).strip())]
    return "".join(f"{line}\n" for line in lines).encode()
