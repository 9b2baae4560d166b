"""Makes modules of a notebook: each exercise gets what it defines and whatever that makes use of, and nothing else.

A script that holds exercises, such as a notebook that was saved as one, is read alike. A notebook's plots, prints,
downloads and experiments are left out, so that none of them can fail where it is graded. Of a name that is defined
several times the last counts, as it would once the notebook had run from top to bottom; what is used while a definition
is executed, such as a base class, is the last before it.
"""

from __future__ import annotations

import ast
import builtins
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grader.model.pack import Exercise, Pack
from grader.model.submission import Cells
from grader.model.text import clean
from grader.submission.cells import Cell, Notebook
from grader.submission.statements import HOLDING, Statement
from grader.submission.values import is_harmless, is_of_library, makers, makes_functions
from grader.words import say

KNOWN = frozenset({*dir(builtins), "__name__", "__file__", "__doc__", "__class__"})
_TOLD_FAULTS = _TOLD_TAGS = 5


@dataclass(slots=True)
class Modules:
    """The modules of a notebook by the exercises' ids, where their lines come from, and what is to be said."""

    modules: dict[str, bytes] = field(default_factory=dict)
    cells: dict[str, Cells] = field(default_factory=dict)
    excerpts: dict[str, bytes] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    is_script: bool = False
    notes: list[str] = field(default_factory=list)


def made(name: str, book: Notebook, pack: Pack) -> Modules:
    bound = _Bound(book, pack)
    made = Modules(is_script=bool(book.whole), notes=[f"{name} {note}" for note in (*book.notes, *bound.notes)])
    for exercise in bound.exercises:
        pieces = list(_Module(bound, exercise).pieces())
        text = "\n".join(line for _, _, line in pieces)
        made.modules[exercise.id] = text.encode()
        made.cells[exercise.id] = Cells(name, tuple((cell, line) for cell, line, _ in pieces))
    if book.whole:
        made.excerpts[name.removesuffix(".py")] = book.whole.encode("utf-8", "replace")
    else:
        made.excerpts.update({Cells(name).name(c.number): c.source.encode("utf-8", "replace") for c in book.cells})
    _tell_faults(made, book, bound, name)
    return made


def _tell_faults(made: Modules, book: Notebook, bound: _Bound, name: str) -> None:
    """Say which cells are no Python; an exercise that only such a cell defines could not be read."""
    faults = [cell for cell in book.cells if cell.fault]
    most = len(made.notes) + _TOLD_FAULTS
    for cell in faults:
        line, said = cell.fault or (0, "")
        where = name if Cells(name).is_script else say("report.cell", file=name, number=cell.number)
        place = say("report.cell-line", cell=where, line=line)
        sentence = say("submission.cell-not-readable", place=place, why=said)
        for exercise in bound.pack.exercises:
            if exercise.id not in made.modules and bound.is_for(cell, exercise):
                made.unreadable.setdefault(exercise.id, f"{sentence}.")
                made.cells.setdefault(exercise.id, Cells(name))
        if len(book.cells) == 1:
            made.notes += [] if made.unreadable else [sentence]  # where nothing tells which exercise it is
        elif len(made.notes) < most:
            made.notes.append(say("submission.other-cells-count", said=sentence))
    if len(faults) > _TOLD_FAULTS:
        made.notes.append(say("submission.cells-not-readable", cells=len(faults), file=name))


