"""Reads one submission: a folder with the exercise modules at its root or in its `exercises/`, one module, a notebook
or an archive."""

from __future__ import annotations

from pathlib import Path

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.model.submission import Submission
from grader.model.text import clean
from grader.submission import archive, hints
from grader.submission.files import MODULE, NOTEBOOK, File, Unreadable, on_disk, read_regular
from grader.submission.gather import FOLDER, MAX_BYTES, MAX_FILES, Group, gather, opened_groups

__all__ = ["FOLDER", "MAX_BYTES", "MAX_FILES", "read_submission"]


def read_submission(path: Path, pack: Pack) -> Submission:
    """The submission at a path. Raises NothingToGrade where no exercise of the pack is there."""
    if path.is_dir():
        return _from_folder(path, pack)
    if path.suffix == MODULE and path.is_file():
        return _from_module(path, pack)
    if path.suffix == NOTEBOOK and path.is_file():
        return _from_notebook(path, pack)
    if archive.is_archive(path.name) and path.is_file():
        return _from_archive(path, pack)
    if path.exists():
        raise NothingToGrade(f"{path} is neither a folder nor a Python module, a notebook, a zip, tar or tar.gz.")
    raise NothingToGrade(f"There is nothing at {path}.")


def module_names(pack: Pack) -> str:
    """The names that modules of exercises have, for a sentence."""
    ordered = sorted(exercise.id for exercise in pack.exercises)
    return f"{ordered[0]}.py to {ordered[-1]}.py"


def holds_nothing(what: str, pack: Pack) -> str:
    """The sentence where no exercise was found."""
    return f"{what} holds no exercise; the modules are called {module_names(pack)}."


def _from_folder(path: Path, pack: Pack) -> Submission:
    groups = []
    for folder in (path, path / FOLDER):
        if folder.is_dir() and not folder.is_symlink():
            try:
                names = sorted(entry.name for entry in folder.iterdir())
            except OSError as error:
                raise NothingToGrade(f"{folder} cannot be read: {error.strerror}.") from None
            files = [on_disk(folder / name, name) for name in names if name.endswith((MODULE, NOTEBOOK))]
            groups.append(Group(folder.name, files))
    return gather(groups, pack).submission(
        path.resolve().name or "submission",
        path,
        pack,
        hints=hints.seen(path),
        nothing=holds_nothing(str(path), pack),
    )


def _from_module(path: Path, pack: Pack) -> Submission:
    if path.stem not in {exercise.id for exercise in pack.exercises}:
        raise NothingToGrade(f"{path.name} is no exercise; the modules are called {module_names(pack)}.")
    beside = [on_disk(path, path.name), *_beside(path)]
    found = gather([Group(path.parent.name, beside)], pack)
    return found.submission(path.stem, path, pack, hints=hints.seen(path))


def _from_notebook(path: Path, pack: Pack) -> Submission:
    found = gather([Group(path.parent.name, [on_disk(path, path.name)])], pack)
    return found.submission(path.stem or "submission", path, pack, hints=hints.seen(path))


def _from_archive(path: Path, pack: Pack) -> Submission:
    try:
        inside = archive.opened(read_regular(path, archive.MAX_BYTES))
    except Unreadable as why:
        raise NothingToGrade(f"{path} {why}.") from None
    groups, refused, notes = opened_groups(path.name, inside, pack)
    return gather(groups, pack).submission(
        clean(path.name.partition(".")[0], 100) or "submission",
        path,
        pack,
        refused=refused,
        hints=hints.seen(path),
        notes=notes,
        nothing=holds_nothing(str(path), pack),
    )


def _beside(path: Path) -> list[File]:
    """The other modules of a single module's folder, which it may import."""
    others = sorted(entry for entry in path.parent.glob(f"*{MODULE}") if entry != path)
    return [on_disk(entry, entry.name) for entry in others[: MAX_FILES - 1]]
