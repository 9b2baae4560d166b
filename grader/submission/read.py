"""Reads one submission: a folder with the exercise modules at its root or in its `exercises/`, one module, a notebook
or an archive."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from grader.model.errors import NothingToGrade, SolutionError
from grader.model.pack import Pack, SolutionSource
from grader.model.profile import phase
from grader.model.submission import Submission
from grader.model.text import clean
from grader.plugins.registry import Plugins
from grader.submission import archive, hints
from grader.submission.files import (
    FOLDER,
    MAX_BYTES,
    MODULE,
    NOTEBOOK,
    READ,
    File,
    Unreadable,
    on_disk,
    source_of,
    walk,
)
from grader.submission.gather import MAX_FILES, Gathered, gather
from grader.submission.groups import Group
from grader.submission.handed_out import is_stand_in
from grader.submission.names import like, meant
from grader.submission.packages import folders_beside
from grader.submission.unpack import unpacked
from grader.words import say

# What a folder for one exercise is called, or for a part of them.
OF_AN_EXERCISE = re.compile(r"(ex|exercise|week|part|lab)[ _-]?\d", re.IGNORECASE)
# Deeper down archives are parts of something else.
DEEPEST_ARCHIVE = 3

__all__ = ["FOLDER", "MAX_BYTES", "MAX_FILES", "read_solution", "read_submission"]


def read_solution(source: SolutionSource, pack: Pack) -> Submission:
    """A solution that a pack brings. Raises SolutionError where it is not there: that is nobody's submission."""
    try:
        return read_submission(source.folder, pack)
    except NothingToGrade:
        raise SolutionError(f"The pack's {source.kind} solution is not where it is to lie.") from None


def read_reference(plugins: Plugins, pack: Pack) -> Submission | None:
    """The pack's reference; None in a copy without solutions. Raises SolutionError where it is not there."""
    source = plugins.reference(pack.name)
    return read_solution(source, pack) if source is not None else None


@phase("intake")
def read_submission(path: Path, pack: Pack) -> Submission:
    """The submission at a path, and how many hints its student has seen. Raises NothingToGrade where no exercise of the
    pack is there."""
    return replace(_read(path, pack), hints=hints.seen(path))


def _read(path: Path, pack: Pack) -> Submission:
    if path.is_dir():
        return _from_folder(path, pack)
    if path.suffix == MODULE and path.is_file():
        return _from_module(path, pack)
    if path.suffix == NOTEBOOK and path.is_file():
        return _from_notebook(path, pack)
    if archive.is_archive(path.name) and path.is_file():
        return _from_archive(path, pack)
    if path.exists():
        raise NothingToGrade(say("submission.no-form", path=_shown(path)))
    raise NothingToGrade(say("submission.nothing-at", path=_shown(path)))


def module_names(pack: Pack) -> str:
    """The names that modules of exercises have, for a sentence."""
    ordered = sorted(exercise.id for exercise in pack.exercises)
    return say("submission.to", first=f"{ordered[0]}.py", last=f"{ordered[-1]}.py")


def holds_nothing(what: str, pack: Pack) -> str:
    """The sentence where no exercise was found."""
    return say("submission.holds-nothing", what=what, modules=module_names(pack))


def batch_command(path: Path) -> str:
    """The command that grades each of the many whose work lies at a path, for a sentence."""
    return f"grade batch {shlex.quote(_shown(path))} --out graded"


def _shown(path: Path) -> str:
    """A path in a sentence: on a platform its last folder's name is the student's, who may put a line's end into it."""
    return clean(str(path), 200)


def _from_folder(path: Path, pack: Pack) -> Submission:
    groups = []
    for folder in (path, path / FOLDER):
        if folder.is_dir() and not folder.is_symlink():
            try:
                names = sorted(entry.name for entry in folder.iterdir())
            except OSError as error:
                raise NothingToGrade(
                    say("submission.folder-not-readable", folder=_shown(folder), why=error.strerror)
                ) from None
            files = [on_disk(folder / name, name) for name in names if name.lower().endswith(READ)]
            groups.append(Group(folder.name, files, folders_beside(folder)))
    name, nothing = path.resolve().name or "submission", holds_nothing(_shown(path), pack)
    found = gather(groups, pack)
    try:
        found.notes.extend(_said_of_folders(path, found, pack))
        return found.submission(name, path, pack, nothing=nothing)
    except NothingToGrade as error:
        deeper = [*walk(path)]
        if not _are_of_many(deeper, pack):
            return unpacked(deeper, name, path, pack, nothing=nothing)
        raise NothingToGrade(f"{error} {say('submission.of-many', command=batch_command(path))}") from None


