"""Results that have a name, of which nothing comes: none reads them, or only what goes the same way."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from grader.diagnosis.places.statements import Statement, Told, functions_of, outside_init, statements_of
from grader.diagnosis.source.used import definitions_of
from grader.model.syntax import LIBRARIES, holds, read_in, walk
from grader.model.text import clean
from grader.words import say


@dataclass(frozen=True, slots=True)
class Unused:
    """A result of which nothing comes.

    first: where it is computed. last: where it, or what is made of it, gets the name that is never read. after: what
    takes that name, if anything does.
    """

    first: Statement
    last: Statement
    after: Statement | None

    def told(self) -> Told:
        """What to say, and the line to be changed.

        That is where something else is taken in its place, which is known where that takes its name too; 0 else.
        """
        told = say("judge.unused", code=clean(self.first.text, 80), name=clean(self.last.target, 60))
        return told, self.after.line if self.after is not None else 0


def unused(tree: ast.Module, of: str, word: re.Pattern[str]) -> Unused | None:
    """The first result that has a name and a word in its code, where nothing ever comes of it."""
    statements = [s for s in outside_init(statements_of(tree, of)) if not _is_in_place(s)]
    standing = {id(node): statement for statement in statements for node in walk(statement.node)}
    functions = functions_of(tree, of)
    until = _until(statements, functions)
    loads: dict[tuple[int, ...], dict[str, list[ast.Name]]] = {}
    made_use_of: set[int] = set()
    for statement in statements:
        if word.search(statement.value):
            around = [node for node in functions if holds(node, statement.line)]
            place = tuple(map(id, around))
            if place not in loads:
                loads[place] = _loads(around)
            if last := _last_made(statement, standing, loads[place], until, made_use_of):
                return Unused(statement, last, until.get(id(last)))
    return None


def passed_by(tree: ast.Module, of: str) -> Told | None:
    """What to say of a result that no statement reads, where the next one reads again what it was made of; its line."""
    statements = outside_init(statements_of(tree, of))
    read = set[str]().union(*map(read_in, definitions_of(tree, of)))  # also by a loop, or to choose a branch
    for made, after in pairwise(statements):
        if made.function != after.function or not made.target.isidentifier() or made.target in read:
            continue
        if _is_made_anew(made) or _is_size(made):  # of sizes, which say nothing
            continue
        if made.is_own and not _is_in_place(made) and read_in(made.node) & read_in(after.node) - LIBRARIES:
            return say("judge.unused", code=clean(made.text, 80), name=clean(made.target, 60)), after.line
    return None


def _until(statements: Sequence[Statement], functions: Iterable[ast.FunctionDef]) -> dict[int, Statement]:
    """What gives a statement's name another value, whatever was chosen before; by the statement."""
    surely = {id(node) for function in functions for node in function.body}
    found: dict[int, Statement] = {}
    named: dict[tuple[str, str], Statement] = {}
    for statement in statements:
        if id(statement.node) in surely and isinstance(statement.node, ast.Assign | ast.AnnAssign):
            if before := named.get((statement.function, statement.target)):
                found[id(before)] = statement
            named[statement.function, statement.target] = statement
    return found


def _is_in_place(statement: Statement) -> bool:
    """Whether a statement changes a tensor that may have another name."""
    calls = [node for node in walk(statement.node) if isinstance(node, ast.Call)]
    names = [node.func.attr for node in calls if isinstance(node.func, ast.Attribute)]
    is_told = any(keyword.arg in ("out", "inplace") for node in calls for keyword in node.keywords)
    return is_told or any(name.endswith("_") for name in names)


def _loads(functions: Iterable[ast.FunctionDef]) -> dict[str, list[ast.Name]]:
    """Where names are read in functions, by the name; also where a loop or a branch begins, which is no statement."""
    found: dict[str, list[ast.Name]] = {}
    for node in (node for function in functions for node in walk(function)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(node)
    return found


def _last_made(
    statement: Statement,
    standing: Mapping[int, Statement],
    loads: Mapping[str, Sequence[ast.Name]],
    until: Mapping[int, Statement],
    made_use_of: set[int],
) -> Statement | None:
    """Where what a statement computes gets a name that is never read; None where it is read for more than such a name.

    standing: the statement that a node stands in. loads: where names are read. until: what gives a statement's name
    another value. made_use_of: statements of which it is known that more comes of them, to which those
    that are met here are added: each is followed once.
    """
    while statement.target.isidentifier() and id(statement) not in made_use_of:
        made_use_of.add(id(statement))
        after = until.get(id(statement))
        last = (after.node.end_lineno or after.line) if after is not None else math.inf
        readers = [standing.get(id(node)) for node in loads.get(statement.target, ()) if node.lineno <= last]
        others = [reader for reader in readers if reader is not statement]
        if not others:
            return statement
        only = others[0]
        is_later = only is not None and only.line > statement.line and only.function == statement.function
        if only is None or not is_later or any(reader is not only for reader in others):
            return None
        statement = only
    return None


def _is_size(statement: Statement) -> bool:
    """Whether a statement writes down how long something is, as many do who then need no loop."""
    match getattr(statement.node, "value", None):
        case ast.Call(ast.Name("len") | ast.Attribute(attr="size" | "dim" | "numel")):
            return True
        case ast.Attribute(attr="shape") | ast.Subscript(ast.Attribute(attr="shape")):
            return True
        case _:
            return False


def _is_made_anew(statement: Statement) -> bool:
    """Whether a statement makes a tensor of one of torch's functions that are given sizes alone."""
    match statement.node:
        case ast.Assign(value=ast.Call(ast.Attribute(ast.Name("torch"), name))):
            return name in ("ones", "zeros", "empty", "full", "eye", "arange", "rand", "randn")
        case _:
            return False
