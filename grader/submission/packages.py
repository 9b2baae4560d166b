"""Modules in folders beside the exercises that these import from, as `from utils.stable import softmax` does."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from grader.submission.files import FOLDER, MODULE, File, Unreadable, entries, is_folder, source_of, walk

# Of all folders of a submission; nobody writes more.
MAX_FILES = 200
IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t](.*)", re.MULTILINE)
WORD = re.compile(rb"[\w\x80-\xff]+")  # a folder may be called `übung`

# Folders by name, each with the modules below it, whose names begin with that name.
Folders = Mapping[str, Iterable[File]]


def folders_beside(folder: Path) -> dict[str, Iterable[File]]:
    """The folders in one of this machine that modules there may import from, none of which is looked into yet."""
    try:
        return {entry.name: _inside(folder, entry.name) for entry in entries(folder) if is_folder(entry)}
    except OSError:
        return {}


def folders_among(files: Iterable[File], folder: str) -> dict[str, list[File]]:
    """The same of a folder among these files, "" for the outermost."""
    head = f"{folder}/".lstrip("/")
    found: dict[str, list[File]] = {}
    for file in files:
        name = file.name.removeprefix(head)
        if file.name.startswith(head) and "/" in name:
            found.setdefault(name.partition("/")[0], []).append(File(name, file.read))
    return found


def imported(modules: Mapping[str, bytes], folders: Iterable[Folders], exercises: Iterable[str]) -> dict[str, bytes]:
    """The modules of folders from which these import, and those import, by their paths: `utils/stable`.

    A folder comes as a whole; of two of one name the first. exercises: what no folder is called that comes along, since
    its `__init__.py` would be graded for the exercise.
    """
    known: dict[str, Iterable[File]] = {}
    for some in folders:
        known = {**some, **known}
    for name in (FOLDER, *exercises):
        known.pop(name, None)
    found: dict[str, bytes] = {}
    waiting = [*modules.values()]
    while waiting:
        for name in sorted(_named(waiting.pop())):  # so that of too many the same come along each time
            inside = dict(_read(known.pop(name, ()), MAX_FILES - len(found)))
            found |= inside
            waiting += inside.values()
    return found


def _named(source: bytes) -> set[str]:
    """Every word in an import."""
    return {word.decode("utf-8", "replace") for line in IMPORT.findall(source) for word in WORD.findall(line)}


def _read(files: Iterable[File], most: int) -> Iterator[tuple[str, bytes]]:
    modules = (file for file in files if file.path.suffix == MODULE)
    for file in islice(modules, most):
        name = file.name.removesuffix(MODULE)
        if all(map(str.isidentifier, name.split("/"))):
            with contextlib.suppress(Unreadable):
                yield name, source_of(file)


def _inside(folder: Path, name: str) -> Iterator[File]:
    for file in walk(folder / name):
        yield File(f"{name}/{file.name}", file.read)
