"""Scripts that hold exercises although no name says so, such as notebooks that were saved as one."""

from __future__ import annotations

import re
from functools import lru_cache

from grader.model.pack import Pack
from grader.submission.files import MODULE, File, Unreadable
from grader.submission.names import meant, number

MAX_BYTES = 1 << 20


def exercises_in(file: File, pack: Pack) -> frozenset[str]:
    """The exercises whose functions or classes a script seems to define; of what cannot be read, none."""
    if file.path.suffix != MODULE or meant(file.path.name, pack.exercises):
        return frozenset()
    try:
        source = file.read(MAX_BYTES)
    except Unreadable:
        return frozenset()
    owners = {name: exercise.id for exercise in pack.exercises for name in exercise.definitions}
    return frozenset(owners[name.decode()] for name in _definition(tuple(owners)).findall(source))


def by_rank(file: File, pack: Pack) -> tuple[int, int, str]:
    """Of several scripts the one that holds most comes first, then the one that a browser numbered last."""
    return -len(exercises_in(file, pack)), -number(file.path.name), file.path.name


@lru_cache(maxsize=4)
def _definition(names: tuple[str, ...]) -> re.Pattern[bytes]:
    listed = "|".join(map(re.escape, names))
    return re.compile(rf"^(?:(?:def|class)[ \t]+)?({listed})\b(?=[ \t]*[(:=])".encode(), re.MULTILINE)
