"""The statements of a notebook that define something, what each of them binds and uses; nothing is executed."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Container, Iterator
from dataclasses import dataclass

from grader.model import syntax
from grader.submission.values import is_function, is_kept

COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}
DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTING = (ast.Import, ast.ImportFrom)
CHOOSING = (ast.If, ast.Try)
HOLDING = (*CHOOSING, ast.With)
# What Python 3.14 itself reads where a variable of a module's or a class's is annotated.
OF_PYTHON = {"__conditional_annotations__"}
# How tables are filled.
FILLING = {"add", "append", "extend", "insert", "setdefault", "update"}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that is kept.

    lines: its lines, each with its number in the cell. binds: names it gives a value. loads: names it uses as it is
    executed, or may leave as they were; runs: names that functions in it use when they are called. alters: names whose
    attributes or entries it sets, and classes that it gives a method. defaults: names that functions in it take for
    arguments that nobody gives.
    """

    cell: int
    node: ast.stmt
    lines: tuple[tuple[int, str], ...]
    binds: frozenset[str]
    loads: frozenset[str]
    runs: frozenset[str]
    alters: frozenset[str] = frozenset()
    defaults: frozenset[str] = frozenset()

    @property
    def values(self) -> list[ast.expr]:
        """What it gives names, and whatever else is computed as it is executed."""
        return [*_values(self.node)]

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, IMPORTING)

    @property
    def is_of_numbers(self) -> bool:
        """Whether it gives names to numbers alone, and not to functions, classes or modules."""
        return not any(isinstance(node, (*IMPORTING, *DEFINING)) for node in _parts(self.node))

    def defines(self, name: str, makers: Container[str] = ()) -> bool:
        """Whether it defines a function or a class of that name, or gives one that name, rather than a number.

        makers: what gives a function where it is called.
        """
        return any(_is_definition(node, name, makers) for node in _parts(self.node))


def defines(node: ast.stmt) -> bool:
    """Whether a statement imports, defines, or gives a name what may belong to a module."""
    if isinstance(node, (*IMPORTING, *DEFINING)):
        return True
    if isinstance(node, ast.Assign):
        return all(map(is_kept, _values(node)))
    if isinstance(node, ast.AnnAssign):
        return node.value is not None and is_kept(node.value)
    if isinstance(node, ast.Expr):
        return _altered(node) != "" and all(map(is_kept, _values(node)))
    if isinstance(node, ast.For) and not node.orelse:  # over a table, such as one of functions that is filled
        return is_kept(node.iter) and all(_alters(part) and defines(part) for part in node.body)
    return isinstance(node, HOLDING) and not getattr(node, "finalbody", ()) and not _idle(node)


def without_idle(body: list[ast.stmt], lines: list[str]) -> list[str]:
    """The lines with `pass` for what stands among definitions in a choice and is none, such as a seed or a demo.

    And with the choice taken that holds where a file is run by itself, as a notebook is.
    """
    waiting, others = [*body], list[tuple[ast.stmt | ast.expr, str]]()
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")]) as test):
                others.append((test, "True"))
        if isinstance(node, (ast.If, ast.With)):
            idle = [*_idle(node), *(part for part in _held(node) if _tells_of_names(part))]
            waiting += [part for part in idle if isinstance(part, HOLDING)]
            others += [(part, "pass") for part in idle if not isinstance(part, HOLDING)]
    lines = [*lines]
    for other, text in sorted(others, key=lambda each: (each[0].lineno, each[0].col_offset), reverse=True):
        _put(lines, other, text)  # the last first, so that each stands where it was
    return lines


def _put(lines: list[str], node: ast.stmt | ast.expr, text: str) -> None:
    """Put a text in a node's place; columns are counted in bytes by Python."""
    first, last = node.lineno - 1, node.end_lineno or node.lineno
    behind = lines[last - 1].encode()[node.end_col_offset :].decode()
    lines[first] = lines[first].encode()[: node.col_offset].decode() + text + behind
    lines[first + 1 : last] = [""] * (last - first - 1)


def _idle(node: ast.stmt) -> list[ast.stmt]:
    """What in one of HOLDING neither defines anything nor merely says something."""
    is_aside = isinstance(node, ast.Try)
    return [part for part in _held(node) if not (defines(part) or _says(part, is_aside=is_aside))]


def _says(node: ast.stmt, *, is_aside: bool) -> bool:
    """Whether a statement beside definitions does nothing to them, such as `print`.

    is_aside: whether it is there for an error alone, as what may raise one, or what installs a package.
    """
    match node:
        case ast.Pass():
            return True
        case ast.Expr(ast.Call(func)):
            return is_aside or syntax.dotted(func) == "print"
        case _:
            return is_aside and isinstance(node, ast.Raise)


def _tells_of_names(node: ast.stmt) -> bool:
    """Whether a statement prints what has a name, and may not be there."""
    is_said = isinstance(node, ast.Expr) and _says(node, is_aside=False)
    return is_said and sum(isinstance(part, ast.Name) for part in syntax.walk(node)) > 1


def _parts(node: ast.stmt) -> Iterator[ast.stmt]:
    """A statement, or those that stand in it where it only chooses among them or does them in some mode."""
    if isinstance(node, HOLDING):
        for part in _held(node):
            yield from _parts(part)
    else:
        yield node


def _held(node: ast.stmt) -> Iterator[ast.stmt]:
    """The statements in one of HOLDING."""
    yield from node.body  # type: ignore[attr-defined]
    for handler in getattr(node, "handlers", ()):
        yield from handler.body
    yield from getattr(node, "orelse", ())


