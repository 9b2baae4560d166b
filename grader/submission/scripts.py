"""Scripts that hold exercises although no name says so, such as notebooks that were saved as one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from grader.model.pack import Pack
from grader.submission.files import MODULE, File, Unreadable, source_of
from grader.submission.names import meant, number


def exercises_in(file: File, pack: Pack) -> frozenset[str]:
    """The exercises whose functions or classes a script seems to define; of what cannot be read, none."""
    defined = _defined_in(file, pack)
    return frozenset(exercise.id for exercise in pack.exercises if defined & {*exercise.definitions})


def holding(files: Iterable[File], pack: Pack, least: int) -> list[File]:
    """The scripts that hold so many exercises, or all of one.

    First those that hold most, then those that a browser numbered last.
    """
    held = [(len(exercises_in(file, pack)), file) for file in files]
    ranked = sorted(held, key=lambda each: (-each[0], -number(each[1].path.name), each[1].path.name))
    return [file for count, file in ranked if count >= least or (count and _holds_all_of_one(file, pack))]


def _holds_all_of_one(file: File, pack: Pack) -> bool:
    defined = _defined_in(file, pack)
    return any(defined >= {*exercise.definitions} for exercise in pack.exercises)


def _defined_in(file: File, pack: Pack) -> frozenset[str]:
    """What exercises ask for and a script seems to define."""
    if file.path.suffix != MODULE or meant(file.path.name, pack.exercises):
        return frozenset()
    try:
        source = source_of(file)
    except Unreadable:
        return frozenset()
    asked = tuple(name for exercise in pack.exercises for name in exercise.definitions)
    return frozenset(name.decode() for name in _definition(asked).findall(source))


@lru_cache(maxsize=4)
def _definition(names: tuple[str, ...]) -> re.Pattern[bytes]:
    listed = "|".join(map(re.escape, names))
    return re.compile(rf"^(?: {{4}})?(?:(?:def|class)[ \t]+)?({listed})\b(?=[ \t]*[(:=])".encode(), re.MULTILINE)