class _Bound:
    """The statements of a notebook in order, which names each of them binds, and which exercises it holds."""

    def __init__(self, book: Notebook, pack: Pack) -> None:
        self.pack = pack
        self.notes: list[str] = []
        self.tags = {cell.number: self._tagged(cell) for cell in book.cells}
        self.statements = list(_resolvable(s for cell in book.cells for s in cell.statements))
        self.makers = {name for each in self.statements if makes_functions(each.node) for name in each.binds}
        self.places: dict[str, list[int]] = {}
        self.alterations: dict[str, list[int]] = {}
        self._defining: dict[tuple[str, str], int | None] = {}
        for place, statement in enumerate(self.statements):
            for name in statement.binds:
                self.places.setdefault(name, []).append(place)
            for name in statement.alters:
                self.alterations.setdefault(name, []).append(place)
        self.exercises = [exercise for exercise in pack.exercises if self._holds(exercise)]

    def defining(self, exercise: Exercise, name: str) -> int | None:
        """The place of the definition of a name that an exercise asks for: the last in its own cells, else in any."""
        asked = exercise.id, name
        if asked not in self._defining:
            found = [(place, self.statements[place]) for place in self.places.get(name, ())]
            places = [place for place, statement in found if statement.defines(name)]
            places = places or [place for place, statement in found if statement.defines(name, self.makers)]
            if exercise.definitions[name].is_class:  # which no number is called like
                places = places or [place for place, statement in found if statement.is_of_numbers]
            own = [place for place in places if exercise.id in self.tags[self.statements[place].cell]]
            self._defining[asked] = next(reversed(own or places), None)
        return self._defining[asked]

    def altering(self, name: str, place: int) -> list[int]:
        """Where attributes of what a statement defines are set, until its name is given to something else."""
        places, altering = self.places[name], self.alterations.get(name, [])
        following = bisect_right(places, place)
        until = places[following] if following < len(places) else len(self.statements)
        return altering[bisect_right(altering, place) : bisect_left(altering, until)]

    def owner(self, name: str) -> Exercise | None:
        """The exercise of this notebook that asks for a name."""
        return next((e for e in self.exercises if name in e.definitions and self.defining(e, name) is not None), None)

    def lender(self, name: str) -> Exercise | None:
        """The exercise that asks for a class which nothing here can give: another notebook does, or a module."""
        asking = [e for e in self.pack.exercises if name in e.definitions and e.definitions[name].is_class]
        return None if not asking or any(map(_is_star, self.statements)) else asking[0]

    def is_for(self, cell: Cell, exercise: Exercise) -> bool:
        """Whether a cell, be it Python or not, is meant for an exercise."""
        if tags := self.tags[cell.number]:
            return exercise.id in tags
        names = "|".join(map(re.escape, exercise.definitions))
        return re.search(rf"^(?:def|class)[ \t]+(?:{names})\b", cell.source, re.MULTILINE) is not None

    def _holds(self, exercise: Exercise) -> bool:
        is_defined = any(self.defining(exercise, name) is not None for name in exercise.definitions)
        return is_defined or any(exercise.id in self.tags[statement.cell] for statement in self.statements)

    def _tagged(self, cell: Cell) -> frozenset[str]:
        found = set()
        for tag in cell.tags:
            meant = [e.id for e in self.pack.exercises if tag.removesuffix(".py").lower() in (e.id, e.short)]
            found |= set(meant)
            if not meant and len(self.notes) < _TOLD_TAGS:  # of which a cell may have half a million
                self.notes.append(say("submission.odd-tag", cell=cell.number, tag=repr(clean(tag, 40))))
        return frozenset(found)


