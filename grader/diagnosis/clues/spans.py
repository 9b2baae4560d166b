"""What a function leaves out of what it is given, holds for in one size alone, or makes nothing of."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from grader.diagnosis.places.statements import Told, asked, nodes_asked
from grader.diagnosis.places.texts import short, written
from grader.model.syntax import LIBRARIES, dotted, positional, read_in, stored_in, unread_in, walk
from grader.model.text import clean
from grader.words import say

# What a size of something is: of a list, or an axis.
SIZE = re.compile(r"len\(\w+\)|[\w.]+\.shape\[-?\d\]|[\w.]+\.size\(-?\d\)|[a-zA-Z_][\w.]*")
# What makes as much as a number says.
MAKING = {"range", "zeros", "ones", "empty", "full", "arange", "eye", "view", "reshape", "tril_indices", "triu_indices"}
# Fewer than these may be matrices, halves or numbers of axes.
FEWEST = 4
# What random numbers and their mode have to do with, of which others tell.
OF_CHANCE = ("generator", "training")
# What puts something into a list, a set or a dictionary.
PUTTING = {"append", "extend", "insert", "add", "update"}


def left_out(tree: ast.Module, of: str) -> Told | None:
    """What to say of the first loop, or slice of an argument, that leaves out the first or the last of all.

    Not where that is met by itself, nor where a turn of the loop also looks at the next one, or at the one before; nor
    of what comes to nothing.
    """
    for function in asked(tree, of):
        nodes, idle = walk(function), unread_in(function)
        indices = {written(node.slice) for node in nodes if isinstance(node, ast.Subscript)}
        of_axes = _indices(nodes)
        for node in (each for each in nodes if id(each) not in idle):
            match node:
                case ast.For(ast.Name(turn), ast.Call(ast.Name("range"), args) as turns, body=body):
                    found = _cut_short(turns, args, turn, body, indices)
                case ast.ListComp(
                    made, [ast.comprehension(ast.Name(turn), ast.Call(ast.Name("range"), args) as turns)]
                ):
                    found = _cut_short(turns, args, turn, [made], indices)
                case ast.Subscript(ast.Name(name), ast.Slice() as part) if name in positional(function):
                    found = _sliced(node, name, part, indices)
                case ast.Subscript(ast.Name(name), ast.Tuple([ast.Slice(None, None), ast.Slice() as part])):
                    found = _sliced(node, name, part, of_axes[name]) if name in positional(function) else None
                case _:
                    continue
            if found is not None:
                return found
    return None


def _indices(nodes: Iterable[ast.AST]) -> dict[str, set[str]]:
    """What each tensor that is read by indices of several axes is read by, on all of these but the first."""
    found: dict[str, set[str]] = {}
    for node in nodes:
        match node:
            case ast.Subscript(ast.Name(read), ast.Tuple(each)):
                found.setdefault(read, set()).update(map(written, each[1:]))
    return found


def _cut_short(
    turns: ast.Call, args: list[ast.expr], turn: str, body: Collection[ast.AST], indices: Collection[str]
) -> Told | None:
    """What there is to say of a range that ends one turn early, or begins one late."""
    inside = [node for part in body for node in walk(part)]
    reads = [node for node in inside if isinstance(node, ast.Name) and node.id == turn]
    moved = [
        node for node in inside if isinstance(node, ast.BinOp) and turn in read_in(node.left) | read_in(node.right)
    ]
    is_moved = any(isinstance(node.op, ast.Add | ast.Sub) and isinstance(node.right, ast.Constant) for node in moved)
    is_index = any(isinstance(node, ast.Subscript) and turn in read_in(node.slice) for node in inside)
    is_slice = any(isinstance(node, ast.Slice) and turn in read_in(node) for node in inside)
    if not reads or not is_index or is_moved or is_slice:
        return None
    begin = ""
    match args:
        case [ast.BinOp(size, ast.Sub(), ast.Constant(1))] | [
            ast.Constant(0),
            ast.BinOp(size, ast.Sub(), ast.Constant(1)),
        ]:
            is_first, met = False, {"-1", f"{written(size)} - 1"}
        case [start, ast.BinOp(size, ast.Sub(), ast.Constant(1))]:
            is_first, met, begin = False, {"-1", f"{written(size)} - 1"}, f"{written(start)}, "
        case [ast.Constant(1), size]:
            is_first, met = True, {"0"}
        case _:
            return None
    if met & {*indices} or not SIZE.fullmatch(written(size)):
        return None
    return _left_out(turns, clean(f"range({begin}{written(size)})", 60), is_first=is_first)


def _left_out(node: ast.expr, due: str, *, is_first: bool) -> Told:
    if is_first:
        return say("judge.leaves-out-first", code=short(node), due=due), node.lineno
    return say("judge.leaves-out-last", code=short(node), due=due), node.lineno


def _sliced(node: ast.Subscript, name: str, part: ast.Slice, indices: Collection[str]) -> Told | None:
    """What there is to say of an argument that is taken without its last, or its first; not of two that are moved."""
    match written(part):
        case ":-1":
            other, met = "1:", "-1"
        case "1:":
            other, met = ":-1", "0"
        case _:
            return None
    if {other, met} & {*indices}:
        return None
    return _left_out(node, clean(name, 60), is_first=met == "0")


def of_one_size(tree: ast.Module, of: str, told: Collection[int], there: Collection[int] = ()) -> Told | None:
    """What to say of the first number in a function that makes as much as an example has, whatever comes.

    told: the numbers of a shape that does not fit, of which it has to be one. there: what the case has.
    """
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for function in asked(tree, of):
        for call in (node for node in walk(function) if isinstance(node, ast.Call)):
            match call.func:
                case ast.Attribute(attr=name) | ast.Name(name) if name in MAKING | own:
                    pass
                case _:
                    continue
            for number in _numbers(call):
                if number in told and number not in there:
                    return say("judge.of-one-size", code=short(call), number=number), call.lineno
    return None


def _numbers(call: ast.Call) -> Iterator[int]:
    """The numbers that a call is given, also in a tuple."""
    for given in call.args:
        for each in given.elts if isinstance(given, ast.Tuple | ast.List) else [given]:
            if isinstance(each, ast.Constant) and type(each.value) is int and each.value >= FEWEST:
                yield each.value


def unread(tree: ast.Module, of: str) -> str:
    """The first argument of a function, chance's aside, that nothing in it reads; "" for none."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == of]
    for function in functions:
        if function.args.vararg or function.args.kwarg or "locals" in read_in(function):
            return ""
        names = (name for name in positional(function) if name not in OF_CHANCE)
        return next((name for name in names if name not in read_in(function)), "")
    return ""


