"""The code cells of a notebook, and the statements in them that define something; nothing is executed.

nbformat 4: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import ast
import json
import re
import symtable
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from grader.model import syntax
from grader.model.text import clean, source_lines
from grader.submission.files import Unreadable
from grader.submission.values import is_function, is_kept
from grader.words import say

# A notebook carries its plots. Its brackets and commas, though, are what costs memory once it is parsed.
MAX_BYTES = 16 << 20
MAX_PARTS = 500_000
# Python's own parser takes time that grows with the square of some sources, such as one f-string with 100,000 fields.
MAX_CODE, MAX_SCRIPT, MAX_CELL = 1 << 18, 1 << 16, 1 << 15
MAX_STATEMENTS = 5_000
MAX_CELLS = 2_000
TAG = "exercise:"
# IPython's own syntax; see IPython.core.inputtransformer2. The cell magics run the cell as it is.
TRANSPARENT = ("%%time", "%%timeit", "%%capture", "%%grade")
MAGIC = re.compile(r"[%!?]|[\w, ]+=\s*[%!]|\S+\?$")
LONGEST_MAGIC = 500
WRITTEN = re.compile(r"%%writefile\s+(?:\S*/)?(ex\d+\w*)\.py")
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}
Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Import = (ast.Import, ast.ImportFrom)
CHOOSING = (ast.If, ast.Try)
HOLDING = (*CHOOSING, ast.With)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that is kept.

    lines: its lines, each with its number in the cell. binds: names it gives a value. loads: names it uses as it is
    executed, or may leave as they were; runs: names that functions in it use when they are called. alters: names whose
    attributes or entries it sets, and classes that it gives a method.
    """

    cell: int
    node: ast.stmt
    lines: tuple[tuple[int, str], ...]
    binds: frozenset[str]
    loads: frozenset[str]
    runs: frozenset[str]
    alters: frozenset[str] = frozenset()

    @property
    def values(self) -> list[ast.expr]:
        """What it gives names."""
        parts = _parts(self.node)
        return [
            part.value for part in parts if isinstance(part, (ast.Assign, ast.AnnAssign)) and part.value is not None
        ]

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, Import)

    @property
    def is_of_numbers(self) -> bool:
        """Whether it gives names to numbers alone, and not to functions, classes or modules."""
        return not any(isinstance(node, (*Import, *Definition)) for node in _parts(self.node))

    def defines(self, name: str) -> bool:
        """Whether it defines a function or a class of that name, or gives one that name, rather than a number."""
        return any(_is_definition(node, name) for node in _parts(self.node))


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell. number: its place among all cells, from 1. fault: line and words where it is no Python."""

    number: int
    source: str
    tags: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    fault: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class Notebook:
    """What was made of a notebook. notes: to follow its name in a sentence."""

    cells: list[Cell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_cells(data: bytes) -> Notebook:
    """The code cells of a notebook's bytes. Raises Unreadable where that is no notebook."""
    if sum(data.count(mark) for mark in (b"{", b"[", b",")) > MAX_PARTS:
        raise Unreadable(say("submission.too-many-parts"))
    book = Notebook()
    code = kept = 0
    for number, cell in enumerate(_raw_cells(data), 1):
        source, tags = _source(cell), _tags(cell)
        if source is None or not source.strip():
            continue
        code += len(source) if len(source) <= MAX_CELL else 0
        if code > MAX_CODE:
            book.notes.append(say("submission.much-code", most=f"{MAX_CODE:,}", cell=number))
            break
        if len(book.cells) >= MAX_CELLS:
            book.notes.append(say("submission.many-cells", most=f"{MAX_CELLS:,}", cell=number))
            break
        found = _read_cell(number, source, tags)
        kept += len(found.statements)
        if kept > MAX_STATEMENTS:
            book.notes.append(say("submission.many-things", most=f"{MAX_STATEMENTS:,}", cell=number))
            break
        book.cells.append(found)
    return book


def read_script(source: str) -> Notebook:
    """A script as a notebook of one cell, as what a notebook is saved as a script is."""
    if not source.strip():
        return Notebook()
    cell = _read_cell(1, source, (), MAX_SCRIPT)
    if len(cell.statements) > MAX_STATEMENTS:
        return Notebook(notes=[say("submission.many-things", most=f"{MAX_STATEMENTS:,}", cell=1)])
    return Notebook([cell])


