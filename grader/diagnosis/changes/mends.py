"""Changes of a source with which it gets past an exception, and does what it was certainly to do there.

Nothing is left out, but what writes into what was given. No other operation is put in, but what fits where shapes or
kinds do not: a product of matrices for one number by number, a layer called for its weight, the last two axes exchanged
for others, a copy for a view, and what `kinds` has. What is wrong behind the exception has to stay as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice

from grader.diagnosis.changes.calls import TURNING
from grader.diagnosis.changes.kinds import IMPORTED, of_kinds
from grader.diagnosis.changes.pieces import Repair, Repairs, behind, put, safe
from grader.diagnosis.places.statements import asked, methods
from grader.diagnosis.places.texts import short
from grader.diagnosis.places.writing import is_in_place
from grader.diagnosis.slips import spelling, vocabulary
from grader.diagnosis.source.used import definitions_of
from grader.model.observation import Fault
from grader.model.syntax import (
    Definition,
    arguments_in,
    called_in,
    dotted,
    functions_in,
    holds,
    only_says,
    positional,
    read_in,
    stored_in,
    walk,
)

# What may stand in the place of a name that is not there.
MOST_NAMES = 4
MOST_MENDS = 16
# What torch says of a module whose `__init__` has not called its own.
NOT_BEGUN = "before Module.__init__() call"
# And of a view of numbers that do not lie in order.
OUT_OF_ORDER = "view size is not compatible"
# Statements that nothing can stand before in their line.
COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match, ast.FunctionDef, ast.ClassDef)
PRODUCTS = {"matmul", "mm", "bmm", "dot"}


def mends(fault: Fault, tree: ast.Module, of: str, line: int) -> list[Repairs]:
    """Ways past an exception of a definition, each of changes that belong together.

    line: where it was raised in the exercise's own file, 0 for nowhere there.
    """
    definitions = definitions_of(tree, of)
    found: Iterator[Repairs]
    match fault.type:
        case "NotImplementedError" if misspelt := spelling.misspelt_method(tree, of):
            found = iter([(_called(misspelt, "forward"),)])
        case "TypeError" if not line and (misspelt := spelling.misspelt_init(tree, of)):
            found = iter([(_called(misspelt, "__init__"),)])
        case _ if not line:
            found = iter(())
        case "NameError":
            found = _of_names(fault, tree, of, definitions, line)
        case "AttributeError" if NOT_BEGUN in fault.message:
            found = _of_beginnings(tree, of)
        case "AttributeError":
            found = _of_attributes(fault, tree, of, definitions)
        case "RuntimeError" if OUT_OF_ORDER in fault.message:
            found = _of_views(definitions, line)
        case "RuntimeError":
            found = iter([*of_kinds(fault, definitions, line), *_of_products(definitions, line)])
        case _:
            found = iter([*of_kinds(fault, definitions, line), _of_called(definitions[1:], tree)])
    return [*islice(dict.fromkeys(each for each in found if each), MOST_MENDS)]


def handing_back(tree: ast.Module, of: str) -> list[Repairs]:
    """Ways past a function that gives nothing: it hands back what its last statement makes, or what it uses does so."""
    own = [(mend,) for function in asked(tree, of) if (mend := _handing_back(function, tree)) is not None]
    called = _of_called(definitions_of(tree, of)[1:], tree)
    return [*own] if own or not called else [called]


def unwritten(tree: ast.Module, of: str) -> list[Repairs]:
    """Ways past a function that writes into what it is given: it goes on with that as it came, in one place or more.

    Which of several is too much is not known: what another does may be due, and lacks without it.
    """
    found: list[Repair] = []
    for function in asked(tree, of):
        given = arguments_in(function)
        for node in walk(function):
            match node:
                case ast.AugAssign(ast.Name(name)) if name in given:
                    found.append(put(node, "pass", node))
                case ast.Call(ast.Attribute(ast.Name(name), method)) if name in given and is_in_place(method):
                    found.append(put(node, name, node))
    some = (each for size in range(1, len(found) + 1) for each in combinations(found, size))
    apart = (each for each in some if not any(one.overlaps(other) for one, other in combinations(each, 2)))
    return [*islice(apart, MOST_MENDS)]


def _of_called(definitions: Sequence[Definition], tree: ast.Module) -> Repairs:
    """What of the functions that a definition uses gives nothing, handed back."""
    functions = [each for each in definitions if isinstance(each, ast.FunctionDef)]
    silent = [each for each in functions if not any(_gives(node) for node in walk(each))]
    return tuple(mend for each in silent if (mend := _handing_back(each, tree)) is not None)


def _gives(node: ast.AST) -> bool:
    return isinstance(node, ast.Yield) or (isinstance(node, ast.Return) and node.value is not None)


def _handing_back(function: ast.FunctionDef, tree: ast.Module) -> Repair | None:
    """What the last statement makes, handed back, so that all lines stay where they are; None where it makes nothing.

    Of a loop that is what it adds to, or fills, in its own last statement.
    """
    bare = [each for each in function.body if isinstance(each, ast.Return) and each.value is None]
    made = [each for each in function.body if not (only_says(each) or isinstance(each, ast.Pass) or each in bare)]
    last = made[-1] if made else None
    match last:
        case ast.Assign([ast.Name(name)]) | ast.AugAssign(ast.Name(name)) | ast.AnnAssign(ast.Name(name)):
            return put(bare[-1], f"return {name}", last) if bare else behind(last, f"; return {name}", last)
        case ast.Expr():
            begin = last.lineno, last.col_offset
            return Repair(begin, begin, "return ", short(last))
        case ast.For(orelse=[]):
            inner: ast.stmt = last
            while isinstance(inner, ast.For):
                inner = inner.body[-1]
            name = _filled(inner)
            if not any(name in stored_in(each) for each in made[:-1]):
                return None
            return put(bare[-1], f"return {name}", inner) if bare else _below(inner, f"return {name}", last, tree)
        case _:
            return None


def _filled(statement: ast.stmt) -> str:
    """The name of what a statement adds to, or fills a part of; "" for any other one."""
    match statement:
        case ast.AugAssign(target) | ast.Assign([ast.Subscript() as target]):
            filled: ast.expr = target
            while isinstance(filled, ast.Subscript):
                filled = filled.value
            return filled.id if isinstance(filled, ast.Name) else ""
        case _:
            return ""


def _below(statement: ast.stmt, text: str, loop: ast.stmt, tree: ast.Module) -> Repair | None:
    """A statement below a loop, in a line that is left empty there; None where there is none, and more follows."""
    put_there = behind(statement, f"\n{' ' * loop.col_offset}{text}", statement)
    line, _ = put_there.end
    following = [each.lineno for each in walk(tree) if isinstance(each, ast.stmt) and each.lineno > line]
    if not following:
        return put_there
    return replace(put_there, end=(line + 1, 0)) if min(following) > line + 1 else None


def _of_names(
    fault: Fault, tree: ast.Module, of: str, definitions: Sequence[Definition], line: int
) -> Iterator[Repairs]:
    """Another name wherever one is read that is not there: an attribute, what it is spelt like or an argument."""
    undefined = spelling.UNDEFINED.search(fault.message)
    if undefined is None:
        return
    name = undefined[1]
    functions = [each for definition in definitions for each in functions_in(definition)]
    lacking = [each for each in functions if name not in stored_in(each) | arguments_in(each)]
    read = {
        (node.lineno, node.col_offset): node
        for each in lacking
        for node in walk(each)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    }
    for other in _meant_by(name, tree, of, lacking, line):
        yield tuple(put(node, other, node) for node in read.values())


def _meant_by(name: str, tree: ast.Module, of: str, functions: Sequence[ast.FunctionDef], line: int) -> Iterator[str]:
    if name in IMPORTED:
        yield IMPORTED[name]
        return
    mistake = spelling.of_undefined(name, tree, of)
    match mistake:
        case "self-missing":
            yield f"self.{name}"
            return
        case "api-misspelt":
            yield spelling.near(name, spelling.imported(tree)) or spelling.near(name, vocabulary.BARE)
            return
    stored = {each for function in functions for each in stored_in(function) | arguments_in(function)}
    stored |= spelling.callables(tree, name)
    left = {each for function in functions for each in stored_in(function) - read_in(function)}
    near = spelling.near(name, stored - {name}) or spelling.near(name, left - {name}, spelling.NEAR_UNREAD)
    yield from filter(None, [near])
    # What is no variable, such as a module that is not imported, is no other one's either.
    around = [function for function in functions if holds(function, line)] if mistake == "global-variable" else []
    for function in around[-1:]:  # what is made and not read was most likely to be
        made = [node for node in walk(function) if isinstance(node, ast.Assign) and node.lineno < line]
        unread = sorted({name for node in made for name in stored_in(ast.Tuple(node.targets))} - read_in(function))
        yield from islice((each for each in (*unread, *positional(function)) if each != "self"), MOST_NAMES)


def _of_attributes(fault: Fault, tree: ast.Module, of: str, definitions: Sequence[Definition]) -> Iterator[Repairs]:
    """The attribute that one which is not there is spelt like, wherever that is asked for."""
    absent = spelling.NO_ATTRIBUTE.search(fault.message)
    if absent is None:
        return
    read = [
        node
        for each in definitions
        for node in walk(each)
        if isinstance(node, ast.Attribute) and node.attr == absent[1] and isinstance(node.ctx, ast.Load)
    ]
    for known in (spelling.own_names(fault, tree, of), spelling.torchs(fault)):
        if other := spelling.near(absent[1], known, spelling.NEAR_API):
            yield tuple(_renamed(node, other) for node in read)


def _of_beginnings(tree: ast.Module, of: str) -> Iterator[Repairs]:
    """torch's own `__init__` called at first, where a class's does not call it at all, and all lines left in place."""
    for function in methods(tree, of, "__init__"):
        called = [node for node in walk(function) if isinstance(node, ast.Attribute) and node.attr == "__init__"]
        simple = (each for each in function.body if not only_says(each) and not isinstance(each, COMPOUND))
        first = next(simple, None)  # in whose line there is room before it
        if first is not None and not called:
            begin = first.lineno, first.col_offset
            yield (Repair(begin, begin, "super().__init__(); ", short(first)),)


def _renamed(node: ast.Attribute, other: str) -> Repair:
    line, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    begin = line, column - len(node.attr.encode())
    return Repair(begin, (line, column), other, node.attr)


def _called(function: ast.FunctionDef, name: str) -> Repair:
    """Another name for a function, where that stands as one writes it."""
    line, column = function.lineno, function.col_offset + len("def ")
    return Repair((line, column), (line, column + len(function.name.encode())), name, function.name)


def _of_views(definitions: Collection[Definition], line: int) -> Iterator[Repairs]:
    """A view that copies what does not lie in order."""
    nodes = [node for each in definitions for node in walk(each) if isinstance(node, ast.Call) and holds(node, line)]
    views = [node.func for node in nodes if isinstance(node.func, ast.Attribute) and node.func.attr == "view"]
    yield tuple(_renamed(each, "reshape") for each in views)


def _of_products(definitions: Collection[Definition], line: int) -> Iterator[Repairs]:
    """Products with a factor on its side, or as it was: in the line, or wherever else one is; or a layer called."""
    nodes = [node for each in definitions for node in walk(each)]
    products = [found for node in nodes if isinstance(node, ast.expr) and (found := _product(node)) is not None]
    yield tuple(put(node, f"{layer}({ast.unparse(x)})", node) for node, x, w in products if (layer := _layer(w)))
    turned = [(node, was) for node in nodes if isinstance(node, ast.expr) and (was := _as_it_was(node))]
    yield tuple(put(node, was, node) for node, was in turned if was.startswith("self."))
    yield tuple(put(node, f"{was}.mT", node) for node, was in turned if not _is_last(node))
    for product, left, right in products:
        if holds(product, line):
            for each in (right, left) if not _layer(right) else ():
                if each_was := _of_other_axes(each):
                    yield (put(each, f"{each_was}.mT", each),)
                yield (put(each, _as_it_was(each) or f"{safe(each)}.mT", each),)
            yield (put(product, f"({safe(right)} @ {safe(left)})", product),)
    for node in (each for each in nodes if holds(each, line)):
        match node:
            case ast.Call(_, [_, weight, *_]) if called_in(node) == "linear":
                yield (put(weight, _as_it_was(weight) or f"{safe(weight)}.mT", weight),)
            case ast.BinOp(left, ast.Mult(), right):
                yield (put(node, safe(ast.BinOp(left, ast.MatMult(), right)), node),)


def _product(node: ast.expr) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """A product of matrices with its two factors; None for anything else."""
    match node:
        case ast.BinOp(left, ast.MatMult(), right):
            return node, left, right
        case ast.Call(_, [left, right]) if called_in(node) in PRODUCTS:
            return node, left, right
        case ast.Call(ast.Attribute(left), [right]) if called_in(node) in PRODUCTS and dotted(left) != "torch":
            return node, left, right
        case _:
            return None


def _layer(node: ast.expr) -> str:
    """The layer whose weight an expression is; "" for any other one."""
    return safe(node.value) if isinstance(node, ast.Attribute) and node.attr == "weight" else ""


def _as_it_was(node: ast.expr) -> str:
    """What is turned on its side by an expression; "" for one that turns nothing."""
    match node:
        case ast.Attribute(value, "T" | "mT") | ast.Call(ast.Attribute(value, "t"), []):
            return safe(value)
        case _:
            return ""


def _of_other_axes(node: ast.expr) -> str:
    """What has two axes exchanged by an expression, perhaps others than the last two; "" for anything else."""
    match node:
        case ast.Call(ast.Attribute(value, method), [_, _]) if method in TURNING:
            return safe(value)
        case _:
            return ""


def _is_last(node: ast.expr) -> bool:
    """Whether an expression turns no more than the last two axes, however many there are."""
    return isinstance(node, ast.Attribute) and node.attr == "mT"
