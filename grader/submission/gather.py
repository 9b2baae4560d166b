"""Puts a submission together from files of folders, archives and notebooks, and decides which of them counts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.model.submission import Cells, Submission
from grader.model.text import clean
from grader.submission import notebook
from grader.submission.archive import Opened
from grader.submission.files import MODULE, NOTEBOOK, File, Unreadable
from grader.submission.stubs import is_untouched
from grader.words import say

MAX_BYTES = 1 << 20
MAX_FILES = 200
MAX_NOTEBOOKS = 30
FOLDER = "exercises"
MAX_TOLD = 10
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class Group:
    """Files that lie beside each other. label: what their folder is called in a sentence."""

    label: str
    files: list[File]


def grouped(files: Iterable[File], label: str, known: Iterable[str]) -> list[Group]:
    """The folders among these files that hold exercises or notebooks, the outermost first.

    Where exercises lie in a folder of their own, the one around it counts as well, as it does for a folder on disk.
    """
    stems = set(known)
    folders: dict[str, list[File]] = {}
    for file in files:
        folders.setdefault(file.folder, []).append(file)
    held = [name for name, some in folders.items() if any(_matters(file, stems) for file in some)]
    order = sorted(held, key=lambda name: (_depth(name), _is_exercises(name), name))
    if order:
        home = order[0].removesuffix(FOLDER).rstrip("/") if _is_exercises(order[0]) else order[0]
        inner = f"{home}/{FOLDER}".lstrip("/")
        order = list(dict.fromkeys([*(name for name in (home, inner) if name in folders), *order]))
    return [Group(name.rpartition("/")[2] or label, folders[name]) for name in order]


def gather(groups: list[Group], pack: Pack, *, is_whole: bool = True) -> Gathered:
    """The modules in these groups: of a name that stands in several the first counts.

    is_whole: whether they are all that a student has, so that what is not there may be called otherwise.
    """
    gathering = _Gathering(pack, groups)
    found = gathering.gathered()
    found.notes.extend(_few(list(gathering.misnamed())) if is_whole else ())
    return found


def opened_groups(name: str, opened: Opened, pack: Pack) -> tuple[list[Group], dict[str, str], list[str]]:
    """An archive's groups, what of it is refused by exercise, and what is to be said."""
    known = {exercise.id for exercise in pack.exercises}
    label = clean(name, 60)
    refused: dict[str, str] = {}
    notes = [f"{label} {note}" for note in opened.notes]
    for member, why in opened.refused.items():
        stem = member.rpartition("/")[2].removesuffix(MODULE)
        inside = say("submission.inside", file=clean(member, 80), archive=label)
        if stem in known and member.endswith(MODULE):
            refused.setdefault(stem, say("submission.sentence", file=inside, why=why))
        notes.append(f"{inside} {why}")
    return grouped(opened.files, label, known), refused, _few(notes)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a submission is made of; see Submission. missing: sentences on files that nothing could be made of."""

    modules: dict[str, bytes] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    cells: dict[str, Cells] = field(default_factory=dict)
    excerpts: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def submission(
        self,
        name: str,
        path: Path,
        pack: Pack,
        *,
        refused: Mapping[str, str] | None = None,
        hints: Mapping[str, int] | None = None,
        notes: Iterable[str] = (),
        nothing: str = "",
    ) -> Submission:
        """The submission. refused: exercises whose files were not taken. Raises NothingToGrade."""
        known = {exercise.id for exercise in pack.exercises}
        unreadable = {**self.unreadable, **{k: v for k, v in (refused or {}).items() if k not in self.modules}}
        if not known & {*self.modules, *unreadable}:
            raise NothingToGrade(" ".join(self.missing) or nothing)
        return Submission(
            id=name,
            path=path,
            sha256=_digest(self.modules, self.cells, unreadable),
            modules=self.modules,
            unreadable=unreadable,
            hints=hints or {},
            notes=(*notes, *self.notes),
            cells=self.cells,
            excerpts=self.excerpts,
        )


class _Gathering:
    """The groups while they are gone through."""

    def __init__(self, pack: Pack, groups: list[Group]) -> None:
        self.pack = pack
        self.known = {exercise.id for exercise in pack.exercises}
        self.groups = groups
        self.found = Gathered()

    def gathered(self) -> Gathered:
        for file in self._modules():
            self._read(file)
        books = [file for group in self.groups for file in group.files if file.path.suffix == NOTEBOOK]
        for book in books[:MAX_NOTEBOOKS]:
            self._read_notebook(book)
        if len(books) > MAX_NOTEBOOKS:
            self.found.notes.append(say("submission.many-notebooks", notebooks=len(books), most=MAX_NOTEBOOKS))
        return self.found

    def misnamed(self) -> Iterator[str]:
        """What to say of files that are meant to be an exercise which is not there, by their names."""
        names = sorted({file.path.name for group in self.groups for file in group.files[:MAX_FILES]})
        for exercise in self.pack.exercises:
            if exercise.id not in self.found.modules and exercise.id not in self.found.unreadable:
                for name in names:
                    if len(name) <= MAX_NAME and _bare(name) in (exercise.id, exercise.short):
                        yield say("submission.misnamed", file=clean(name, 60), meant=f"{exercise.id}{MODULE}")

    def _modules(self) -> list[File]:
        """The file of each module, exercises first wherever there are too many."""
        chosen: dict[str, tuple[File, str]] = {}
        for group in self.groups:
            files = [file for file in group.files if file.path.suffix == MODULE]
            files.sort(key=lambda file: (file.path.stem not in self.known, file.path.name))
            for file in files[:MAX_FILES]:
                stem = file.path.stem
                if stem in chosen and stem in self.known:
                    said = say("submission.two-places", file=file.path.name, folder=clean(chosen[stem][1], 60))
                    self.found.notes.append(said)
                chosen.setdefault(stem, (file, group.label))
            if len(files) > MAX_FILES:
                folder = clean(group.label, 60)
                self.found.notes.append(
                    say("submission.many-modules", folder=folder, modules=len(files), most=MAX_FILES)
                )
        return [file for file, _ in chosen.values()]

    def _read(self, file: File) -> None:
        stem = file.path.stem
        if stem == "__init__" or not stem.isidentifier():
            return
        try:
            self.found.modules[stem] = file.read(MAX_BYTES)
        except Unreadable as why:
            if stem in self.known:
                self.found.unreadable[stem] = say("submission.sentence", file=file.path.name, why=why)

    def _read_notebook(self, file: File) -> None:
        """Take the exercises of a notebook, unless a module is there that is more than the stub as it was."""
        name = clean(file.path.name, 60)
        try:
            made = notebook.made(file, self.pack)
        except Unreadable as why:
            self.found.missing.append(say("submission.sentence", file=name, why=why))
            self.found.notes.append(f"{name} {why}")
            return
        self.found.notes.extend(made.notes)
        if not made.modules and not made.unreadable:
            self.found.missing.append(say("submission.no-exercise-in", book=name))
        for exercise, source in made.modules.items():
            if exercise in self.found.modules and not self._is_stub(exercise):
                there = self.found.cells[exercise].file if exercise in self.found.cells else f"{exercise}.py"
                self.found.notes.append(say("submission.stands-elsewhere", exercise=exercise, there=there, here=name))
                continue
            self.found.modules[exercise] = source
            self.found.cells[exercise] = made.cells[exercise]
            self.found.unreadable.pop(exercise, None)
        self.found.excerpts.update(made.excerpts)
        for exercise, why_not in made.unreadable.items():
            if exercise not in self.found.modules or self._is_stub(exercise):
                self.found.modules.pop(exercise, None)
                self.found.unreadable[exercise] = why_not
                self.found.cells[exercise] = made.cells[exercise]

    def _is_stub(self, exercise: str) -> bool:
        return is_untouched(exercise, self.found.modules[exercise], self.pack)


def _bare(name: str) -> str:
    """What a file is called without what a browser, a system or a habit adds: `Copy of EX01-scores (2).py.txt`."""
    plain = re.sub(r"(\.py)?(\.txt)?$", "", name.lower())
    plain = re.sub(r"^copy of |( copy)?( ?\(\d+\))?$|[_ -](v\d|final|new|solution|mine)$", "", plain)
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


def _few(notes: list[str]) -> list[str]:
    more = len(notes) - MAX_TOLD
    return notes if more <= 0 else [*notes[:MAX_TOLD], say("submission.more-files", files=more)]


def _matters(file: File, known: set[str]) -> bool:
    path = file.path
    return path.suffix == NOTEBOOK or (path.suffix == MODULE and path.stem in known)


def _is_exercises(folder: str) -> bool:
    return folder.rpartition("/")[2] == FOLDER


def _depth(folder: str) -> int:
    """How deep a folder lies, where `exercises` lies as deep as what is around it."""
    parts = folder.split("/") if folder else []
    return len(parts) - _is_exercises(folder)


def _digest(modules: Mapping[str, bytes], cells: Mapping[str, Cells], unreadable: Mapping[str, str]) -> str:
    """Over all that a report depends on; of a submission of plain modules, over their sources alone."""
    digest = hashlib.sha256()
    for name, source in sorted(modules.items()):
        digest.update(f"{name}:{len(source)}\n".encode() + source)
    for name, origin in sorted(cells.items()):
        digest.update(f"{name}@{origin.file}:{origin.lines}\n".encode("utf-8", "replace"))
    for name in sorted(unreadable):  # and not why, which is said in one language or another
        digest.update(f"{name}!\n".encode("utf-8", "replace"))
    return digest.hexdigest()
