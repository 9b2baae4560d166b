"""What a solution takes the axes of its input for, and what becomes of the sequences of a batch."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TypeGuard

from grader.diagnosis.evidence import WRITING
from grader.diagnosis.places.shapes import first_size, whole_shape
from grader.diagnosis.places.statements import Told, asked, nodes_asked, statements_of
from grader.diagnosis.places.texts import LONGEST_STATEMENT, short, written
from grader.model.observation import Fault
from grader.model.syntax import positional, read_in, stored_in, walk
from grader.model.text import clean
from grader.words import say

UNPACKED = re.compile(r"^(too many|not enough) values to unpack \(expected \d+")
SHAPE = re.compile(r"=\s*(\w+)\.(?:shape|size\(\))\s*(?:#.*)?$")
# What students call the number of tokens; `n` may be that of sequences.
TOKENS = re.compile(r"(num|n)_?tok(en)?s?|tokens|(seq|sequence)_?(len|length)|[tT]|T_len")

# What a list or the like is given, whatever comes back.
COLLECTED = re.compile(r"\.(append|extend|insert|add|update)\(")
# What may be written to, and read.
PLACES = (ast.Attribute, ast.Subscript, ast.Name)

Axes = Mapping[str, Sequence[str]]


def unpacked(fault: Fault, tree: ast.Module, of: str, text: str, axes: Axes) -> Told | None:
    """What to say of a shape that is unpacked into more or fewer names than it has axes.

    text: of the line that failed. axes: of the inputs, by the exercise's names.
    """
    shape = SHAPE.search(text[:LONGEST_STATEMENT]) if UNPACKED.search(fault.message) else None
    named = axes_given(tree, of, axes).get(shape[1]) if shape else None
    if shape is None or named is None:
        return None
    return say("judge.unpacked", name=clean(shape[1], 60), axes=", ".join(named)), 0


def counted(tree: ast.Module, of: str, axes: Axes) -> Told | None:
    """What to say of a number of tokens that is the number of sequences, and the line."""
    named = axes_given(tree, of, axes)
    nodes = [*nodes_asked(tree, of)]
    targets = [each for node in nodes if isinstance(node, ast.Assign) for each in node.targets]
    assigned = Counter(each.id for each in targets if isinstance(each, ast.Name))
    ends = [node.upper for node in nodes if isinstance(node, ast.Slice)]
    cut = {each.id for each in ends if isinstance(each, ast.Name)}  # of other names what is right may be unpacked too
    for node in nodes:
        match node:
            case ast.Assign([ast.Name(target)], value) if TOKENS.fullmatch(target) and assigned[target] == 1:
                name = first_size(value)
                own = named.get(name, ())
                if own[:1] == ("B",) and "T" in own:
                    due = f"{name}.shape[{own.index('T')}]"
                    code, shown = short(value), ", ".join(own)
                    return say("judge.counted", code=code, name=name, axes=shown, due=due), node.lineno
            case ast.Assign([ast.Tuple([ast.Name(target), *_])], value) if target in cut and TOKENS.fullmatch(target):
                name = whole_shape(value)
                own = named.get(name, ())
                if own[:1] == ("B",) and "T" in own:
                    due, shown = f"{name}.shape[{own.index('T')}]", ", ".join(own)
                    return say("judge.counted", code=target, name=name, axes=shown, due=due), node.lineno
    return None


def first_alone(tree: ast.Module, of: str, axes: Axes) -> Told | None:
    """What to say where a batch is replaced by its first sequence, and the line."""
    named = axes_given(tree, of, axes, rebound=True)
    for node in nodes_asked(tree, of):
        match node:
            case ast.Assign([ast.Name(target)], ast.Subscript(ast.Name(name), ast.Constant(0))) if target == name:
                if named.get(name, ())[:1] == ("B",):
                    return say("judge.first-alone", code=short(node)), node.lineno
    return None


def last_alone(tree: ast.Module, of: str, *, lacks_axis: bool = False) -> Told | None:
    """What to say of a loop of which only the last turn's result is handed back, and the line.

    lacks_axis: whether the result has an axis less than it should, so that a sum of all turns would be wrong as well.
    """
    for function in asked(tree, of):
        for at, loop in enumerate(function.body):
            for node in loop.body if isinstance(loop, ast.For) and not loop.orelse else ():
                match node:
                    case ast.Assign([ast.Name(name)], value) if name not in read_in(loop):
                        if stored_in(loop) & read_in(value) and _is_handed_back(name, function.body[at + 1 :]):
                            name = clean(name, 60)
                            last = say("judge.last-alone", name=name)
                            return say("judge.last-collected", name=name) if lacks_axis else last, node.lineno
        is_method = positional(function)[:1] == ["self"]  # whose turns may be heads, which no sum joins
        put = None if is_method else _put_in_one_place(function)
        if put is not None:
            return say("judge.last-alone", name=clean(written(put.targets[0]), 60)), put.lineno
    return None


def _put_in_one_place(function: ast.FunctionDef) -> ast.Assign | None:
    """What each turn of a loop within another puts where the turn before it did, of which nothing but that is read."""
    inner = [each for loop in walk(function) if isinstance(loop, ast.For) for each in loop.body]
    for loop in (each for each in inner if isinstance(each, ast.For) and not each.orelse):
        made, turns = stored_in(loop), stored_in(loop.target)
        for node in loop.body:
            match node:
                case ast.Assign([ast.Subscript(ast.Name(name), place)], value) as put if made & read_in(value):
                    if not made & read_in(value) <= turns:  # as of a sum that grows in each turn
                        continue
                    within = walk(loop)
                    is_alone = sum(isinstance(each, ast.Name) and each.id == name for each in within) == 1
                    if is_alone and not made & read_in(place) and not any(isinstance(e, ast.Break) for e in within):
                        return put
    return None


def rebound(tree: ast.Module, of: str, word: re.Pattern[str] | None = None) -> Told | None:
    """What to say of a loop that gives its own variable another value, of which nothing comes, and the line.

    Not where something is called that may write into what it is given. word: that the value's code has to have.
    """
    if any(WRITING.search(s.text) for s in statements_of(tree, of) if not s.is_own):
        return None
    for function in asked(tree, of):
        nodes = [*walk(function)]
        places = [(node.lineno, node.col_offset, node.id) for node in nodes if _is_read(node)]
        last_read = {name: (line, column) for line, column, name in sorted(places)}
        for loop in (node for node in nodes if isinstance(node, ast.For)):
            own = {node.id for node in walk(loop.target) if isinstance(node, ast.Name)}
            for node in loop.body:
                match node:
                    case ast.Assign([ast.Name(name)], value) if name in own & read_in(value):
                        is_last = last_read[name] < (node.end_lineno or node.lineno, node.end_col_offset or 0)
                        code = written(value)
                        is_all = not WRITING.search(code) and not COLLECTED.search(code)
                        if is_last and is_all and (word is None or word.search(code)):
                            return say("judge.rebound", code=short(node), name=clean(name, 60)), node.lineno
    return None


def written_over(tree: ast.Module, of: str) -> Told | None:
    """What to say of a loop whose every turn writes into the same place, where nothing reads it, and the line."""
    for function in asked(tree, of):
        for loop in (node for node in walk(function) if isinstance(node, ast.For)):
            turns = stored_in(loop)
            named = Counter(written(node) for node in walk(loop) if isinstance(node, PLACES))
            for node in loop.body:
                place, value = _filled(node)
                if place is None or value is None or not turns & read_in(value) or turns & read_in(place):
                    continue
                if named[written(place)] == 1:  # where it is written to
                    return say("judge.written-over", name=clean(written(place), 60)), node.lineno
    return None


def counted_or_written_over(tree: ast.Module, of: str, axes: Axes, failed: int) -> Told | None:
    """What to say of sizes that do not fit: a wrong count, or one place that all turns fill. failed: the line."""
    over = written_over(tree, of)
    return counted(tree, of, axes) or (over if over is not None and over[1] == failed else None)


def _filled(node: ast.stmt) -> tuple[ast.expr | None, ast.expr | None]:
    """What a statement fills as a whole, a weight or a part of it, and what with."""
    match node:
        case ast.Assign([ast.Subscript(place, ast.Slice(None, None, None))], value):
            return place, value
        case ast.Assign([ast.Attribute(attr="data" | "weight" | "bias") as weight], value):
            return weight, value
        case ast.Expr(ast.Call(ast.Attribute(place, "copy_"), [value, *_])):
            return place, value
        case _:
            return None, None


def stacked(tree: ast.Module, of: str) -> ast.Call | None:
    """The one call in a definition that stacks tensors along a new first axis."""
    calls = [node for node in nodes_asked(tree, of) if isinstance(node, ast.Call)]
    found = [call for call in calls if written(call.func) == "torch.stack"]
    is_plain = len(found) == 1 and len(found[0].args) == 1 and not found[0].keywords
    return found[0] if is_plain else None


def blended(tree: ast.Module, of: str) -> ast.BinOp | None:
    """Where a definition multiplies something by its own argument, as weights are by the values."""
    for function in asked(tree, of):
        given = {*positional(function)} - {"self"}
        for node in walk(function):
            match node:
                case ast.BinOp(ast.Name(left), ast.MatMult(), ast.Name(right)) if right in given and left not in given:
                    return node
    return None


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def axes_given(tree: ast.Module, of: str, axes: Axes, *, rebound: bool = False) -> dict[str, tuple[str, ...]]:
    """The axes of what a function is given, by its own names: the exercise's, or that of its only argument.

    rebound: also of what the function gives another value.
    """
    for function in asked(tree, of):
        own = [name for name in positional(function) if name != "self"]
        only = {own[0]: tuple(next(iter(axes.values())))} if len(own) == len(axes) == 1 else {}
        stored = stored_in(function)
        named = only or {name: tuple(axes[name]) for name in own if name in axes}
        return {name: sizes for name, sizes in named.items() if rebound or name not in stored}
    return {}


def _is_handed_back(name: str, behind: Sequence[ast.stmt]) -> bool:
    """Whether what a loop's turns give a name is handed back behind them."""
    for statement in behind:
        match statement:
            case ast.Return(ast.expr() as value):
                return name in read_in(value)
            case ast.Assign([ast.Name(other)]) if other == name and name not in read_in(statement):
                return False
    return False