def _raw_cells(data: bytes) -> list[Any]:
    try:
        content = json.loads(data)
    except json.JSONDecodeError as error:
        why = say("submission.broken-json", line=error.lineno, column=error.colno)
        raise Unreadable(say("submission.no-notebook", why=why)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        said = say("submission.nested-too-deeply") if isinstance(error, RecursionError) else clean(str(error), 80)
        raise Unreadable(say("submission.no-notebook", why=said)) from None
    if isinstance(content, dict) and isinstance(content.get("worksheets"), list):
        raise Unreadable(say("submission.old-notebook"))
    cells = content.get("cells") if isinstance(content, dict) else None
    if not isinstance(cells, list):
        raise Unreadable(say("submission.no-notebook", why=say("submission.no-cells")))
    return cells


def _source(cell: Any) -> str | None:
    """The text of a code cell, which stands in one piece or in lines; None for every other cell."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(piece, str) for piece in source):
        return "".join(source)
    return source if isinstance(source, str) else None


def _tags(cell: Any) -> tuple[str, ...]:
    """What follows `exercise:` in the cell's tags."""
    metadata = cell.get("metadata") if isinstance(cell, dict) else None
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    names = tags if isinstance(tags, list) else []
    return tuple(name.removeprefix(TAG).strip() for name in names if isinstance(name, str) and name.startswith(TAG))


def _read_cell(number: int, source: str, tags: tuple[str, ...], longest: int = MAX_CELL) -> Cell:
    if len(source) > longest:
        said = say("submission.long-cell", length=f"{len(source):,}", most=f"{longest:,}")
        return Cell(number, source, tags, fault=(1, said))
    lines = source_lines(source)
    first = next(index for index, line in enumerate(lines) if line.strip())
    head = lines[first].split()
    if head[0].startswith("%%"):
        written = WRITTEN.fullmatch(lines[first].strip())
        if head[0] not in TRANSPARENT and written is None:
            return Cell(number, source, tags)
        if written is not None:  # which is that module
            tags = (*tags, written[1])
        if head[0] == "%%grade":  # it names the exercises that its cell is for, then options
            tags = (*tags, *takewhile(lambda word: not word.startswith("-"), head[1:]))
        lines[first] = "pass"
    try:
        statements = tuple(_kept(number, lines))
    except SyntaxError as error:
        return Cell(number, source, tags, fault=(error.lineno or 1, clean(str(error.msg), 80)))
    except (ValueError, RecursionError, MemoryError) as error:
        is_text = not isinstance(error, ValueError)
        said = say("submission.nested-too-deeply" if is_text else "submission.no-text")
        return Cell(number, source, tags, fault=(1, said))
    return Cell(number, source, tags, statements)


def _kept(number: int, lines: list[str]) -> Iterator[Statement]:
    """The statements of a cell that define something.

    Lines of IPython's are replaced only where the cell is not Python as it stands, since a line of a string or of a sum
    may begin with % too.
    """
    try:
        tree = syntax.parse("\n".join(lines))
    except SyntaxError:
        lines = [*_without_magics(lines)]
        tree = syntax.parse("\n".join(lines))
    for node in tree.body:
        if _defines(node):
            yield _statement(number, node, lines)


def _without_magics(lines: list[str]) -> Iterator[str]:
    """The lines, with `pass` for those of IPython's and for what they go on with behind a backslash."""
    goes_on = False
    for line in lines:
        plain = _without_magic(line)
        yield "" if goes_on else plain
        goes_on = line.endswith("\\") and (goes_on or plain != line)


def _without_magic(line: str) -> str:
    """The line, or `pass` where it is IPython's. What is longer than LONGEST_MAGIC could take the pattern for ever."""
    text = line.strip()
    is_magic = len(text) < LONGEST_MAGIC and MAGIC.match(text)
    return line[: len(line) - len(line.lstrip())] + "pass" if is_magic else line


def _defines(node: ast.stmt) -> bool:
    """Whether a statement imports, defines, or gives a name what may belong to a module."""
    if isinstance(node, (*Import, *Definition)):
        return True
    if isinstance(node, ast.Assign):
        places = [target.slice for target in node.targets if isinstance(target, ast.Subscript)]
        return all(map(is_kept, [node.value, *places]))
    if isinstance(node, ast.AnnAssign):
        return node.value is not None and is_kept(node.value)
    if isinstance(node, ast.Expr):
        return _altered(node) != "" and isinstance(node.value, ast.Call) and all(map(is_kept, node.value.args))
    if isinstance(node, ast.For) and not node.orelse:  # over a table, such as one of functions that is filled
        return is_kept(node.iter) and all(_alters(part) and _defines(part) for part in node.body)
    if isinstance(node, HOLDING) and not getattr(node, "finalbody", ()):
        return all(_defines(part) or isinstance(part, ast.Pass) for part in _held(node))
    return False


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


def _is_definition(node: ast.stmt, name: str) -> bool:
    if isinstance(node, Definition):
        return node.name == name
    return any(
        isinstance(target, ast.Name) and target.id == name and is_function(value) for target, value in _given(node)
    )


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


def _statement(number: int, node: ast.stmt, lines: list[str]) -> Statement:
    own = _lines(node, lines)
    try:
        table = syntax.table("\n".join(text for _, text in own), "cell")
    except SyntaxError as error:
        error.lineno = (error.lineno or 1) + own[0][0] - 1
        raise
    symbols = table.get_symbols()
    binds = {s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_namespace()}
    if isinstance(node, ast.For):
        binds = set()  # its variable is the loop's own
    loads = {s.get_name() for s in symbols if s.is_referenced()} | (binds if isinstance(node, CHOOSING) else set())
    runs: set[str] = set()
    for child in table.get_children():
        _uses(child, loads, runs)
    return Statement(number, node, own, *map(frozenset, (binds, loads, runs, _alters(node))))


def _uses(table: symtable.SymbolTable, now: set[str], later: set[str]) -> None:
    """Sort a scope's global names by when they are used: a class and a comprehension now, a function when called."""
    is_now = table.get_type() == "class" or table.get_name() in COMPREHENSIONS
    into = now if is_now else later
    into |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()}
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


def _altered(node: ast.stmt) -> str:
    """The class that a function is added to, by `setattr`, or by a decorator that takes it or an annotated `self`."""
    match node:
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