class _Module:
    """One exercise's module while it is put together."""

    def __init__(self, bound: _Bound, exercise: Exercise) -> None:
        self.bound = bound
        self.exercise = exercise
        self.needed: dict[int, set[str]] = {}  # place to the names of it that are used
        self.borrowed: dict[str, str] = {}  # name to the exercise that defines it
        self.below: dict[int, set[int]] = {}  # place to those below it that it needs as it is executed
        self.absent: set[str] = set()  # what arguments have for a default, and was computed
        self.is_open = False  # whether a name is used that nothing here defines
        self._waiting: list[tuple[str, int | None]] = []
        self._places: dict[str, list[list[int]]] = {}
        self._asked: set[tuple[str, int]] = set()  # names with the places that were taken for them

    def pieces(self) -> Iterable[tuple[int, int, str]]:
        """The module's lines, each with its cell and line there."""
        self._collect()
        kept = self._in_order(sorted(self.needed, key=lambda at: (not _is_future(self.bound.statements[at]), at)))
        header = [f"from exercises.{module} import {name}" for name, module in sorted(self.borrowed.items())]
        header += [f"{name} = None" for name in sorted(self.absent)]
        is_headed = False
        for place in kept:
            statement = self.bound.statements[place]
            if not is_headed and not _is_future(statement):
                yield from ((0, 0, line) for line in header)
                is_headed = True
            for number, line in _narrowed(statement, self.needed[place]):
                yield statement.cell, number, line
            yield 0, 0, ""

    def _in_order(self, places: list[int]) -> list[int]:
        """The places, but what is needed as another is executed, and stands below it, before that one."""
        ordered, begun = dict[int, None](), set[int]()
        waiting = places[::-1]
        while waiting:
            place = waiting[-1]
            earlier = self.below.get(place, set()) & self.needed.keys() - begun
            if earlier and place not in begun:
                waiting += sorted(earlier, reverse=True)
            else:
                ordered[waiting.pop()] = None
            begun.add(place)
        return [*ordered]

    def _collect(self) -> None:
        for name in self.exercise.definitions:
            if self.bound.defining(self.exercise, name) is not None:
                self._waiting.append((name, None))
        for place, statement in enumerate(self.bound.statements):
            if self._is_own(statement) and not statement.is_import:
                self._take(place, statement.binds)
            elif _is_future(statement):  # which changes how all below it is read
                self.needed.setdefault(place, set())
        while self._waiting:
            self._need(*self._waiting.pop())
        if self.is_open:
            for place, statement in enumerate(self.bound.statements):
                if _is_star(statement):
                    self.needed.setdefault(place, set())

    def _need(self, name: str, before: int | None) -> None:
        """Take whatever gives a name its value. before: the place of the statement that is executed with it."""
        if name in self.exercise.definitions and before is None:
            place = self.bound.defining(self.exercise, name)
        else:
            place = self._place(name, before)
        if place is None:
            lender = self.bound.lender(name)
            if lender is not None and self._comes_before(lender):
                self.borrowed[name] = lender.id
                return
            self.is_open = self.is_open or name not in KNOWN
            if before is not None and name not in KNOWN and name in self.bound.statements[before].defaults:
                self.absent.add(name)
            return
        if before is not None and place > before:
            self.below.setdefault(before, set()).add(place)
        if (name, place) in self._asked:
            return
        self._asked.add((name, place))
        lender = self.bound.owner(name)
        if lender is not None and self._comes_before(lender) and not self.bound.statements[place].is_import:
            self.borrowed[name] = lender.id
            return
        self._take(place, {name})
        for alteration in self.bound.altering(name, place):
            self._take(alteration, set())

    def _place(self, name: str, before: int | None) -> int | None:
        """Where a name gets its value: the last place, or the last before another."""
        if name not in self._places:  # looked for once: there may be thousands of places, and as many that ask
            self._places[name] = self._candidates(name)
        groups = self._places[name]
        if before is not None:
            for places in groups:
                if at := bisect_left(places, before):
                    return places[at - 1]
        return groups[0][-1] if groups else None  # the last of all where there is none before

    def _candidates(self, name: str) -> list[list[int]]:
        """The places where a name gets a value, in the order of preference: in cells for this exercise, in cells for
        none, in all; only those of which there are any."""
        statements = self.bound.statements
        places = [place for place in self.bound.places.get(name, ()) if not self._is_of_itself(place)]
        if any(statements[place].defines(name) for place in places):  # what an experiment made is no function
            found = [(place, statements[place]) for place in places]
            places = [place for place, each in found if each.defines(name) or not each.is_of_numbers]
        own = [place for place in places if self._is_own(statements[place])]
        free = [place for place in places if not self.bound.tags[statements[place].cell]]
        return [group for group in (own, free, places) if group]

    def _take(self, place: int, names: Iterable[str]) -> None:
        """Take a statement, and ask for what it uses."""
        is_new = place not in self.needed
        self.needed.setdefault(place, set()).update(names)
        if is_new:
            statement = self.bound.statements[place]
            self._waiting += [(name, place) for name in statement.loads]
            self._waiting += [(name, None) for name in statement.runs]

    def _is_own(self, statement: Statement) -> bool:
        return self.exercise.id in self.bound.tags[statement.cell]

    def _is_of_itself(self, place: int) -> bool:
        """Whether a statement imports from this very exercise's module."""
        node = self.bound.statements[place].node
        return isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] == self.exercise.id

    def _comes_before(self, other: Exercise) -> bool:
        """Earlier exercises are imported, so that one may be replaced where it is wrong; later ones never are, so that
        no two modules wait for each other."""
        ids = [exercise.id for exercise in self.bound.pack.exercises]
        return ids.index(other.id) < ids.index(self.exercise.id)


def _resolvable(statements: Iterable[Statement]) -> Iterable[Statement]:
    """The statements without assignments of what is not there, because it was computed."""
    there, sure = set(KNOWN), set[str]()  # and what is called there gives no tensors
    for statement in statements:
        node = statement.node
        kept = statement.binds if isinstance(node, HOLDING) else frozenset[str]()
        kept |= (
            {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            if isinstance(node, ast.For)
            else set()
        )
        is_made = not all(makers(value) <= sure for value in statement.values)
        if statement.is_of_numbers and (is_made or not statement.loads - kept <= there):
            continue
        there |= statement.binds
        sure = sure | statement.binds if _is_sure(statement, sure, there) else sure - statement.binds
        yield statement


def _is_sure(statement: Statement, sure: set[str], there: set[str]) -> bool:
    """Whether what a statement binds gives no tensors where it is called."""
    node = statement.node
    if isinstance(node, ast.FunctionDef):
        is_known = statement.loads | statement.runs <= there and makers(node.args, *node.body) <= sure
        return is_known and is_harmless(node)
    return isinstance(node, ast.ClassDef) or is_of_library(node)


def _narrowed(statement: Statement, names: set[str]) -> Sequence[tuple[int, str]]:
    """A statement's lines; of an import only the names that are used, since another might not be installed."""
    node = statement.node
    if not isinstance(node, (ast.Import, ast.ImportFrom)) or _is_star(statement) or _is_future(statement):
        return statement.lines
    used = [alias for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in names]
    if len(used) == len(node.names):
        return statement.lines
    narrow = ast.Import(used) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, used, node.level)
    return [(statement.lines[0][0], ast.unparse(narrow))]


def _is_star(statement: Statement) -> bool:
    return isinstance(statement.node, ast.ImportFrom) and statement.node.names[0].name == "*"


def _is_future(statement: Statement) -> bool:
    return isinstance(statement.node, ast.ImportFrom) and statement.node.module == "__future__"
