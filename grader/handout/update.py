"""Brings a new version of the kit into a workspace. What a student has written stays, and nothing at all is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.handout.contents import HandedOut, contents, digest, handed_out, is_workspace, note
from grader.model.errors import NotWritten, UsageError
from grader.model.pack import Pack
from grader.model.write import whole
from grader.pack.outline import chosen
from grader.words import say

# A stub that was renewed, beside the work that was begun on the old one; nothing grades a file of this name.
NEW = ".new"
ASIDE = "before-update"


@dataclass(slots=True)
class Updated:
    """What an update did, by paths in the workspace.

    version: what it was of, "" where that is not known. kept: the student's work. beside: work whose stub is another
    one now, which stands beside it. aside: what was the student's in files of ours, to where it was put. added: stubs
    that were not there. renewed, removed: how many other files.
    """

    version: str = ""
    kept: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    aside: dict[str, str] = field(default_factory=dict)
    added: list[str] = field(default_factory=list)
    renewed: int = 0
    removed: int = 0


def update(folder: Path, pack: Pack, check_kit: Callable[[], object]) -> Updated:
    """Make a workspace one of this kit. check_kit: whether there is one that can be handed out; raises if not.

    Raises UsageError and NotWritten; may be done again wherever it stopped.
    """
    _check(folder, pack)
    check_kit()
    before = handed_out(folder)
    own = chosen(folder / "exercises")
    files = contents(pack, [exercise for exercise in pack.exercises if exercise.id in own])
    done = Updated(before.version)
    try:
        # Stubs first: by the old list it is known whether they were worked on, and the list is the last to change.
        for name in sorted(files, key=lambda name: (not _is_stub(name, pack), name)):
            _renew(folder, name, files[name], before, done, is_stub=_is_stub(name, pack))
        _remove(folder, before.files, files, done)
    except OSError as error:
        raise NotWritten(say("error.cannot-write", file=error.filename or folder, why=error.strerror)) from None
    note(folder, files)
    return done


def said(done: Updated) -> Iterator[str]:
    """What an update did, in sentences."""
    if done.kept:
        yield say("init.kept", files=_names(done.kept))
    for name in done.beside:
        yield say("init.beside", file=Path(name).name, stub=f"{Path(name).name}{NEW}")
    if done.added:
        yield say("init.added", files=_names(done.added))
    for name, where in done.aside.items() if done.version else ():
        yield say("init.put-aside", file=name, where=where)
    if done.aside and not done.version:
        yield say("init.all-put-aside", folder=ASIDE)
    if not (done.renewed or done.removed or done.added or done.beside):
        yield say("init.up-to-date")
    else:
        yield say("init.renewed", renewed=done.renewed, removed=done.removed)


def _check(folder: Path, pack: Pack) -> None:
    if not is_workspace(folder):
        raise UsageError(say("init.no-workspace", folder=folder))
    if (folder / "solutions").exists():
        raise UsageError(say("init.clone", folder=folder))
    if pack.source.exercises.resolve().is_relative_to(folder.resolve()):
        raise UsageError(say("init.of-itself", folder=folder))
    for part in (".", "exercises", "fixtures", "grader"):
        if (folder / part).is_symlink():
            raise UsageError(say("init.link", path=folder / part))


def _renew(folder: Path, name: str, source: Path, before: HandedOut, done: Updated, *, is_stub: bool) -> None:
    """Write one file of the kit, or leave the student's and say so."""
    file = folder / name
    here, new, old = digest(file), digest(source), before.files.get(name, "")
    if here == new:
        return
    if is_stub and here and here != old:
        done.kept.append(name)
        if old and old != new:
            shutil.copyfile(source, file.with_name(f"{file.name}{NEW}"))
            done.beside.append(name)
        return
    if here and here != old:
        done.aside[name] = _put_aside(folder, name)
    if is_stub and not here:
        done.added.append(name)
    else:
        done.renewed += 1
    _write(source, file)


def _remove(folder: Path, before: Mapping[str, str], files: Mapping[str, Path], done: Updated) -> None:
    """Remove what the kit had and has no more, as long as it is as it was."""
    for name in sorted(before.keys() - files.keys()):
        file = folder / name
        if file.resolve().is_relative_to(folder.resolve()) and before[name] and digest(file) == before[name]:
            file.unlink()
            done.removed += 1


def _put_aside(folder: Path, name: str) -> str:
    """Move the student's version of a file of ours. Returns where it is now."""
    for number in range(1, 1000):
        where = folder / (ASIDE if number == 1 else f"{ASIDE}-{number}") / name
        if not where.exists():
            break
    where.parent.mkdir(parents=True, exist_ok=True)
    (folder / name).replace(where)
    return where.relative_to(folder).as_posix()


def _write(source: Path, file: Path) -> None:
    """Copy a file whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    content = source.read_bytes()
    with whole(file) as written:
        written.write(content)


def _is_stub(name: str, pack: Pack) -> bool:
    return name in {f"exercises/{exercise.file}" for exercise in pack.exercises}


def _names(names: list[str]) -> str:
    return ", ".join(Path(name).name for name in names)
