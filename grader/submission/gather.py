"""Puts a submission together from files of folders, archives and notebooks, and decides which of them counts."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.model.errors import NothingToGrade
from grader.model.pack import Pack
from grader.model.submission import Cells, Submission
from grader.model.text import clean
from grader.submission import cells, names, notebook
from grader.submission.encodings import as_utf_8, foreign, is_document, is_utf_8
from grader.submission.files import MAX_BYTES, MODULE, NOTEBOOK, Budget, File, TooLarge, Unreadable, source_of
from grader.submission.groups import Group
from grader.submission.handed_out import has_work, is_stand_in, is_untouched
from grader.submission.own_work import decoded
from grader.submission.packages import imported
from grader.submission.scripts import holding
from grader.words import say

MAX_FILES = 200
MAX_NOTEBOOKS = 30
MAX_TOLD = 10
# Notes beside the sentence that nothing was found.
MAX_REASONS = 3


def gather(groups: list[Group], pack: Pack, *, is_whole: bool = True, script: File | None = None) -> Gathered:
    """The modules in these groups: of a name that stands in several the first counts.

    is_whole: whether they are all that a student has, so that what is not there may be called otherwise, or stand in a
    script. script: the one to be read so.
    """
    budget = Budget()
    gathering = _Gathering(pack, [group.within(budget) for group in groups])
    found = gathering.gathered()
    if is_whole:
        found.notes.extend(few(list(gathering.named_otherwise())))
        gathering.read_scripts()
        found.notes.extend(few(list(gathering.misnamed())))
    if script is not None:
        gathering.read_script(script)
    found.notes.extend(few(list(gathering.foreign())))
    found.modules |= imported(found.modules, (group.folders for group in gathering.groups), pack.ids)
    if budget.was_short:
        found.notes.append(say("submission.long-to-read"))
    return found


@dataclass(slots=True)
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
        notes: Iterable[str] = (),
        nothing: str = "",
    ) -> Submission:
        """The submission. refused: exercises whose files were not taken. Raises NothingToGrade."""
        known = pack.ids
        unreadable = {**self.unreadable, **{k: v for k, v in (refused or {}).items() if k not in self.modules}}
        said = [*notes, *self.notes]
        if not known & {*self.modules, *unreadable}:
            told = [f"{each.removesuffix('.')}." for each in few(self.missing)] or [nothing]
            told += [f"{note}." for note in said if not {note, f"{note}."} & {*told}][:MAX_REASONS]
            raise NothingToGrade(" ".join(told))
        return Submission(
            id=name,
            path=path,
            sha256=_digest(self.modules, self.cells, unreadable),
            modules=self.modules,
            unreadable=unreadable,
            notes=(*said,),
            cells=self.cells,
            excerpts=self.excerpts,
        )


class _Gathering:
    """The groups while they are gone through."""

    def __init__(self, pack: Pack, groups: list[Group]) -> None:
        self.pack = pack
        self.known = pack.ids
        self.groups = groups
        self.found = Gathered()
        self.renamed: list[File] = []  # notebooks that are called as a module is
        self.stand_ins: list[str] = []  # files that are what the grader itself lends
        self._foreign: dict[str, str] = {}  # what to say of files that Python does not read, by name
        self.elsewhere: list[str] = []  # what to say of notebooks with exercises that stand elsewhere too

    def gathered(self) -> Gathered:
        for stem, places in sorted(self._modules().items(), key=lambda each: each[0] not in self.known):
            self._read(stem, places)
        if self.stand_ins:
            lent = say("submission.stand-ins", files=self.stand_ins[0], count=len(self.stand_ins))
            self.found.missing.append(lent)
            self.found.notes.append(lent)
        self._read_notebooks()
        return self.found

    def _read_notebooks(self) -> None:
        files = [file for group in self.groups for file in sorted(group.files, key=_latest_first)]
        books = [file for file in files if file.path.suffix == NOTEBOOK] + self.renamed
        for book in books[:MAX_NOTEBOOKS]:
            self._read_notebook(book)
        if len(books) > MAX_NOTEBOOKS:
            self.found.notes.append(say("submission.many-notebooks", notebooks=len(books), most=MAX_NOTEBOOKS))
        self.found.notes.extend(few(self.elsewhere))

    def named_otherwise(self) -> Iterator[str]:
        """Take what can only be meant to be an exercise that is not there, or is the stub as it was; what to say of it.

        Of several that could be, the one that a browser numbered last. What it numbered beside one with work in it is
        told, since it may be the one that was meant.
        """
        others = self._others()
        meant = {name: names.meant(name, self.pack.exercises) for name in others}
        for exercise in (each.id for each in self.pack.exercises if each.id in meant.values()):
            is_there = exercise in self.found.modules
            due = f"{exercise}{MODULE}"
            own = sorted((name for name in others if meant[name] == exercise), key=names.number)
            if exercise in self.found.unreadable or (is_there and not self._is_stub(exercise)):
                for name in own if is_there else ():
                    if names.number(name) and self._work(exercise, others[name]):
                        yield say("submission.numbered", file=clean(name, 60), meant=due)
                continue
            if self._take(exercise, others[own[-1]]):
                named = {"file": clean(own.pop(), 60), "meant": due}
                yield say("submission.taken-for-stub", **named) if is_there else say("submission.taken-for", **named)
            for name in own:
                yield say("submission.misnamed", file=clean(name, 60), meant=due)

    def misnamed(self) -> Iterator[str]:
        """What to say of files whose names speak of an exercise that is still not there."""
        absent = self.known - {*self.found.modules, *self.found.unreadable}
        for name in self._others():
            exercise = names.like(name, self.pack.exercises)
            if exercise in absent and not names.meant(name, self.pack.exercises):
                yield say("submission.misnamed", file=clean(name, 60), meant=f"{exercise}{MODULE}")

    def foreign(self) -> Iterator[str]:
        """What to say of what was read, and Python does not read."""
        yield from self._foreign.values()

    def _source(self, file: File) -> bytes:
        """What an exercise or a script holds, and a note of one that Python does not read. Raises Unreadable."""
        source = file.read(MAX_BYTES)
        if is_document(source):
            raise Unreadable(say("submission.document"))
        name = file.path.name
        if encoding := foreign(source):
            self._foreign[name] = say("submission.foreign", file=clean(name, 60), encoding=encoding)
        elif not is_utf_8(source):
            self._foreign[name] = say("submission.no-utf8", file=clean(name, 60))
        return as_utf_8(source)

    def _others(self) -> dict[str, File]:
        """The files that are not called as an exercise is."""
        files = {file.path.name: file for group in reversed(self.groups) for file in group.files[:MAX_FILES]}
        return {name: files[name] for name in sorted(files) if name.removesuffix(MODULE) not in self.known}

    def read_scripts(self) -> None:
        """Take the exercises that scripts hold and that are not there, or are the stub as it was.

        Beside exercises, what holds a part of one alone is what helps with them.
        """
        is_alone = not self.known & {*self.found.modules, *self.found.unreadable}
        files = {file.path.name: file for group in self.groups for file in group.files}
        for file in holding(files.values(), self.pack, least=1 if is_alone else 2)[:MAX_NOTEBOOKS]:
            self.read_script(file)

    def read_script(self, file: File) -> None:
        """Take the exercises that a script holds, as those of a notebook."""
        name = clean(file.path.name, 60)
        with contextlib.suppress(Unreadable):
            made = notebook.made(name, cells.read_script(decoded(self._source(file))), self.pack)
            before = {*self.found.cells}
            self._take_from(name, made)
            if {*self.found.cells} - before:
                self.found.notes.append(say("submission.script", file=name))

    def _take(self, exercise: str, file: File) -> bool:
        """Whether a file of another name is more than nothing, and can be read; then it is the exercise."""
        source = self._work(exercise, file)
        if source:
            self.found.modules[exercise] = source
        return bool(source)

    def _work(self, exercise: str, file: File) -> bytes:
        """What somebody wrote in a file of another name, and did not write in the exercise's own; b"" for nothing."""
        try:
            source = self._source(file)
        except Unreadable:
            return b""
        if is_untouched(exercise, source, self.pack) or is_stand_in(exercise, source, self.pack):
            return b""
        return source if source.strip() and source != self.found.modules.get(exercise) else b""

    def _modules(self) -> dict[str, list[tuple[File, str]]]:
        """The files of each module and what their folders are called, exercises first wherever there are too many."""
        places: dict[str, list[tuple[File, str]]] = {}
        for group in self.groups:
            files = [file for file in group.files if file.path.suffix == MODULE]
            files.sort(key=lambda file: (file.path.stem not in self.known, file.path.name))
            for file in files[:MAX_FILES]:
                places.setdefault(file.path.stem, []).append((file, group.label))
            if len(files) > MAX_FILES:
                folder = clean(group.label, 60)
                self.found.notes.append(
                    say("submission.many-modules", folder=folder, modules=len(files), most=MAX_FILES)
                )
        return places

    def _read(self, stem: str, places: list[tuple[File, str]]) -> None:
        """Take the first of a module's files; of an exercise's, the first that is more than the stub as it was."""
        if stem == "__init__" or not stem.isidentifier():
            return
        read: list[tuple[bytes, str]] = []
        stands_in = False
        for file, label in places if stem in self.known else places[:1]:
            try:
                source = self._source(file) if stem in self.known else source_of(file)
                if stem in self.known and cells.is_notebook(source):
                    self.renamed.append(File(f"{stem}{NOTEBOOK}", file.read))
                elif is_stand_in(stem, source, self.pack):
                    stands_in = True
                else:
                    read.append((_plain(source), clean(label, 60)))
            except Unreadable as why:
                if stem in self.known and not read:
                    self.found.unreadable.setdefault(stem, say("submission.sentence", file=file.path.name, why=why))
        if not read:
            self.stand_ins += [f"{stem}{MODULE}"] if stands_in else []
            return
        worked = read
        if len(read) > 1:
            worked = [each for each in read if not is_untouched(stem, each[0], self.pack)] or read[:1]
        self.found.modules[stem], folder = worked[0]
        self.found.unreadable.pop(stem, None)
        if len({source for source, _ in worked}) > 1:
            self.found.notes.append(say("submission.two-places", file=f"{stem}{MODULE}", folder=folder))

    def _read_notebook(self, file: File) -> None:
        """Take the exercises of a notebook, unless a module is there that is more than the stub as it was."""
        name = clean(file.path.name, 60)
        try:
            made = notebook.made(name, cells.read_cells(file.read(cells.MAX_BYTES)), self.pack)
        except Unreadable as error:
            why = say("submission.clear-outputs", why=error) if isinstance(error, TooLarge) else error
            self.found.missing.append(say("submission.sentence", file=name, why=why))
            self.found.notes.append(f"{name} {why}")
            return
        if not made.modules and not made.unreadable:
            self.found.missing += made.notes or [say("submission.no-exercise-in", book=name)]
        self._take_from(name, made)

    def _take_from(self, name: str, made: notebook.Modules) -> None:
        self.found.notes.extend(made.notes)
        elsewhere: dict[str, list[str]] = {}
        for exercise, source in made.modules.items():
            if exercise in self.found.modules and not self._is_stub(exercise):
                if made.is_script or not has_work(source):
                    continue
                there = self.found.cells[exercise].file if exercise in self.found.cells else f"{exercise}.py"
                elsewhere.setdefault(there, []).append(exercise)
                continue
            self.found.modules[exercise] = source
            self.found.cells[exercise] = made.cells[exercise]
            self.found.unreadable.pop(exercise, None)
        for there, ids in elsewhere.items():
            known = {"exercise": ids[0], "there": there, "here": name}
            self.elsewhere.append(say("submission.stands-elsewhere", **known, count=len(ids)))
        self.found.excerpts.update(made.excerpts)
        for exercise, why_not in made.unreadable.items():
            if exercise not in self.found.modules or self._is_stub(exercise):
                self.found.modules.pop(exercise, None)
                self.found.unreadable[exercise] = why_not
                self.found.cells[exercise] = made.cells[exercise]

    def _is_stub(self, exercise: str) -> bool:
        source = self.found.modules[exercise]
        return is_untouched(exercise, source, self.pack) or not has_work(source)


def _latest_first(file: File) -> int:
    """What puts the file that a browser numbered last before others of its name."""
    return -names.number(file.path.name)


def _plain(source: bytes) -> bytes:
    """A module as Python can read it, where it was saved of a notebook with lines that only IPython can."""
    if not cells.MAGICAL.search(source):
        return source
    text = decoded(source)
    plain = cells.without_magics(text)
    return source if plain is text else plain.encode("utf-8", "replace")


def few(notes: list[str]) -> list[str]:
    """The first of many sentences on files, and how many more there are."""
    more = len(notes) - MAX_TOLD
    return notes if more <= 0 else [*notes[:MAX_TOLD], say("submission.more-files", files=more)]


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
