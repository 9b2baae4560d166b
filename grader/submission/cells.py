"""The code cells of a notebook, and the statements in them that define something; nothing is executed.

nbformat 4: https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from grader.model import syntax
from grader.model.text import clean, source_lines
from grader.submission import marimo
from grader.submission.files import Unreadable
from grader.submission.statements import Statement, defines, statement, without_idle
from grader.words import say

# A notebook carries its plots, some of them with a library in each. Its brackets and commas, though, are what costs
# memory once it is parsed.
MAX_BYTES = 64 << 20
MAX_PARTS = 500_000
# Python's own parser takes time that grows with the square of some sources, such as one f-string with 100,000 fields.
MAX_CODE, MAX_SCRIPT, MAX_CELL = 1 << 18, 1 << 16, 1 << 15
MAX_STATEMENTS = 5_000
MAX_CELLS = 2_000
TAG = "exercise:"
# IPython's own syntax; see IPython.core.inputtransformer2. The cell magics run the cell as it is.
TRANSPARENT = ("%%time", "%%timeit", "%%capture", "%%prun", "%%grade")
MAGIC = re.compile(r"[%!?]|[\w, ]+=\s*[%!]|\S+\?$")
LONGEST_MAGIC = 500
MAGICAL = re.compile(rb"^[ \t]*[%!]", re.MULTILINE)
# What begins a cell in a script that a notebook was saved as, and what is around a text in one that Colab saved.
MARK = re.compile(r"# ?%%|# In ?\[[ \d]*\]:|# COMMAND -")
QUOTES = '"""'
COMMENTED = "# Commented out IPython magic"
WRITTEN = re.compile(r"%%(?:write)?file\s+(?:-a\s+)?(?:\S*/)?(ex\d+\w*)\.py")
# A file that is run where it stands, so that all its names are there.
RUN = re.compile(r"%run\s+(?:\S*/)?(\w+)(?:\.py)?\s*")


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
    """What was made of a notebook. notes: to follow its name in a sentence. whole: the source of a script."""

    cells: list[Cell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    whole: str = ""


def is_notebook(data: bytes) -> bool:
    """Whether bytes are a notebook's, whatever their file is called."""
    return data.lstrip().startswith(b"{") and b'"cells"' in data and b'"nbformat"' in data


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
    """A script as a notebook, as what a notebook is saved as a script is: each cell has the line numbers of the whole.

    What a notebook's exporters write above a cell ends the one before; where there is none, all is one cell.
    """
    if len(source) > MAX_SCRIPT:
        source = _without_texts(source)
    if len(source) > MAX_CODE:
        said = say("submission.long-cell", length=f"{len(source):,}", most=f"{MAX_CODE:,}")
        return Notebook([Cell(1, source, fault=(1, said))], whole=source)
    lines = [*_uncommented(source_lines(marimo.plain(source)))]
    marked = [number for number, line in enumerate(lines) if number and MARK.match(line)]
    book = Notebook(whole=source)
    for number, (first, last) in enumerate(itertools.pairwise([0, *marked[:MAX_CELLS], len(lines)]), 1):
        part = "\n".join(lines[first:last])
        if part.strip():
            book.cells.append(_moved(_read_cell(number, part, (), MAX_SCRIPT), first))
    if sum(len(cell.statements) for cell in book.cells) > MAX_STATEMENTS:
        return Notebook(notes=[say("submission.many-things", most=f"{MAX_STATEMENTS:,}", cell=1)])
    return book


def without_magics(source: str) -> str:
    """A module without IPython's lines, which Colab leaves in what it saves; any other as it is."""
    if len(source) > MAX_SCRIPT:
        return source
    lines = source_lines(source)
    try:
        _, plain = _as_python(lines)
    except syntax.NO_PYTHON:
        return source
    return source if plain is lines else "\n".join(plain)


def _uncommented(lines: list[str]) -> Iterator[str]:
    """The lines, those among them that Colab made comments because a magic stands above them."""
    is_inside = False
    for before, line in itertools.pairwise(["", *lines]):
        begins = before.startswith(COMMENTED) and line.removeprefix("# ").partition(" ")[0] in TRANSPARENT
        is_inside = line.startswith("#") and (is_inside or begins)
        yield line[2:] if is_inside else line


def _without_texts(source: str) -> str:
    """A script without the texts that Colab saves a notebook's with, pictures and all; every line keeps its number."""
    pieces = source.split(QUOTES)
    for number in range(1, len(pieces) - 1, 2):
        before = pieces[number - 1]
        if before.endswith("\n") or not (before or number > 1):
            pieces[number] = "\n" * pieces[number].count("\n")
    return QUOTES.join(pieces)


def _moved(cell: Cell, lines: int) -> Cell:
    """A cell so many lines further down."""
    statements = [replace(s, lines=tuple((number + lines, text) for number, text in s.lines)) for s in cell.statements]
    fault = (cell.fault[0] + lines, cell.fault[1]) if cell.fault else None
    return replace(cell, statements=tuple(statements), fault=fault)


def _raw_cells(data: bytes) -> list[Any]:
    try:
        content = json.loads(data)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        why = say("submission.broken-json", **place) if data.strip() else say("submission.empty-json")
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
    """The statements of a cell that define something."""
    tree, lines = _as_python(lines)
    if (plain := without_idle(tree.body, lines)) != lines:
        lines, tree = plain, syntax.parse("\n".join(plain))
    for node in tree.body:
        if inner := _below_magic(node):
            kept = _kept(number, source_lines(inner))
            yield from (replace(each, lines=tuple((node.lineno, text) for _, text in each.lines)) for each in kept)
        elif defines(node):
            yield statement(number, node, lines)


def _below_magic(node: ast.stmt) -> str:
    """What stands below a magic that runs it, as nbconvert writes such a cell: all of it in one line; else ""."""
    match node:
        case ast.Expr(
            ast.Call(ast.Attribute(_, "run_cell_magic"), [ast.Constant(str(magic)), _, ast.Constant(str(inner))])
        ):
            return inner if f"%%{magic}" in TRANSPARENT else ""
    return ""


def _as_python(lines: list[str]) -> tuple[ast.Module, list[str]]:
    """The tree of a cell, and its lines. Raises what is in NO_PYTHON.

    Lines of IPython's are replaced only where the cell is not Python as it stands, since a line of a string or of a sum
    may begin with % too.
    """
    try:
        return syntax.parse("\n".join(lines)), lines
    except SyntaxError:
        lines = [*_without_magics(lines)]
        return syntax.parse("\n".join(lines)), lines


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
    if is_magic and (run := RUN.fullmatch(line)):
        return f"from {run[1]} import *"
    return line[: len(line) - len(line.lstrip())] + "pass" if is_magic else line
