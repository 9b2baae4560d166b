"""Statements whose result nobody keeps, each with what to write instead."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from grader.judge.diagnosis.clues.batch import rebound
from grader.judge.diagnosis.clues.printed import printed
from grader.judge.diagnosis.clues.unseeing import all_but_zero, begun_askew, unseeing
from grader.judge.diagnosis.evidence import Mistake
from grader.judge.diagnosis.places.branches import exchanged
from grader.judge.diagnosis.places.dropout import dropped_again, only_outside
from grader.judge.diagnosis.places.statements import (
    Statement,
    Told,
    definitions_of,
    functions_of,
    nodes_of,
    nodes_of_init,
    outside_init,
    statements_of,
)
from grader.judge.diagnosis.places.texts import short, written
from grader.model.syntax import functions_around, holds, read_in, walk
from grader.model.text import clean
from grader.words import say

# Methods of a tensor's and functions of torch's that give another shape, and those that give other numbers.
SHAPING = {
    "transpose", "view", "reshape", "permute", "unsqueeze", "squeeze", "flatten", "unflatten", "swapaxes", "swapdims",
    "movedim", "moveaxis", "expand", "t",
}  # fmt: skip
COMPUTING = {
    "masked_fill", "softmax", "matmul", "bmm", "triu", "tril", "masked_scatter", "contiguous", "dropout", "div", "exp",
    "cat", "stack", "where",
}  # fmt: skip
MAKING = {"ones", "zeros", "rand", "randn", "rand_like", "arange", "full", "empty", "einsum", "sum", "mean", "var"}
LIBRARIES = {"torch", "F", "nn", "functional"}
LAYERS = {"Linear", "Dropout", "Softmax"}

MASKING = re.compile(r"masked_fill")
# What is missing where the result of a call is, by a word that the call has.
MISSING: Mapping[str, re.Pattern[str]] = {
    "scale-missing": re.compile(r" / |\*|div|mul|sqrt"),
    "softmax-missing": re.compile(r"softmax|sum\("),
    "dropout-missing": re.compile(r"drop|ke(ep|pt)|\* [\w.]*mask"),
    "mask-discarded": re.compile(r"^[^(]* \+ "),  # of what masked_fill gives, the mistake's own words tell
    "out-proj-missing": re.compile(r"self\.(?!\w*drop)\w*(out|proj)"),
}


def in_vain(mistakes: Sequence[Mistake], tree: ast.Module, of: str) -> tuple[tuple[Mistake, ...], list[str]]:
    """Known mistakes, and what to say: of what is missing where it is computed in vain, of None where it is print's.

    Also of dropout that is called where it does nothing, or once more, and of branches that have changed places. Scores
    that are scaled in what is masked and let go are no mistake of their own: who goes on with that has both.
    """
    placed, notes = [], []
    masked = {mistake.line for mistake in mistakes if mistake.id == "mask-discarded" and mistake.line}
    for mistake in mistakes:
        told = None
        if mistake.id == "dropout-missing" and (choice := only_outside(tree, of)):
            told = say("judge.dropped-outside", test=clean(f"if {written(choice.test)}:", 60)), choice.lineno
        elif mistake.id in MISSING:
            word = MISSING[mistake.id]
            told = compared(tree, of, word=word) or lost(tree, of, word=word) or rebound(tree, of, word)
            lines = {told[1]} if told else set()
            if not told and (made := _unused(tree, of, word)):
                told, lines = _told_of(*made), {each.line for each in made[:2]}
            if told and mistake.id == "scale-missing" and lines & masked:
                notes.append(told[0])
                continue
        elif mistake.id == "mask-missing" and (made := _unused(tree, of, MASKING)) and made[2]:
            told = _told_of(*made)  # what is let go for good is a mistake of its own
        elif mistake.id == "dropout-on-context" and (again := dropped_again(tree, of)):
            told = say("judge.dropped-again", code=clean(again.text, 80)), again.line
        elif mistake.id == "mask-inverted" and (branches := exchanged(statements_of(tree, of))):
            _, call, due = branches
            told = say("judge.branches-exchanged", code=short(call), due=clean(due, 120)), call.lineno
        elif mistake.id == "mask-diagonal":
            told = unseeing(tree, of) or begun_askew(tree, of)
        elif mistake.id == "mask-zero-fill":
            told = all_but_zero(tree, of)
        elif mistake.id == "returns-none":
            told = printed(tree, of)
        placed.append(replace(mistake, line=told[1]) if told and told[1] else mistake)
        notes += [told[0]] if told else []
    return tuple(placed), notes


def _told_of(first: Statement, last: Statement, after: Statement | None) -> Told:
    """What to say of a result of which nothing comes under the last of its names, and the line to be changed.

    That is where something else is taken in its place, which is known where that takes its name too; 0 else.
    """
    told = say("judge.unused", code=clean(first.text, 80), name=clean(last.target, 60))
    return told, after.line if after is not None else 0


def _unused(tree: ast.Module, of: str, word: re.Pattern[str]) -> tuple[Statement, Statement, Statement | None] | None:
    """The first result that has a name and a word in its code, where nothing ever comes of it, and the last of it.

    Then what takes the name of that, if anything does.
    """
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
                return statement, last, until.get(id(last))
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


def passed_by(tree: ast.Module, of: str) -> Told | None:
    """What to say of a result that no statement reads, where the next one reads again what it was made of; its line."""
    statements = outside_init(statements_of(tree, of))
    read = set[str]().union(*map(read_in, definitions_of(tree, of)))  # also by a loop, or to choose a branch
    for made, after in pairwise(statements):
        if made.function != after.function or not made.target.isidentifier() or made.target in read:
            continue
        if _is_made_anew(made):  # of sizes, which say nothing
            continue
        if made.is_own and not _is_in_place(made) and read_in(made.node) & read_in(after.node) - LIBRARIES:
            return say("judge.unused", code=clean(made.text, 80), name=clean(made.target, 60)), after.line
    return None


def _is_made_anew(statement: Statement) -> bool:
    """Whether a statement makes a tensor of one of torch's functions that are given sizes alone."""
    match statement.node:
        case ast.Assign(value=ast.Call(ast.Attribute(ast.Name("torch"), name))):
            return name in ("ones", "zeros", "empty", "full", "eye", "arange", "rand", "randn")
        case _:
            return False