def _values(node: ast.stmt) -> Iterator[ast.expr]:
    for part in _parts(node):
        match part:
            case ast.Assign(targets, value):
                yield value
                yield from (target.slice for target in targets if isinstance(target, ast.Subscript))
            case ast.AnnAssign(value=ast.expr() as value):
                yield value
            case ast.Expr(ast.Call(args=given, keywords=named)):
                yield from (*given, *(each.value for each in named))
            case ast.For(iter=table, body=body):
                yield table
                yield from (value for each in body for value in _values(each))


def _is_definition(node: ast.stmt, name: str, makers: Container[str]) -> bool:
    if isinstance(node, DEFINING):
        return node.name == name
    values = (value for target, value in _given(node) if isinstance(target, ast.Name) and target.id == name)
    return any(is_function(value, makers) for value in values)


def _given(node: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment gives to what; of several names at once each its own."""
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value
    for target in node.targets if isinstance(node, ast.Assign) else ():
        match target, node.value:  # type: ignore[attr-defined]
            case ast.Tuple(names), ast.Tuple(values) if len(names) == len(values):
                yield from zip(names, values, strict=True)
            case _, value:
                yield target, value


def statement(number: int, node: ast.stmt, lines: list[str]) -> Statement:
    """A statement of the cell of that number, which has these lines. Raises SyntaxError."""
    own = _lines(node, lines)
    try:
        table = syntax.table("\n".join(text for _, text in own), "cell")
    except SyntaxError as error:
        error.lineno = (error.lineno or 1) + own[0][0] - 1
        raise
    inside = _of_comprehensions(node)
    symbols = [symbol for symbol in table.get_symbols() if symbol.get_name() not in inside]
    binds = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_namespace()}
    if isinstance(node, ast.For):
        binds = set()  # its variable is the loop's own
    loads = {s.get_name() for s in symbols if s.is_referenced()} | (binds if isinstance(node, CHOOSING) else set())
    runs: set[str] = set()
    for child in table.get_children():
        _uses(child, loads, runs)
    loads, runs = loads - OF_PYTHON, runs - OF_PYTHON
    return Statement(number, node, own, *map(frozenset, (binds, loads, runs, _alters(node), _defaults(node))))


def _of_comprehensions(node: ast.stmt) -> set[str]:
    """The names that comprehensions alone have, which Python counts among those around them since 3.12."""
    variables = {name for part in ast.walk(node) for name in _variables(part)}
    return variables and variables - {*_outside_comprehensions(node, set())}


def _outside_comprehensions(node: ast.AST, variables: set[str]) -> Iterator[str]:
    """The names in a statement, functions and classes aside, that are no variables of a comprehension around them."""
    if isinstance(node, ast.Name) and node.id not in variables:
        yield node.id
    if not isinstance(node, (*DEFINING, ast.Lambda)):
        for child in ast.iter_child_nodes(node):
            yield from _outside_comprehensions(child, variables | {*_variables(node)})


def _variables(node: ast.AST) -> Iterator[str]:
    """The variables of a comprehension; of anything else none."""
    for each in getattr(node, "generators", ()):
        yield from (part.id for part in ast.walk(each.target) if isinstance(part, ast.Name))


def _uses(table: symtable.SymbolTable, now: set[str], later: set[str]) -> None:
    """Sort a scope's global names by when they are used: a class and a comprehension now, a function when called."""
    is_now = table.get_type() == "class" or table.get_name() in COMPREHENSIONS
    into = now if is_now else later
    symbols = table.get_symbols()
    into |= {s.get_name() for s in symbols if (s.is_global() and s.is_referenced()) or s.is_declared_global()}
    for child in table.get_children():
        _uses(child, into, later)


def _alters(node: ast.stmt) -> set[str]:
    """The names that a statement gives an attribute or an entry, and the classes that it gives a method."""
    found = {_altered(node)} - {""}
    if isinstance(node, ast.For):
        found |= {name for part in node.body for name in _alters(part)}
    for target in node.targets if isinstance(node, ast.Assign) else ():
        match target:
            case ast.Attribute(ast.Name(name)) | ast.Subscript(ast.Name(name)):
                found.add(name)
    return found


def _defaults(node: ast.stmt) -> set[str]:
    """The names that functions in a statement have for defaults."""
    given = [part.args for part in syntax.walk(node) if isinstance(part, ast.FunctionDef)]
    return {value.id for each in given for value in (*each.defaults, *each.kw_defaults) if isinstance(value, ast.Name)}


def _altered(node: ast.stmt) -> str:
    """What a statement adds something to.

    A table that it fills, or the class that it gives a function, by `setattr` or by a decorator that takes the class or
    an annotated `self`.
    """
    match node:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), way))) if way in FILLING:
            return name
        case ast.Expr(ast.Call(ast.Name("setattr"), [ast.Name(name), *_])):
            return name
        case ast.FunctionDef(decorator_list=[ast.Call(args=[ast.Name(name)]), *_]) if name[0].isupper():
            return name
        case ast.FunctionDef(args=ast.arguments(args=[ast.arg("self", ast.Name(name)), *_]), decorator_list=[_, *_]):
            return name
    return ""


def _lines(node: ast.stmt, lines: list[str]) -> tuple[tuple[int, str], ...]:
    """A statement's lines, without what stands beside it on them; columns are counted in bytes by Python."""
    decorators = getattr(node, "decorator_list", [])
    first = min(node.lineno, *(decorator.lineno for decorator in decorators)) if decorators else node.lineno
    last = node.end_lineno or node.lineno
    own = lines[first - 1 : last]
    own[-1] = own[-1].encode()[: node.end_col_offset].decode()
    if first == node.lineno:
        own[0] = own[0].encode()[node.col_offset :].decode()
    return tuple(enumerate(own, first))