@lru_cache(maxsize=4)
def returned_in_a_loop(tree: ast.Module, of: str) -> Told | None:
    """What to say of a `return` with which what was asked ends a loop in its first turn, whatever comes."""
    for loop in (node for node in nodes_asked(tree, of) if isinstance(node, ast.For | ast.While)):
        if found := next((each for each in loop.body if isinstance(each, ast.Return)), None):
            is_of_a_turn = isinstance(loop, ast.For) and _is_of_a_turn(found.value, loop)
            said = say("judge.turn-returned-in-a-loop") if is_of_a_turn else say("judge.returned-in-a-loop")
            return said, found.lineno
    return None


def _is_of_a_turn(value: ast.expr | None, loop: ast.For) -> bool:
    """Whether it is what one turn of a loop gives, so that behind the loop it would be the last one's alone."""
    if value is None or not _read(value).isdisjoint(_kept_across_turns(loop)):
        return False
    if not isinstance(value, ast.Name):
        return isinstance(value, ast.BinOp | ast.Call) and bool(stored_in(loop.target) & read_in(value))
    given = [each for each in loop.body if isinstance(each, ast.Assign) and value.id in stored_in(each)]
    stored = [each for each in walk(loop) if isinstance(each, ast.Name) and each.id == value.id]
    return (
        bool(given)
        and all(isinstance(each.targets[0], ast.Name) and value.id not in read_in(each.value) for each in given)
        and len(stored) == len(given) + 1
    )


def _kept_across_turns(loop: ast.For) -> set[str]:
    """What a turn of a loop changes and the next one goes on with, as a list or a sum, and what is made of that."""
    simple = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr
    statements = sorted((each for each in walk(loop) if isinstance(each, simple)), key=lambda each: each.lineno)
    turns = [each.target for each in walk(loop) if isinstance(each, ast.For | ast.comprehension)]
    given = {name for each in statements for name in stored_in(each)}
    kept, made_anew = set[str](), {name for target in turns for name in stored_in(target)}
    for statement in statements:
        read, stored = _read(statement), stored_in(statement)
        kept |= ({*_changed_in(statement)} | read & given) - made_anew
        if read & kept:
            kept |= stored
        else:
            made_anew |= stored - kept
    return kept


def _changed_in(statement: ast.stmt) -> Iterator[str]:
    """What a statement changes that is there already: it adds to it, or writes into it."""
    match statement:
        case ast.AugAssign(target):
            yield _whole(target)
        case ast.Expr(ast.Call(ast.Attribute(place, name))) if name in PUTTING:
            yield _whole(place)
    for node in walk(statement):
        match node:
            case ast.Subscript(place, ctx=ast.Store()):
                yield _whole(place)
            case ast.Call(ast.Attribute(place, name)) if name.endswith("_") and _whole(place) not in LIBRARIES:
                yield _whole(place)


def _whole(place: ast.expr) -> str:
    """The variable, or the attribute of `self`, in which a place lies; "" for none."""
    while isinstance(place, ast.Subscript | ast.Attribute) and not re.fullmatch(r"self\.\w+", dotted(place)):
        place = place.value
    return dotted(place)


def _read(node: ast.AST) -> set[str]:
    """The variables, and the attributes of `self`, that are read in a piece of source."""
    own = {dotted(each) for each in walk(node) if isinstance(each, ast.Attribute)}
    return read_in(node) | {name for name in own if name.startswith("self.")}