def lost(tree: ast.Module, of: str, *, shaping: bool = False, word: re.Pattern[str] | None = None) -> Told | None:
    """What to say of the first result in a definition that nobody keeps.

    shaping: only of another shape. word: that its code has to have.
    """
    for definition in definitions_of(tree, of):
        layers = _layers(tree, definition.name)
        for call in _alone(definition):
            given = _given(call, layers)
            if given is None or (shaping and not _is_shaping(call)):
                continue
            code = clean(written(call), 80)
            if word and not word.search(code):
                continue
            if isinstance(given, ast.Name):  # under which the result belongs
                return say("judge.lost", code=code, name=clean(given.id, 60)), call.lineno
            return say("judge.lost-without-name", code=code), call.lineno
    return None


def is_past(tree: ast.Module, line: int, right: int) -> bool:
    """Whether what nobody keeps of a line cannot have spoilt what comes behind another one, up to which all is right.

    So where that stands further down in the same function, and what the line computes with is not read behind it.
    """
    around = functions_around(tree, line)
    if not line < right or not around or not holds(around[-1], right):
        return False
    if any(isinstance(node, ast.For) and node.lineno == line and holds(node, right) for node in walk(around[-1])):
        return False  # of which the next turn comes behind
    names = [node for node in walk(around[-1]) if isinstance(node, ast.Name)]
    used = {node.id for node in names if node.lineno == line} - LIBRARIES - {"self"}
    return bool(used) and all(node.lineno <= right for node in names if node.id in used)