def _are_of_many(files: Iterable[File], pack: Pack) -> bool:
    """Whether files seem to be several students': exercises lie in folders or archives beside each other.

    But where the folders are called as exercises are, they are one student's.
    """
    paths = [file.path.parts for file in files if _holds_work(file, pack)]
    while paths and len({path[0] for path in paths}) == 1 and all(len(path) > 1 for path in paths):
        paths = [path[1:] for path in paths]  # in the one folder around everything
    if any(len(path) == 1 and not archive.is_archive(path[0]) for path in paths):
        return False  # beside these, folders are what else one student has
    tops = {path[0] for path in paths}
    return len(tops) > 1 and not all(OF_AN_EXERCISE.match(top) for top in tops)


def _holds_work(file: File, pack: Pack) -> bool:
    is_packed = archive.is_archive(file.name) and len(file.path.parts) <= DEEPEST_ARCHIVE
    return is_packed or file.path.suffix == NOTEBOOK or bool(meant(file.path.name, pack.exercises))


def _said_of_folders(path: Path, found: Gathered, pack: Pack) -> Iterator[str]:
    """What to say of exercises that are not there, and lie in a folder of their own."""
    absent = [each.file for each in pack.exercises if each.id not in {*found.modules, *found.unreadable}]
    if len(absent) == len(pack.exercises):
        return  # then each folder is somebody's
    inside: list[str] = []
    for folder in sorted(path.iterdir())[:MAX_FILES]:
        with contextlib.suppress(OSError):  # it is only looked for what might be meant
            if folder.name[0] != "." and folder.is_dir() and not folder.is_symlink():
                names = {entry.name for entry in folder.iterdir()}
                inside += [f"{folder.name}/{name}" for name in absent if name in names and _is_own(folder / name, pack)]
    if inside:
        yield say("submission.in-folders", files=clean(", ".join(inside[:3]), 200), count=len(inside))


def _is_own(path: Path, pack: Pack) -> bool:
    """Whether a file is not what the grader itself lends."""
    try:
        return not is_stand_in(path.stem, source_of(on_disk(path, path.name)), pack)
    except Unreadable:
        return True


def _from_module(path: Path, pack: Pack) -> Submission:
    if path.stem not in pack.ids:
        return _from_script(path, pack)
    beside = [on_disk(path, path.name), *(file for file in _modules(path.parent) if file.name != path.name)]
    found = gather([_beside(path, beside)], pack, is_whole=False)
    return found.submission(path.stem, path, pack)


def _from_script(path: Path, pack: Pack) -> Submission:
    """The exercises that a module of another name holds."""
    script = on_disk(path, path.name)
    beside = [file for file in helpers(path.parent, pack) if file.name != path.name]
    found = gather([_beside(path, beside)], pack, is_whole=False, script=script)
    nothing = say("submission.no-exercise", file=clean(path.name, 100), modules=module_names(pack))
    return found.submission(clean(path.stem, 100), path, pack, nothing=nothing)


def _from_notebook(path: Path, pack: Pack) -> Submission:
    found = gather([_beside(path, [on_disk(path, path.name), *helpers(path.parent, pack)])], pack, is_whole=False)
    return found.submission(path.stem or "submission", path, pack)


def _beside(path: Path, files: list[File]) -> Group:
    """Files that lie in the folder of a file."""
    return Group(path.parent.name, files, folders_beside(path.parent))


def _from_archive(path: Path, pack: Pack) -> Submission:
    name = clean(path.name.partition(".")[0], 100) or "submission"
    return unpacked([on_disk(path, path.name)], name, path, pack, nothing=holds_nothing(_shown(path), pack))


def helpers(folder: Path, pack: Pack) -> list[File]:
    """The modules of a folder that are no exercises, which a notebook in it may import."""
    return [
        file for file in _modules(folder) if not (meant(file.name, pack.exercises) or like(file.name, pack.exercises))
    ]


def _modules(folder: Path) -> list[File]:
    names = sorted(entry.name for entry in folder.glob(f"*{MODULE}"))
    return [on_disk(folder / name, name) for name in names[:MAX_FILES]]
