"""Reads a submission: a folder with the exercise modules at its root or in its `exercises/`, or one module."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.submission import hints

MAX_BYTES = 1 << 20
MAX_FILES = 200
FOLDER = "exercises"


def read_submission(path: Path, pack: Pack) -> Submission:
    """The submission at a path. Raises NothingToGrade where no module of the pack is there."""
    known = {exercise.id for exercise in pack.exercises}
    if path.is_dir():
        folders = [folder for folder in (path, path / FOLDER) if folder.is_dir() and not folder.is_symlink()]
        return _from_folders(path, folders, known)
    if path.suffix == ".py" and path.is_file():
        if path.stem not in known:
            raise NothingToGrade(f"{path.name} is no exercise; the modules are called {_range(known)}.")
        return _from_files(path, [path, *_beside(path)], known)
    if path.exists():
        raise NothingToGrade(f"{path} is neither a folder nor a Python module.")
    raise NothingToGrade(f"There is nothing at {path}.")


def _from_folders(path: Path, folders: list[Path], known: set[str]) -> Submission:
    files: dict[str, Path] = {}
    notes = []
    for folder in folders:
        try:
            entries = (entry for entry in folder.iterdir() if entry.suffix == ".py")
            found = sorted(entries, key=lambda entry: (entry.stem not in known, entry.name))
        except OSError as error:
            raise NothingToGrade(f"{folder} cannot be read: {error.strerror}.") from None
        for file in found[:MAX_FILES]:
            if file.stem in files and file.stem in known:
                notes.append(f"{file.name} stands in two places; the one in {files[file.stem].parent.name}/ is graded")
            files.setdefault(file.stem, file)
        if len(found) > MAX_FILES:
            notes.append(f"{folder.name}/ holds {len(found)} modules; only the first {MAX_FILES} are looked at")
    if not known & set(files):
        raise NothingToGrade(f"{path} holds no exercise; the modules are called {_range(known)}.")
    return _from_files(path, list(files.values()), known, tuple(notes))


def _from_files(path: Path, files: list[Path], known: set[str], notes: tuple[str, ...] = ()) -> Submission:
    modules: dict[str, bytes] = {}
    unreadable: dict[str, str] = {}
    for file in files:
        if file.stem == "__init__" or not file.stem.isidentifier():
            continue
        try:
            modules[file.stem] = _read(file)
        except _Unreadable as error:
            if file.stem in known:
                unreadable[file.stem] = f"{file.name} {error}."
    return Submission(
        id=(path.stem if path.is_file() else path.resolve().name) or "submission",
        path=path,
        sha256=_digest(modules),
        modules=modules,
        unreadable=unreadable,
        hints=hints.seen(path),
        notes=notes,
    )


def _beside(path: Path) -> list[Path]:
    """The other modules of a single module's folder, which it may import."""
    others = sorted(entry for entry in path.parent.glob("*.py") if entry != path)
    return others[:MAX_FILES]


class _Unreadable(Exception):
    """Why a file is not taken, to follow its name in a sentence."""


def _read(path: Path) -> bytes:
    """A regular file's bytes, by a descriptor that follows no link and waits for no pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        file = os.fdopen(descriptor, "rb")
    except OSError as error:
        if path.is_symlink():
            raise _Unreadable("is a link; hand in the file itself") from None
        if path.is_dir():
            raise _Unreadable("is no regular file") from None
        raise _Unreadable(f"cannot be read: {error.strerror}") from None
    with file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise _Unreadable("is no regular file")
        if facts.st_size > MAX_BYTES:
            raise _Unreadable(f"has {facts.st_size:,} bytes; at most {MAX_BYTES:,} are read")
        return file.read(MAX_BYTES)


def _digest(modules: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, source in sorted(modules.items()):
        digest.update(f"{name}:{len(source)}\n".encode() + source)
    return digest.hexdigest()


def _range(known: set[str]) -> str:
    ordered = sorted(known)
    return f"{ordered[0]}.py to {ordered[-1]}.py"