def lost_as(tree: ast.Module, of: str, name: str, line: int) -> Told | None:
    """What to ask where a line reads by a name what the statement before it may have computed, and nobody keeps."""
    for definition in definitions_of(tree, of):
        layers = _layers(tree, definition.name)
        for block in (getattr(node, part, None) for node in walk(definition) for part in ("body", "orelse")):
            pairs = pairwise(block) if isinstance(block, list) else ()
            before = next((one for one, other in pairs if holds(other, line) and not _is_compound(other)), None)
            match before:
                case ast.Expr(ast.Call() | ast.BinOp() as call) if _given(call, layers) or _makes(call, tree):
                    code = clean(written(call), 80)
                    return say("judge.lost-perhaps", code=code, name=clean(name, 60)), call.lineno
    return None


def _is_compound(statement: ast.stmt) -> bool:
    """Whether a statement holds others, so that not all of its lines are read at once."""
    return isinstance(getattr(statement, "body", None), list)


def compared(tree: ast.Module, of: str, name: str = "", word: re.Pattern[str] | None = None) -> Told | None:
    """What to say of the first `==` that stands where `=` is meant.

    name: of what stands left of it, where known. word: that the code right of it has to have.
    """
    for node in nodes_of(tree, of):
        match node:
            case ast.Expr(ast.Compare(ast.Name() | ast.Attribute() as left, [ast.Eq()], [value])):
                target = written(left)
                if (not name or target == name) and (word is None or word.search(written(value))):
                    due = clean(f"{target} = {written(value)}", 80)
                    return say("judge.compared", due=due), node.lineno
    return None


def _alone(definition: ast.AST) -> Iterator[ast.Call | ast.BinOp]:
    """The calls and sums that are statements of their own, in the order of their lines."""
    statements = [node for node in walk(definition) if isinstance(node, ast.Expr)]
    for statement in sorted(statements, key=lambda node: node.lineno):
        if isinstance(statement.value, ast.Call | ast.BinOp):
            yield statement.value


def _given(call: ast.Call | ast.BinOp, layers: set[str]) -> ast.expr | None:
    """What a call computes with, if it gives a new tensor and changes nothing; None else."""
    if isinstance(call, ast.BinOp):
        return call.left
    if any(keyword.arg in ("out", "inplace") for keyword in call.keywords):
        return None
    match call.func:
        case ast.Attribute(ast.Name("self"), name):
            return call.args[0] if name in layers and call.args else None
        case ast.Attribute(ast.Name(owner) | ast.Attribute(attr=owner), name) if owner in LIBRARIES:
            return call.args[0] if name in SHAPING | COMPUTING and call.args else None
        case ast.Attribute(owner, name):
            return owner if name in SHAPING | COMPUTING and not isinstance(owner, ast.Constant) else None
        case _:
            return None


def _makes(call: ast.Call | ast.BinOp, tree: ast.Module) -> bool:
    """Whether a call is one of torch's that gives a tensor, or of a function of the file's that gives something."""
    match call:
        case ast.Call(ast.Attribute(ast.Name(owner), name)):
            return owner in LIBRARIES and name in MAKING
        case ast.Call(ast.Name(name)):
            own = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
            return any(isinstance(node, ast.Return) and node.value for each in own for node in walk(each))
        case _:
            return False


def _is_shaping(call: ast.expr) -> bool:
    match call:
        case ast.Call(ast.Attribute(attr=name)):
            return name in SHAPING
        case _:
            return False


def _layers(tree: ast.Module, of: str) -> set[str]:
    """The attributes in which a class keeps a layer that gives a new tensor."""
    found = set()
    for node in nodes_of_init(tree, of):
        match node:
            case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Call(func, args, keywords)):
                made = written(func).rpartition(".")[2]
                is_in_place = any(each.arg == "inplace" for each in keywords) or (made == "Dropout" and len(args) > 1)
                if made in LAYERS and not is_in_place:
                    found.add(name)
    return found
